// Formats of a register of 32 bits, and the default one.
//
//   FORMATS.float.show(0x40000000)        "2"
//   wayAt(usual(code), 5, pc)             as the instruction from pc on that uses r5 does
import { t } from "./words.js";

const word = new DataView(new ArrayBuffer(4));

// A number of at most `digits` digits; infinities and NaN as heddle prints them.
export function decimal(value, digits) {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? String(+value.toPrecision(digits)) : String(value).replace("Infinity", "inf").replace("NaN", "nan");
}

// The shortest decimal that reads back as the same float, as heddle prints it.
function float(bits) {
  word.setUint32(0, bits);
  const value = word.getFloat32(0);
  let digits = 1;
  while (digits < 9 && Math.fround(+value.toPrecision(digits)) !== value) digits++;
  return decimal(value, digits);
}

export function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, rest = bits & 1023;
  if (exponent === 31) return rest ? "nan" : sign < 0 ? "-inf" : "inf";
  const value = exponent ? sign * 2 ** (exponent - 15) * (1 + rest / 1024) : sign * 2 ** -14 * rest / 1024;
  return decimal(value, 4);
}

export const FORMATS = {
  hex: { title: "hex", show: (bits) => `0x${bits.toString(16)}` },
  signed: { title: "signed", show: (bits) => String(bits | 0) },
  unsigned: { title: "unsigned", show: (bits) => String(bits >>> 0) },
  float: { title: "float", show: float },
  halves: { title: t`two halves`, show: (bits) => `${half(bits & 0xffff)} ${half(bits >>> 16)}` }
};

const BY_TYPE = [[/^(f16|bf16)x2$/, "halves"], [/^f32$/, "float"], [/^s(8|16|32)$/, "signed"], [/^u(8|16|32)$/, "unsigned"],
  [/^[usbf]64$/, "hex"]];
const byType = (type) => BY_TYPE.find(([pattern]) => pattern.test(type))?.[1] ?? null;

// Lists how the operands of "fma.f32 r5, r3, r4, r5" are used: [[5, "float"], ...].
function uses(text) {
  const [name, ...rest] = text.replace(/^@!?\S+ +/, "").split(/ +/);
  const types = name.split(".").map(byType).filter(Boolean);
  if (!types.length) return name.startsWith("s2r") ? [[register(rest[0]), "unsigned"]] : [];
  const operands = rest.join(" ").split(/, */);
  const own = (i) => name.includes(".wide") && (i === 0 || i === 3) ? "hex" : types[i && types.length > 1 ? 1 : 0];
  return operands.flatMap((operand, i) => /^-?\|?r\d/.test(operand) ? [[register(operand), own(i)]] : []);
}

const register = (operand) => +operand.match(/r(\d+)/)?.[1];

// The typed uses of each register, in the order of the program: {5: [[13, "float"]]}.
export function usual(code) {
  const found = new Map();
  code.forEach(({ disassembly: text }, pc) => {
    for (const [number, way] of uses(text)) found.set(number, [...(found.get(number) ?? []), [pc, way]]);
  });
  return found;
}

// Returns how the next instruction uses a register, or the last one if none does.
export function wayAt(found, number, pc) {
  const rows = found.get(number) ?? [];
  return (rows.find(([at]) => at >= pc) ?? rows.at(-1))?.[1] ?? "hex";
}
