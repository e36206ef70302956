// Elements of memory as text, by their type: "f32", "u8", "bf16".
//
//   element([0, 0, 128, 63], "f32")     "1"
import { decimal, FORMATS, half } from "./values.js";

const view = new DataView(new ArrayBuffer(16));

const hexOf = (bytes) => `0x${bytes.reduceRight((sum, byte) => sum << 8n | BigInt(byte), 0n).toString(16)}`;

const SHOW = {
  f: (bits) => bits === 64 ? decimal(view.getFloat64(0, true), 9) : bits === 32 ? FORMATS.float.show(view.getUint32(0, true))
    : half(view.getUint16(0, true)),
  bf: () => FORMATS.float.show(view.getUint16(0, true) * 65536),
  u: (bits) => bits === 64 ? String(view.getBigUint64(0, true)) : String(view[`getUint${bits}`](0, true)),
  s: (bits) => bits === 64 ? String(view.getBigInt64(0, true)) : String(view[`getInt${bits}`](0, true))
};

export function element(bytes, type) {
  const [, kind, bits, pair] = type.match(/^([a-z]+)(\d*)(x2)?/);
  if (pair) return [0, 2].map((at) => element(bytes.slice(at, at + 2), kind + bits)).join(" ");
  bytes.forEach((byte, k) => view.setUint8(k, byte));
  return kind === "bool" ? String(bytes[0]) : SHOW[kind] ? SHOW[kind](+bits) : hexOf(bytes);
}

// Formats of an array's elements beside its own type, and their names.
export const ELEMENTS = {};
for (const bits of [8, 16, 32, 64])
  for (const [kind, name] of [["u", "unsigned"], ["s", "signed"], ["f", "float"], ["b", "hex"]])
    if (kind !== "f" || bits > 8) ELEMENTS[kind + bits] = name;

export function formatsOf(type) {
  const bits = type === "bool" ? "8" : type.endsWith("x2") ? "32" : type.match(/\d+/)[0];
  return Object.keys(ELEMENTS).filter((one) => one.slice(1) === bits && one !== type);
}
