// State that the parts of the page share (main.js), and actions of its buttons.
import { readRecord, at as placeIn } from "./record.js";
import { Stopped } from "./client.js";
import { arraysOf } from "./contents.js";
import { t } from "./words.js";

const WATCH = 16 << 20; // bytes of a recording
const STATES = 256; // that are kept
const CHIP = "v100", CHIP_KERNELS = /^kernels\/(bench|fft|gemm)\//; // which no small board takes
const FIRST = "classic/saxpy";
const NOTHING = { result: null, arrays: [], wrong: [], record: null, machine: null, before: null, next: null, access: null }; // has run

const STOPPED = t`Stopped. Nothing of this run is kept.`;

const unlessStopped = (error) => { if (!(error instanceof Stopped)) throw error; };

export class App {
  constructor(client, opened) {
    this.client = client;
    this.words = opened.words;
    this.version = opened.version;
    this.lessons = opened.lessons;
    this.boards = opened.boards;
    this.kernels = opened.kernels;
    this.ideals = opened.ideals;
    this.listeners = new Map();
    this.cursor = { index: 0, block: 0, warp: 0 };
    this.looks = 0; // number of looks: only the answer to the last one counts
    this.looked = null; // the name and the text of that
    this.state = { name: "", lesson: null, files: {}, case: "1", warp: 0, board: null, without: [], program: null, kept: null, ...NOTHING,
      running: false, stale: false, refused: null, index: 0, at: { block: 0, warp: 0 } };
  }

  on(event, f) { this.listeners.set(event, [...(this.listeners.get(event) ?? []), f]); }
  tell(event) { for (const f of this.listeners.get(event) ?? []) f(this.state); }

  set(part, ...events) {
    this.state = { ...this.state, ...part };
    for (const event of events) this.tell(event);
  }

  // ---- what to run ----

  async first() { await this.load({ ...await this.client.kernel(FIRST), board: "teach8" }); }

  async load({ name, text, lesson = null, board = null, files = {}, ...rest }) {
    if (this.state.running) await this.stop();
    await this.client.put(files);
    this.editor.set(text);
    this.original = text;
    this.set({ ...NOTHING, name, lesson, files, case: "1", warp: 0, refused: null, ...rest },
      "edit", "lesson", "run");
    const own = lesson === null ? null : this.lessons.find(({ number }) => number === lesson)?.board ?? "teach32";
    if (board ?? own ?? !this.state.board) await this.setBoard(board ?? own ?? "teach8");
    await this.look();
  }

  // Loads from the list of kernels: "lesson 3", "classic/saxpy", "" for the loaded one.
  async choose(value) {
    if (value && this.leaves()) {
      const number = +value.match(/^lesson (\d+)/)?.[1], lesson = this.lessons.find((row) => row.number === number);
      if (lesson) await this.load({ name: "mine.hd", text: lesson.starter, lesson: number });
      else await this.load(await this.client.kernel(value));
      await this.fit();
    }
    this.tell("look");
  }

  leaves() {
    const question = t`Leave ${this.state.name}? What you have changed in it is lost.`;
    return this.text() === this.original || confirm(question);
  }

  // Chooses a board. teach8 is small: a kernel with too large a block needs teach32, and one for chips a chip.
  async fit() {
    const { program, board, name } = this.state;
    if (board.edited) return;
    if (CHIP_KERNELS.test(name)) return this.setBoard(CHIP);
    const most = board.values.find(({ key }) => key === "max_threads_per_block").value;
    const blocks = program.cases.map(({ text }) => text.match(/ block=([\d,]+)( |$)/)?.[1] ?? "0");
    const threads = Math.max(0, ...blocks.map((block) => block.split(",").reduce((a, b) => a * b, 1)));
    if (threads <= most) return;
    await this.setBoard("teach32");
    this.say(t`Its blocks have ${threads} threads, and ${board.name} takes ${most}: the board is teach32 now.`);
  }

  // A board that ships, or with a text an edited one; what is wrong with a text is thrown.
  async setBoard(name, text) {
    const board = await this.client.board(name, text), ships = this.boards.includes(name);
    const own = text === undefined ? board : ships ? await this.client.board(name) : null;
    this.set({ board: { ...board, name, edited: board.text !== own?.text } }, "board", "edit");
  }

  async look() {
    const text = this.text(), turn = ++this.looks;
    const program = await this.client.look(this.state.name, text).catch(unlessStopped);
    if (turn !== this.looks || !program) return;
    this.looked = `${this.state.name}\n${text}`;
    const known = program.cases.some(({ number }) => String(number) === this.state.case);
    const widths = program.cases.find(({ number }) => String(number) === this.state.case)?.widths ?? [];
    this.set({ program, ...known || program.error ? {} : { case: "1" },
      ...this.state.warp && !program.error && !widths.includes(this.state.warp) ? { warp: 0 } : {} }, "look");
  }

  text() { return this.editor.text(); }
  line(number) { this.editor.show(number); }
  say(sentence, kind) { this.saying(sentence, kind); }

  // ---- a run ----

  async run() {
    if (this.state.running) return;
    this.set({ running: true }, "running");
    this.say(t`Running…`);
    try {
      await this.perform();
    } catch (e) {
      this.failed(e);
    } finally {
      this.set({ running: false }, "running");
    }
  }

  async perform() {
    const { name, case: which, warp, board, without } = this.state, source = this.text();
    if (this.looked !== `${name}\n${source}`) await this.look();
    if (this.state.program.error) throw new Error(this.state.program.error);
    if (!this.state.program.cases.length)
      throw new Error(t`${name}:1:1: error: nothing to run; expected a line such as ';! run NAME grid=4 block=64'`);
    const began = performance.now();
    const result = await this.client.run({ name, source, case: which, warp, watch: WATCH, check: true,
      board: { name: board.name, text: board.text }, settings: this.settings(without) });
    const took = performance.now() - began;
    const record = await readRecord(this.client, result.events, this.words, (share) =>
      share < 1 && this.say(t`Reading the recording: ${Math.floor(100 * share)} %`));
    const { buffers, wrong } = await this.client.memory(), arrays = arraysOf(result, buffers, this.state.program.cases);
    this.set({ ...NOTHING, result: { ...result, source, took, without }, arrays, wrong, record, refused: null, stale: false }, "run");
    const first = record.issues[0], fault = result.fault && record.faulting(result.fault, result.program.code);
    if (first !== undefined) await this.move(fault ?? { index: first, ...this.whose(first) });
  }

  // The assignments to the board that leave these losses out.
  settings(without) {
    return this.ideals.filter(({ name }) => without.includes(name)).map(({ settings }) => settings).join(" ");
  }

  failed(error) {
    if (error instanceof Stopped) this.say(STOPPED);
    else this.set({ ...NOTHING, refused: error.message }, "run", "refused");
  }

  // Something else of the worker's that Stop can end: a grade, a proof.
  async busy(work) {
    if (this.state.running) throw new Error(t`Something runs already: wait for its end, or press Stop.`);
    this.set({ running: true }, "running");
    try {
      return await work(this.client);
    } catch (e) {
      throw e instanceof Stopped ? new Error(t`Stopped: there is no answer.`) : e;
    } finally {
      this.set({ running: false }, "running");
    }
  }

  async stop() {
    this.client.stop();
    if (this.state.record) this.set(NOTHING, "run"); // the recording was in the stopped worker
    this.say(STOPPED);
    await this.client.put(this.state.files);
    if (this.course) await this.client.own(this.course);
    await this.look();
  }

  // ---- the cursor ----

  whose(i) {
    const { record } = this.state;
    return { block: record.block[i], warp: record.warp[i] };
  }

  // `this.cursor` moves at once, so that steps add up; the state changes once registers and access of the last one are
  // read.
  async move({ index = this.cursor.index, block = this.cursor.block, warp = this.cursor.warp }) {
    const { record } = this.state, row = record?.of(block, warp);
    if (!row) return;
    const cursor = this.cursor = { index, block, warp };
    const next = record.next(block, warp, index), previous = record.previous(block, warp, index);
    const [machine, before, access] = await Promise.all([index > row.first ? this.held(block, warp, index) : null,
      previous < 0 ? null : this.held(block, warp, previous), this.accessed(record.access(block, warp, index))])
      .catch((error) => [unlessStopped(error)]);
    if (machine === undefined || cursor !== this.cursor || record !== this.state.record) return;
    this.set({ index, at: { block, warp }, machine, before, access,
      next: next < 0 ? null : { index: next, pc: record.pc[next], cycle: record.cycle[next] } }, "move");
  }

  // The state of a warp, kept: a step needs that of the step before as well.
  held(block, warp, index) {
    const { record } = this.state, key = `${block}.${warp} ${index}`;
    if (this.states?.record !== record || this.states.size >= STATES) this.states = Object.assign(new Map(), { record });
    if (!this.states.has(key)) this.states.set(key, this.client.state(block, warp, index));
    return this.states.get(key);
  }

  // An access with the events of its lines.
  async accessed(i) {
    if (i < 0) return null;
    if (this.seen?.record === this.state.record && this.seen.i === i) return this.seen.access;
    const { record } = this.state, lines = record.lines(i);
    const one = async (k) => (await this.client.events(k, 1))[0];
    const access = { event: await one(i), lines: await Promise.all(lines.map(one)) };
    this.seen = { record, i, access };
    return access;
  }

  // Returns the start of a step or a jump: the recording, the warp, and its next issue, -1 at its end.
  here() {
    const { record } = this.state;
    if (!record?.issues.length) return null;
    const { block, warp, index } = this.cursor;
    return { record, block, warp, index, next: record.next(block, warp, index) };
  }

  step() {
    const here = this.here();
    if (!here || here.next < 0) return null;
    const { record, block, warp, next } = here, after = record.next(block, warp, next + 1);
    return this.move({ index: after < 0 ? record.behind(block, warp) : after });
  }

  back() {
    const here = this.here(), previous = here ? here.record.previous(here.block, here.warp, here.index) : -1;
    return previous < 0 ? null : this.move({ index: previous });
  }

  // Steps to the next issue of any warp, which then becomes the current one.
  stepAny() { return this.place(this.steps() + 1); }
  backAny() { return this.place(this.steps() - 1); }

  // Counts the instructions of all warps that have issued.
  steps() { return this.state.record ? placeIn(this.state.record.issues, this.cursor.index) : 0; }

  place(steps, follow = true) {
    const { record } = this.state;
    if (!record?.issues.length) return null;
    const index = record.issues[Math.max(0, steps)];
    if (index === undefined) return this.move({ index: record.count });
    return this.move({ index, ...follow ? this.whose(index) : {} });
  }

  begin() {
    const here = this.here();
    return here && this.move({ index: here.record.of(here.block, here.warp).issue[0] });
  }

  end() {
    const here = this.here();
    return here && this.move({ index: here.record.behind(here.block, here.warp) });
  }

  to(issue, words) {
    if (issue < 0) this.say(words);
    return issue < 0 ? null : this.move({ index: issue });
  }

  barrier() {
    const here = this.here();
    if (!here) return null;
    const { record, block, warp, next } = here;
    return this.to(next < 0 ? -1 : record.barrier(block, warp, next), t`This warp meets no barrier from here on.`);
  }

  // The next time that this warp is at a line of the editor.
  reach(line) {
    const here = this.here();
    if (!here) return null;
    const { record, block, warp, next } = here, { code } = this.state.result.program;
    const pcs = new Set(code.flatMap((row, pc) => !row.file && row.line === line ? [pc] : []));
    return this.to(next < 0 ? -1 : record.reaches(block, warp, next, pcs),
      t`This warp does not come to line ${line} from here on.`);
  }
}
