// Facts from the kernel's text about an instruction and registers.

// An instruction as it is written, with the arguments of macros.
export const words = ({ result }, pc) => result.program.code[pc]?.text ?? "";

// Finds the row of an instruction, "ld" of "ld.global.b32": its name without modifiers. Undefined if there is none.
export function described(rows, word) {
  for (let name = word; name; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
    const row = rows.find((one) => one.name === name);
    if (row) return row;
  }
}

// The kernel that ran, also where a fault has ended it.
const kernelOf = (result) => result.kernel ?? result.case.entry;

// Names of registers by number; a name of several registers stands for the first, with a sum for the others.
export function names(result) {
  const found = new Map();
  for (const { name, kind, kernel: of, number: first, count } of result.program.names)
    if (kind === "register" && of === kernelOf(result))
      for (let i = 0; i < count; i++) found.set(first + i, i ? `${name}+${i}` : name);
  return found;
}

// Registers that have one name with the next one.
export const pairs = (result) => new Set(result.program.names.filter(({ kind, kernel: of, count }) =>
  kind === "register" && of === kernelOf(result) && count === 2).map(({ number: first }) => first));

export const predicates = (result) =>
  result.program.names.filter(({ kind, kernel: of }) => kind === "predicate" && of === kernelOf(result));
