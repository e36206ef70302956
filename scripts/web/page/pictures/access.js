// The last memory access of the warp at the cursor: from its lanes to sectors of lines, or to banks of shared memory, and the
// way of its requests through L2 and DRAM.
import { h, hex, lanes, number, plural, ranges, table, wide } from "../dom.js";
import { frame, instruction } from "./frame.js";
import { passes } from "./banks.js";
import { between } from "./between.js";
import { bars, steps } from "./way.js";
import { t } from "../words.js";

const LINE = 128, SECTOR = 32; // bytes
const TOP = 34, CELL = 20, GAP = 16; // of the picture, in pixels; GAP holds the words above a line
const EDGE = 4, LINKS = 8; // of more lines, a picture of links is none

// ---- data ----

// {cycle, pc, space, operation, bytes, cycles, lanes: [{lane, address}], lines: [{line, sectors, hits, pending, request}]}
export function accessOf({ event, lines }) {
  const numbers = lanes(event.lanes);
  return { ...event, lanes: numbers.map((lane, k) => ({ lane, address: event.addresses[k] })), lines: lines.map(
    (line) => ({ ...line, sectors: lanes(line.sectors), hits: lanes(line.hits), pending: lanes(line.pending) })) };
}

// Results of a sector in L1, as a sign and words.
const FOUND = {
  hit: { sign: "hit", doc: t`L1 holds it` },
  pending: { sign: "pending", doc: t`in flight already, for another request` },
  miss: { sign: "miss", doc: t`L2 gets a request` },
  sent: { sign: "sent", doc: t`L2 performs it` },
  unused: { sign: "", doc: t`no lane wants it` }
};

function found(line, sector, operation) {
  if (!line.sectors.includes(sector)) return "unused";
  if (line.hits.includes(sector)) return "hit";
  if (line.pending.includes(sector)) return "pending";
  return operation === "load" ? "miss" : "sent";
}

// ---- geometry: shapes {name, ...attributes, words} of SVG ----

const cell = (x, y, width, kind, words = "") => ({ name: "rect", class: kind, x, y, width, height: CELL, words });
const text = (x, y, words, kind = "label") => ({ name: "text", class: kind, x, y, words });

// The lanes in a row; an inactive one is a dashed box. `middle(lane)` is where its line begins.
function laneRow(access, width, room) {
  const step = (room - 2 * EDGE) / width, taking = new Set(access.lanes.map(({ lane }) => lane));
  const shapes = [text(EDGE, 11, "lanes", "about")], every = Math.max(1, 2 ** Math.ceil(Math.log2(18 / step)));
  for (let lane = 0; lane < width; lane++) {
    shapes.push(cell(EDGE + lane * step, 14, Math.max(1, step - 1), taking.has(lane) ? "lane" : "lane inactive",
      taking.has(lane) ? t`lane ${lane}` : t`lane ${lane}: does not take part`));
    if (lane % every === 0) shapes.push(text(EDGE + (lane + 0.5) * step, 28, String(lane), "middle"));
  }
  return { shapes, middle: (lane) => EDGE + (lane + 0.5) * step };
}

function join(x1, y1, x2, y2) {
  const y = (y1 + y2) / 2;
  return { name: "path", class: "link", d: `M${x1} ${y1}C${x1} ${y} ${x2} ${y} ${x2} ${y2}` };
}

// Draws one strip a line, as wide as its 128 bytes: sectors, in them the requested bytes.
export function sectorsPicture(access, width, room) {
  const row = laneRow(access, width, room), byte = (room - 2 * EDGE) / LINE, shapes = [...row.shapes], links = [];
  const starts = access.lines.length ? access.lines : linesOf(access);
  starts.forEach((line, k) => {
    const y = TOP + 20 + k * (CELL + GAP) + GAP;
    const mine = access.lanes.filter(({ address }) => address >= line.line && address < line.line + LINE);
    shapes.push(text(EDGE, y - 4, t`line ${hex(line.line)}: ${mine.length === 1 ? t`lane` : t`lanes`} ${spans(mine.map(({ lane }) => lane))}`, "about boxed"));
    for (let sector = 0; sector < LINE / SECTOR; sector++) {
      const kind = found(line, sector, access.operation);
      shapes.push(cell(EDGE + sector * SECTOR * byte, y, SECTOR * byte - 1, `sector ${kind}`,
        t`sector ${sector} of the line: ${FOUND[kind].doc}`));
    }
    for (const { lane, address } of mine) {
      const x = EDGE + (address - line.line) * byte, size = access.bytes * byte;
      shapes.push({ ...cell(x, y + CELL - 6, Math.max(1, size - 0.5), "bytes", t`lane ${lane}: ${hex(address)}`), height: 6 });
      if (starts.length <= LINKS) links.push(join(row.middle(lane), TOP, x + size / 2, y));
    }
    for (let sector = 0; sector < LINE / SECTOR; sector++) {
      const { sign } = FOUND[found(line, sector, access.operation)];
      shapes.push(text(EDGE + (sector + 0.5) * SECTOR * byte, y + 11, sign, "middle small"));
    }
  });
  return { width: room, height: TOP + 20 + starts.length * (CELL + GAP) + GAP, shapes: [...links, ...shapes] };
}

// Lines of an access that never reached L1's: constants, or events that were not recorded.
function linesOf(access) {
  const found = new Map();
  for (const { address } of access.lanes) {
    const line = address - address % LINE, sector = Math.floor(address % LINE / SECTOR);
    if (!found.has(line)) found.set(line, { line, sectors: [], hits: [], pending: [], request: null });
    const { sectors } = found.get(line);
    if (!sectors.includes(sector)) sectors.push(sector);
  }
  return [...found.values()];
}

// Draws one row a pass, as wide as all banks: a cell is a word that a bank serves then, with its lanes.
export function banksPicture(access, banks, width, room) {
  const row = laneRow(access, width, room), { rows, taken } = passes(access, banks, width);
  const step = (room - 2 * EDGE) / banks.count, shapes = [...row.shapes], links = [];
  const every = Math.max(1, 2 ** Math.ceil(Math.log2(18 / step))), top = TOP + 30 + GAP;
  shapes.push(text(EDGE, top - 18, t`banks of shared memory`, "about boxed"));
  for (let bank = 0; bank < banks.count; bank += every)
    shapes.push(text(EDGE + (bank + 0.5) * step, top - 4, String(bank), "middle small boxed"));
  for (let pass = 0; pass < taken; pass++)
    shapes.push(cell(EDGE, top + pass * CELL, room - 2 * EDGE, "pass", t`pass ${pass + 1}`));
  for (const served of together(rows)) {
    const { pass, bank, word, wide: size } = served[0];
    const x = EDGE + bank * step, y = top + pass * CELL, who = spans(served.map(({ lane }) => lane));
    shapes.push({ ...cell(x, y + 1, Math.max(1, size * step - 1), pass > 0 ? "word again" : "word",
      t`pass ${pass + 1}, bank ${bank}: word ${word}, ${served.length > 1 ? t`lanes` : t`lane`} ${who}`), height: CELL - 2 });
    if (size * step > 7 * who.length) shapes.push(text(x + size * step / 2, y + 14, who, "middle small"));
    for (const { lane } of served) links.push(join(row.middle(lane), TOP, x + size * step / 2, y + 1));
  }
  return { width: room, height: top + taken * CELL + 6, shapes: [...shapes.filter(({ class: kind }) => kind === "pass"), ...links,
    ...shapes.filter(({ class: kind }) => kind !== "pass")], taken };
}

// The lanes that one bank serves in one pass.
function together(rows) {
  const found = new Map();
  for (const row of rows) {
    const key = `${row.pass} ${row.bank}`;
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found.values();
}

const spans = (numbers) => ranges(numbers, "-");

// ---- words ----

const SHARED = "shared";

function sentence(access, width, taken) {
  const { space, operation, bytes } = access, who = plural(access.lanes.length, "lane");
  const begin = t`Cycle ${number(access.cycle)}: ${space} ${operation} of ${plural(bytes, "byte")} a lane, by ${who} of ${width}. `;
  const turns = t`The memory pipe is taken for ${plural(access.cycles, "cycle")}: lanes that want one address take turns.`;
  if (space === SHARED && operation === "atomic" && access.cycles > taken) return begin + turns;
  if (space === SHARED) return begin + (taken === 1 ? t`One pass serves all.` : t`Shared memory takes ${taken} passes.`);
  const sectors = access.lines.reduce((sum, line) => sum + line.sectors.length, 0);
  if (!sectors) return begin;
  const distinct = new Set(access.lanes.map(({ address }) => address)).size * bytes;
  return t`${begin}They touch ${plural(sectors, "sector")} of ${plural(access.lines.length, "line")}: ${number(distinct)} of ${number(SECTOR * sectors)} bytes are useful.`;
}

function lanesTable(access, banks, width) {
  if (access.space === SHARED)
    return { head: [t`lane`, t`address`, t`bank`, t`word`, t`pass`], rows: passes(access, banks, width).rows
      .map(({ lane, address, bank, word, pass }) => [lane, hex(address), bank, word, pass + 1]) };
  const lines = access.lines.length ? access.lines : linesOf(access);
  return { head: [t`lane`, t`address`, t`line`, t`sector`, "L1"], rows: access.lanes.map(({ lane, address }) => {
    const line = lines.find((one) => one.line === address - address % LINE), sector = Math.floor(address % LINE / SECTOR);
    return [lane, hex(address), hex(line.line), sector, FOUND[found(line, sector, access.operation)].sign];
  }) };
}

const banksOf = ({ board }) => {
  const value = (key) => board.values.find((one) => one.key === key)?.value;
  return { count: value("shared.banks"), bytes: value("shared.bank_bytes") };
};

// ---- the panel ----

export function create(root, app) {
  const lanesFrame = frame({ title: t`Last access` }), wayFrame = frame({ title: t`Way of the access` }), showExchange = between(root, app);
  root.append(lanesFrame.root, wayFrame.root);
  let asked = 0, shown = null;

  const none = (words) => {
    shown = null;
    lanesFrame.show({ words });
    wayFrame.root.hidden = true;
  };

  async function way(state, access) {
    const mine = ++asked, found = await steps(app.client, state.record, state.access, access);
    if (mine !== asked) return;
    wayFrame.root.hidden = found.length === 0;
    if (found.length) wayFrame.show(bars(found, access));
  }

  return {
    update(state) {
      showExchange(state);
      if (!state.result) return none(t`Run the kernel: then its accesses can be seen here.`);
      if (!state.access || !state.machine) return none(t`This warp has not accessed memory before the cursor.`);
      if (shown === state.access) return;
      shown = state.access;
      const access = accessOf(state.access), { width } = state.machine, banks = banksOf(state);
      const shared = access.space === SHARED, taken = shared ? passes(access, banks, width).taken : null;
      lanesFrame.show({
        words: h("span", {}, sentence(access, width, taken), " ", instruction(app, state, access.pc)),
        alt: sentence(access, width, taken),
        picture: (room) => shared ? banksPicture(access, banks, width, room) : sectorsPicture(access, width, room),
        table: () => wide(t`Lanes of the access`, table({ caption: t`Lanes of the access`, ...lanesTable(access, banks, width) }))
      });
      return way(state, access);
    }
  };
}
