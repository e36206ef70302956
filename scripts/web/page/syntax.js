// Colours of kernels and boards in the editor. The words of instructions are those of the instruction table.
import { HighlightStyle, StreamLanguage } from "@codemirror/language";
import { tags } from "@lezer/highlight";

// Tried in this order at each place; a row is {match, token, or: what only holds at the start of a statement}.
const GENERAL = [
  [/^;!.*/, "meta"], [/^(;|\/\/).*/, "comment"], [/^"[^"]*"?/, "string"], [/^@!?[\w.$]+/, "modifier"], [/^%\w+(\.[xyz])?/, "atom"],
  [/^(0x[\da-f]+|0b[01]+|0[fd][\da-f]+|\d+(\.\d*)?(e[-+]?\d+)?)\b/i, "number"], [/^\\[\w@()]+/, "atom"],
  [/^(r|p|x)\d+\b|^(rz|pt)\b/, "variableName"]
];

function kernelToken(instructions) {
  return (stream, state) => {
    if (stream.sol()) state.begins = true;
    if (stream.eatSpace()) return null;
    const begins = state.begins;
    if (begins && stream.match(/^[\w$.\\@]+:/)) return "labelName";
    if (begins && stream.match(/^\.[a-z]+/)) return "keyword";
    if (begins && stream.match(/^[A-Za-z_$][\w.$\\]*/)) {
      state.begins = false;
      return instructions.has(stream.current().split(".")[0]) ? "operatorKeyword" : "macroName";
    }
    for (const [pattern, token] of GENERAL)
      if (stream.match(pattern)) {
        state.begins = begins && token === "modifier";
        return token;
      }
    state.begins = false;
    if (stream.match(/^:\s*(bool|bf16|[biufc]\d+)\b/)) return "typeName";
    if (!stream.match(/^[A-Za-z_$][\w.$]*/)) stream.next();
    return null;
  };
}

export const kernelLanguage = ({ instructions }) => StreamLanguage.define({
  name: "heddle",
  startState: () => ({ begins: true }),
  token: kernelToken(new Set(instructions.map(({ name }) => name.split(".")[0]))),
  languageData: { commentTokens: { line: ";" } },
  tokenTable: { macroName: tags.macroName }
});

export const boardLanguage = StreamLanguage.define({
  name: "board",
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.sol() && stream.match(/^[\w.]+(?=:)/)) return "propertyName";
    if (stream.match(/^-?\d[\d.e+-]*/)) return "number";
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" } }
});

const colour = (name) => `var(--code-${name})`;
export const highlight = HighlightStyle.define([
  { tag: tags.comment, color: colour("comment"), fontStyle: "italic" },
  { tag: tags.meta, color: colour("case") },
  { tag: [tags.operatorKeyword, tags.propertyName], color: colour("instruction"), fontWeight: "600" },
  { tag: tags.macroName, color: colour("macro") },
  { tag: [tags.keyword, tags.typeName], color: colour("directive") },
  { tag: tags.labelName, color: colour("label"), fontWeight: "600" },
  { tag: tags.modifier, color: colour("guard") },
  { tag: [tags.atom, tags.string], color: colour("special") },
  { tag: tags.number, color: colour("number") }
]);
