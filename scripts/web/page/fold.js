// A register of all lanes in one cell, where its values are one, or a multiple of the lane's number more from lane to lane; and
// addresses as elements of arrays (contents.js).
//
//   fold({ values: [96n, 97n, 98n], bits: 32, show })        "96 + lane"
//   fold({ values, bits: 64, show, arrays })                 "y[96 + lane]", null: in no such form
//   elementOf(arrays, 0x10000404n)                           "y[1]", null: in no array
import { t } from "./words.js";

const times = (step) => step === 1n ? t`lane` : `${step} * lane`;
const sum = (base, step, zero = base === "0") => {
  if (zero && step > 0n) return times(step);
  return step > 0n ? `${base} + ${times(step)}` : `${base} - ${times(-step)}`;
};

function arrayOf(arrays, address) {
  return arrays.find(({ shared, address: from, size, count }) =>
    !shared && address >= BigInt(from) && address < BigInt(from) + BigInt(size) * BigInt(count));
}

export function elementOf(arrays, address) {
  const array = arrayOf(arrays, address);
  if (!array) return null;
  const at = address - BigInt(array.address), size = BigInt(array.size);
  return `${array.name}[${at / size}]${at % size ? ` + ${at % size}` : ""}`;
}

// The step from lane to lane, 0n: all values are the same, null: there is none. No sum leaves the range of the numbers.
function stepOf(values) {
  const step = values.length > 1 ? values[1] - values[0] : 0n;
  return values.every((value, lane) => values[0] + step * BigInt(lane) === value) ? step : null;
}

export function fold({ values, bits, show, arrays = [], whole = true }) {
  const step = stepOf(values) ?? stepOf(values.map((value) => BigInt.asIntN(bits, value))), [first] = values;
  if (step === null || step !== 0n && !whole) return null;
  const array = bits === 64 && arrayOf(arrays, first), size = array && BigInt(array.size);
  const element = array && (first - BigInt(array.address)) % size === 0n && step % size === 0n;
  if (step === 0n) return t`${elementOf(bits === 64 ? arrays : [], first) ?? show(first)} in all`;
  return element ? `${array.name}[${sum(String((first - BigInt(array.address)) / size), step / size)}]` : sum(show(first), step, first === 0n);
}
