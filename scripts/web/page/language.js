// The tab Language: instructions, special registers, directives, and what words of CUDA, OpenCL and PTX are here.
import { h, number } from "./dom.js";
import { t } from "./words.js";

const MOST = 40; // rows of a group that are shown

const DIRECTIVES = "Directives";

// Groups of rows {title, rows: [{words, name, doc, code}]}: `code` is an instruction's name, `name` and `doc` are HTML unless it is
// text that `plain` marks.
export function groupsOf({ instructions, registers }, reference) {
  const row = (word, name, doc, more) => ({ words: [word], name, doc, plain: true, ...more });
  return [
    { title: t`Instructions`, rows: instructions.map(({ name, syntax, doc, operation }) =>
      row(name, syntax, operation ? `${doc} ${operation}` : doc, { code: name })) },
    { title: t`Special registers`, rows: registers.map(({ name, doc }) => row(name, name, doc)) },
    ...reference
  ];
}

const textOf = ({ words, name, doc, plain }) =>
  `${words.join(" ")} ${plain ? `${name} ${doc}` : doc.replace(/<[^>]*>/g, "")}`.toLowerCase();

// Rows that have every word of a query, those whose own word begins with it first.
export function search(groups, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const first = (row) => row.words.some((word) => word.toLowerCase().startsWith(words[0] ?? "")) ? 0 : 1;
  return groups.map(({ title, rows }) => ({ title, rows: rows.filter((row) => words.every((word) => textOf(row).includes(word)))
    .sort((a, b) => first(a) - first(b)) })).filter(({ rows }) => rows.length);
}

// A word of a row may end in *.
const is = (name) => (word) => word.endsWith("*") ? name.startsWith(word.slice(0, -1)) : name === word;

// Finds the rows about words of a line that is no instruction of heddle: [[word, row]].
export function foreign(reference, line) {
  const found = [], known = reference.filter(({ title }) => title !== DIRECTIVES).flatMap(({ rows }) => rows);
  for (const [word] of line.split(";")[0].matchAll(/[A-Za-z_][\w.:]*/g)) {
    const pairs = [word, word.split(".")[0]].map((name) => [name, known.find(({ words }) => words.some(is(name)))]);
    const [name, row] = pairs.find((pair) => pair[1]) ?? [];
    if (row && !found.some(([, other]) => other === row)) found.push([name, row]);
  }
  return found;
}

export function html(name, text) {
  const element = h(name);
  element.innerHTML = text; // of the documentation, made with the page
  return element;
}

export function create(root, app) {
  const groups = groupsOf(app.words, app.reference), list = h("div"), example = h("p", { class: "words", role: "status" });
  const field = h("input", { type: "search", id: "language-find", placeholder: "shfl, %tid, .repeat, __syncthreads",
    oninput: () => show() });

  async function exampleOf(name) {
    const found = await app.client.example(name);
    if (!found) return example.replaceChildren(t`No kernel that ships has ${name}.`);
    const open = async () => {
      await app.choose(found.kernel);
      if (app.state.name === `kernels/${found.kernel}.hd`) app.line(found.line);
    };
    example.replaceChildren(h("code", {}, found.text), t` is line ${found.line} of `,
      h("button", { type: "button", class: "link", onclick: open }, found.kernel), ".");
  }

  const cells = ({ name, doc, plain, code }) => [
    h("td", {}, plain ? h("code", {}, name) : html("span", name), code ? [" ", h("button", { type: "button", class: "link",
      "aria-label": t`An example of ${code}`, onclick: () => exampleOf(code) }, "example")] : null),
    plain ? h("td", {}, doc) : html("td", doc)];

  function show() {
    const query = field.value.trim(), found = search(groups, query);
    list.replaceChildren(...found.map(({ title, rows }) => h("details", { open: query !== "" },
      h("summary", {}, `${title} (${number(rows.length)})`),
      h("table", { class: "plain language" }, h("tbody", {}, rows.slice(0, query ? MOST : rows.length).map((row) => h("tr", {}, cells(row))))),
      query && rows.length > MOST ? h("p", { class: "about" }, t`${number(rows.length - MOST)} more: a longer word finds fewer.`) : null)));
    if (!found.length) list.replaceChildren(h("p", { class: "words" }, t`Nothing has '${query}'.`));
  }

  app.find = (query) => {
    app.open("language");
    field.value = query;
    show();
  };
  root.append(h("div", { class: "tools" }, h("label", { for: "language-find" }, t`Find`), field), example, list);
  show();
  return { update() {} };
}
