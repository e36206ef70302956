// The pass of shared memory that serves each lane: the rules of sim/time/geometry.c, since the recording has only the sum.
//
//   passes({lanes: [{lane, address}], bytes, operation}, {count: 32, bytes: 4}, 32)
//     {rows: [{lane, address, word, bank, wide, pass}], taken}       the first pass is 0
//
// Each bank serves one word in a pass, to every lane that wants it. A warp's access has phases of consecutive lanes, none
// wider than all banks together, each with passes of its own.

// Consecutive lanes of one phase, or of two that are one: where every lane has the address of lane l ^ 1, or of l ^ 2.
function phases({ lanes, bytes, operation }, banks, width) {
  const all = banks.count * banks.bytes, size = Math.min(width, Math.max(1, Math.floor(all / Math.max(bytes, 4))));
  const pairs = operation === "load" && bytes > banks.bytes && size > 1 && size < width;
  const found = [];
  for (let at = 0; at < width;) {
    const both = pairs && at % (2 * size) === 0 ? lanes.filter(({ lane }) => lane >= at && lane < at + 2 * size) : [];
    const end = both.length && (shared(both, 1) || shared(both, 2)) ? at + 2 * size : at + size;
    const here = lanes.filter(({ lane }) => lane >= at && lane < end);
    if (here.length) found.push(here);
    at = end;
  }
  return found;
}

function shared(lanes, step) {
  const addresses = new Map(lanes.map(({ lane, address }) => [lane, address]));
  return lanes.every(({ lane, address }) => (addresses.get(lane ^ step) ?? address) === address);
}

export function passes(access, banks, width) {
  const piece = Math.max(access.bytes, banks.bytes), all = banks.count * banks.bytes;
  const wide = Math.min(banks.count, piece / banks.bytes), each = Math.max(1, piece / all);
  const rows = [];
  let taken = 0;
  for (const phase of phases(access, banks, width)) {
    const first = new Map(); // of each first bank, the pieces that lanes want, in their order
    for (const { lane, address } of phase) {
      const number = Math.floor(address / piece), bank = number * (piece / banks.bytes) % banks.count;
      if (!first.has(bank)) first.set(bank, []);
      const wanted = first.get(bank);
      if (!wanted.includes(number)) wanted.push(number);
      const pass = taken + wanted.indexOf(number) * each;
      rows.push({ lane, address, word: Math.floor(address / banks.bytes), bank, wide, pass });
    }
    taken += Math.max(...[...first.values()].map((wanted) => wanted.length)) * each;
  }
  return { rows, taken };
}
