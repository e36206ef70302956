// All calls of the page to heddle: it runs in the worker, and under node in tests. Answers are plain data; a failure throws
// an Error with heddle's own words.
//
//   const engine = await Engine.make(wasm, files);       files of pack.js
//   engine.look("mine.hd", source).cases
//   engine.run({name: "mine.hd", source, board: engine.board("teach8"), watch: 16 << 20}).cycles
import { open } from "../heddle.js";
import { columns } from "./record.js";

// Files that a file beside a kernel never replaces: scripts of the page, and references of lessons.
const OWN = /^(scripts\/lib\/heddle|kernels\/lessons|hand-in)\//;
const HAND_IN = "hand-in/"; // the folder of a kernel that is graded
const ASK = "return require 'heddle.page.answers'(%, ...)";

export class Engine {
  static async make(wasm, files) {
    return new Engine(await open(wasm, files), files);
  }

  constructor(heddle, files) {
    this.heddle = heddle;
    this.tries = heddle.another(); // for runs of which only the time is wanted
    this.looks = heddle.another(); // for kernels and boards that do not run: those of the last run stay
    this.files = files;
    this.replaced = []; // paths of kernels that ship
  }

  // An answer of scripts/lib/heddle/page/answers.lua.
  ask(what, given = {}) {
    try {
      return JSON.parse(this.heddle.lua("page", ASK.replace("%", JSON.stringify(what)), JSON.stringify(given)));
    } catch (e) {
      throw new Error(this.named(e.message.replace(/\nstack traceback:[^]*/, "").replace(/^\/scripts\/\S+:\d+:\s*/, "")));
    }
  }

  open() {
    const names = (folder, ending) => Object.keys(this.files)
      .flatMap((path) => path.startsWith(`${folder}/`) && path.endsWith(ending) ? [path.slice(folder.length + 1, -ending.length)] : []);
    return {
      version: this.heddle.words.version,
      words: { ...this.heddle.words, metrics: this.ask("metrics") },
      boards: names("configs", ".yaml"),
      kernels: names("kernels", ".hd").filter((name) => !/(^|\/)lib\//.test(name)),
      lessons: this.ask("lessons"),
      ideals: this.ask("ideals")
    };
  }

  kernel(name) {
    const path = `kernels/${name}.hd`, text = this.files[path];
    if (text === undefined) throw new Error(`no kernel that ships is called '${name}'`);
    return { name: path, text };
  }

  // Finds a line of a kernel that ships with this instruction, in `classic` if one there has it: {kernel, line, text}; null: none.
  example(name) {
    const line = new RegExp(`^\\s*(@!?\\w+\\s+)?${name.replaceAll(".", "\\.")}\\s`, "m");
    const paths = Object.keys(this.files).filter((path) => /^kernels\/(?!lib|lessons)[^]*\.hd$/.test(path) && !path.includes("/lib/"));
    const path = [...paths.filter((one) => one.startsWith("kernels/classic/")), ...paths].find((one) => line.test(this.files[one]));
    if (!path) return null;
    const lines = this.files[path].split("\n"), at = lines.findIndex((text) => line.test(`${text}\n`));
    return { kernel: path.slice("kernels/".length, -".hd".length), line: at + 1, text: lines[at].split(";")[0].trim().replace(/\s+/g, " ") };
  }

  // A board that ships, or an edited one under its name.
  board(name, text = this.files[`configs/${name}.yaml`]) {
    if (text === undefined) throw new Error(`no board is called '${name}'`);
    return { text, ...this.looks.board(name, text) };
  }

  // Diagnostics, names and cases of a text. A kernel that does not assemble has an error and no more.
  look(name, source) {
    let program;
    try {
      program = this.looks.load(name, source);
    } catch (e) {
      return { error: e.message, lint: "", kernels: [], names: [], code: [], cases: [] };
    }
    const { errors, cases } = this.ask("cases", { name, text: source });
    return { error: errors.join("\n") || null, ...program, cases };
  }

  // True if a file beside a kernel may have this path: no link elsewhere, and no file of the page's own.
  free(path) {
    const parts = path.split("/"), above = parts.map((_, i) => parts.slice(0, i).join("/"));
    return parts.every((part) => part && part !== "." && part !== "..") && !OWN.test(path) &&
      !(Object.hasOwn(this.files, path) && !path.endsWith(".hd")) && !above.some((folder) => Object.hasOwn(this.files, folder)) &&
      !Object.keys(this.files).some((file) => file.startsWith(`${path}/`));
  }

  // A message without the folder that holds lessons of one's own.
  named(text) { return this.course ? text.replaceAll(`${this.course}/`, "") : text; }

  // Takes lessons from files of a folder, {path: text}, or with null those that ship: their rows, or {faults}.
  own(files) {
    if (!files) return this.ask("own");
    const places = Object.keys(files).flatMap((path) => path.match(/^(.*\/)?(\d[^/]*-[^/]*)\/[^/]+$/)?.slice(1, 3).join("") ?? []);
    const names = [...new Set(places.map((place) => place.split("/").at(-1)))].sort();
    this.courses = (this.courses ?? 0) + 1; // a file of an earlier folder must not stand in for one that is missing
    this.course = `own/${this.courses}`;
    for (const [path, text] of Object.entries(files)) {
      const [, name, file] = path.match(/(?:^|\/)(\d[^/]*-[^/]*)\/([^/]+)$/) ?? [];
      if (name) this.heddle.put(`${this.course}/${name}/${file}`, text);
    }
    const { faults, lessons } = this.ask("own", { folder: this.course, names });
    return { faults: faults.map((text) => this.named(text)), lessons };
  }

  // Files beside a kernel, that it includes. One that stands for a kernel that ships does so until the next call.
  put(files) {
    const wrong = Object.keys(files).find((path) => !this.free(path));
    if (wrong !== undefined)
      throw new Error(`'${wrong}' is no place for a file beside a kernel; expected a path such as 'lib/mine.hd'`);
    for (const path of this.replaced) this.heddle.put(path, this.files[path]);
    this.replaced = Object.keys(files).filter((path) => Object.hasOwn(this.files, path));
    for (const [path, text] of Object.entries(files))
      for (const folder of ["", HAND_IN]) this.heddle.put(folder + path, text);
  }

  // A case of the kernel's own on a board. A fault is an answer, too: the case may expect it.
  // `settings`: assignments to the board, with a space between two.
  run({ name, source, case: which = "", board, settings = "", warp = 0, watch = 0, limit = 0, check = false }) {
    this.heddle.reset();
    this.heddle.board(board.name, board.text);
    this.heddle.set(settings);
    const program = this.heddle.load(name, source), found = this.heddle.case(String(which));
    const result = this.heddle.run({ warp, watch, limit, check });
    return { ...result, program, case: found };
  }

  // Cycles of a case on a board with these settings, and its advice; without cycles the fault that it ends with. The last run stays.
  time({ name, source, case: which = "", board, settings = "", warp = 0, limit = 0 }) {
    this.tries.reset();
    this.tries.board(board.name, board.text);
    this.tries.set(settings);
    this.tries.load(name, source);
    this.tries.case(String(which));
    const { cycles, warp_instructions: instructions, fault, advice } = this.tries.run({ warp, limit });
    return { cycles: fault ? null : cycles, instructions, fault: fault?.kind ?? null, advice: advice ?? [] };
  }

  events(from, count) { return this.heddle.events(from, count); }
  columns(from, count) { return columns(this.heddle.rows(from, count), this.heddle.words); }
  state(block, warp, before) { return this.heddle.state(block, warp, before); }

  // What the debugger answers, at {block, warp, event}: {text, block, warp, event}, its cursor after that.
  debug(command, at) { return this.heddle.debug(command, at); }

  // Sets these stops of the debugger and no others: {number, text} of each, or {wrong}.
  stops(list) {
    this.heddle.debug("delete");
    return list.map(({ command, at }) => {
      try {
        const { text } = this.heddle.debug(command, at);
        return { text, number: +text.match(/\d+/)[0] };
      } catch (e) {
        return { wrong: e.message };
      }
    });
  }

  // Buffers of the last run, and elements that differ from what its case expected, [["y", 249]].
  memory() { return { buffers: this.heddle.buffers(), wrong: this.ask("wrong") }; }

  // A part of an array of contents.js: what lanes did to it, and the bytes of a buffer before and after the run.
  part({ array, first, count, block }) {
    const { name, size, address, shared } = array, from = first * size, bytes = count * size;
    const cut = (data) => data && data.slice(from, from + bytes);
    return {
      touches: this.heddle.touches({ shared, block, from: address + from, count: bytes }),
      before: shared ? null : cut(this.heddle.before(name)), after: shared ? null : cut(this.heddle.data(name))
    };
  }

  // The grade of a text against a lesson; reasons call it mine.hd. It may include the files beside it, none of the page's.
  grade(lesson, source, seed) {
    this.heddle.put(`${HAND_IN}mine.hd`, source);
    return this.ask("grade", { lesson, file: `${HAND_IN}mine.hd`, name: "mine.hd", seed });
  }

  // Parts of the page of `heddle report` of a result, as HTML: {memory, speed}.
  report({ board, cycles, seconds, metrics, traffic }) {
    return this.ask("report", { board, cycles, seconds, metrics, traffic });
  }

  predict(lesson, text, seed) { return this.ask("predict", { lesson, text, seed }); }

  // What is drawn of a lesson for a student's name: {starter, words}.
  variant(lesson, seed) { return this.ask("variant", { lesson, seed }); }

  // Proves whether two kernels leave the same for all data, at the sizes of a case of the first.
  prove(first, second, { case: which = 1, warp } = {}) {
    for (const { name, source } of [first, second]) this.heddle.put(name, source);
    return this.ask("prove", { names: [first.name, second.name], case: which, warp });
  }
}
