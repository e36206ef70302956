// The lessons' panel: a list, then a lesson with its question, its grade, and hints that open one by one.
import { dropped, opened, take } from "./course.js";
import { copied, h, wide } from "./dom.js";
import { handIn } from "./hand_in.js";
import { Progress } from "./progress.js";
import { filled, t } from "./words.js";

const REFERENCE = /^\d\d-[\w-]+\.md$/; // a link from a lesson to another one

// ---- words ----

const STATUS = {
  passed: { sign: "✓", word: t`passed`, class: "good" },
  failed: { sign: "✗", word: t`not passed`, class: "bad" }
};

// A gate as a row: {sign, name, word, class, text}. The text of the failed gate is the reason of the verdict. A gate
// that did not run, or could not decide, has a status of its own.
export function gateRow({ name, status, text }) {
  const known = STATUS[status] ?? { sign: "–", word: status, class: "quiet" };
  return { ...known, name, text: status === "failed" ? "" : text ?? "" };
}

// The verdict, as `heddle lesson N --check` begins.
export function verdict(number, { status, gate }) {
  if (status === "passed") return t`Lesson ${number}: passed.`;
  return status === "broken" ? t`Lesson ${number}: the kernel cannot be read.` : t`Lesson ${number}: not passed, at '${gate}'.`;
}

const TRIES = 2; // predictions before the number is given

export function answer(text, { right, found }, tries) {
  if (right) return t`${found} is right.`;
  return tries < TRIES ? t`${text} is not what happens. Try once more.` : t`${text} is not what happens: it is ${found}.`;
}

// The reason of a grade: a message with its source line stands as heddle aligned it, another one leads to its line.
function reasonOf({ status, reason }, go) {
  if (status === "passed") return [];
  if (reason.includes("\n")) return [h("pre", { tabindex: 0, role: "region", "aria-label": t`Reason` }, reason)];
  reason = filled(reason);
  const [, before, line, after] = reason.match(/^(.*?)\bline (\d+)\b(.*)$/) ?? [null, reason, null, ""];
  const link = line && h("button", { type: "button", class: "link", onclick: () => go(+line) }, t`line ${line}`);
  return [h("p", {}, before, link, after)];
}

function gatesOf({ gates }) {
  return h("ul", { class: "gates" }, gates.map(gateRow).map(({ sign, word, name, text, class: kind }) =>
    h("li", {}, h("b", { class: kind, "aria-hidden": "true" }, `${sign} `), h("b", {}, name), `: ${word}${text ? `, ${text}` : ""}`)));
}

// ---- the text of a lesson ----

// Replaces the command for a prediction by a box for it, and links to files that this page lacks by their words.
function prepare(html, { box, lessonOf, open }) {
  const text = h("div", { class: "prose" });
  text.innerHTML = html;
  [...text.querySelectorAll("pre, table")].forEach((block, k) => {
    if (block.textContent.includes("--predict")) return block.replaceWith(box);
    const around = wide(t`${block.tagName === "PRE" ? t`Code` : t`Table`}, block ${k + 1} of the lesson`);
    block.replaceWith(block.textContent.startsWith("$ ") ? h("details", {}, h("summary", {}, t`In a terminal`), around) : around);
    around.append(block);
  });
  for (const link of text.querySelectorAll("a")) {
    const href = link.getAttribute("href"), lesson = REFERENCE.test(href) ? lessonOf(href.replace(".md", "")) : null;
    if (lesson) link.replaceWith(h("button", { type: "button", class: "link", onclick: () => open(lesson.number) }, link.textContent));
    else if (!/^https?:/.test(href)) link.replaceWith(link.textContent);
  }
  text.querySelector("h1")?.remove();
  return text;
}

const ABOUT = t`Each has one idea, a kernel to begin with, a number to predict, and a grade for right results and counts, never for time.`;
const FOLDER = t`A folder of lessons of your own, as 'heddle lesson --lessons' takes it, can be dropped here, too. It stays until the page is closed.`;
const FIRST = t`Predict first: hints open after that.`;

// ---- the panel ----

class Panel {
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.progress = new Progress(() => localStorage);
    this.number = null;
    this.hints = 0;
    this.said = h("div", { class: "grade", role: "status" });
    app.on("lesson", (state) => this.follow(state));
    app.on("edit", (state) => this.remember(state));
  }

  // Draws numbers by this name; undefined: those of everyone.
  seed() { return this.progress.of("seed").name || undefined; }

  lesson() { return this.app.lessons.find(({ number }) => number === this.number); }

  // Follows the editor to another kernel.
  follow({ lesson }) {
    if (lesson !== null && lesson !== this.number) this.open(lesson);
    else if (this.number !== null) this.showButtons();
  }

  // The kernel of a lesson is kept once it is changed: one that a link brought leaves the last one alone.
  remember({ lesson }) {
    const row = this.app.lessons.find(({ number }) => number === lesson), text = row && this.app.text();
    if (row && text !== this.app.original) this.progress.keep(row.name, { text });
  }

  // ---- the list ----

  // Sets other contents, whose heading gets the focus if the old one had it.
  fill(heading, before, ...behind) {
    const own = this.root.contains(document.activeElement), title = h("h3", { tabindex: -1 }, heading);
    this.root.replaceChildren(...before, title, ...behind);
    if (own) title.focus();
  }

  list() {
    this.number = null;
    const done = this.app.lessons.filter(({ name }) => this.progress.of(name).passed).length;
    this.fill(t`Lessons`, [],
      h("p", {}, t`${ABOUT} ${done} of ${this.app.lessons.length} passed; this browser remembers it.`),
      h("p", {}, h("label", {}, t`Your name, for numbers of your own `, h("input", { type: "text", size: 16, maxlength: 64,
        value: this.seed() ?? "", onchange: ({ target }) => this.progress.keep("seed", { name: target.value.trim() }) }))),
      h("ol", { class: "lessons" }, this.app.lessons.map((lesson) => this.row(lesson))), this.folder());
  }

  // Lessons of a folder in place of these: by a button, or dropped on the panel.
  folder() {
    const wrong = h("pre", { class: "bad wrong", role: "status" });
    const put = async (files) => {
      try {
        const given = await files;
        this.list();
        await take(this.app, given);
        this.list();
      } catch (e) {
        this.root.querySelector("pre.wrong").replaceChildren(e.message);
      }
    };
    const field = h("input", { type: "file", id: "course", webkitdirectory: true, hidden: true, onchange: () => put(opened(field.files)) });
    const button = (text, onclick) => h("button", { type: "button", onclick }, text);
    this.root.ondragover = (event) => event.preventDefault();
    this.root.ondrop = (event) => {
      event.preventDefault();
      put(dropped(event.dataTransfer));
    };
    return h("div", {}, h("div", { class: "tools" }, button(t`Lessons from a folder…`, () => field.click()), field,
      this.app.course ? button(t`The lessons of heddle`, () => put(null)) : null), h("p", { class: "about" }, FOLDER), wrong);
  }

  row({ number, title, name, about }) {
    const words = title.replace(/^Lesson \d+: /, "");
    return h("li", { value: number }, h("button", { type: "button", class: "link", onclick: () => this.open(number) }, words),
      this.progress.of(name).passed ? h("b", { class: "good" }, t` ✓ passed`) : null, h("div", { class: "about" }, about));
  }

  // ---- a lesson ----

  open(number) {
    this.number = number;
    this.hints = 0;
    const lesson = this.lesson();
    this.buttons = h("div", { class: "tools" });
    this.hintsRoot = h("div", { class: "hints" });
    this.showButtons();
    this.showHints();
    const text = prepare(lesson.html, { box: this.box(), open: (to) => this.open(to),
      lessonOf: (name) => this.app.lessons.find((row) => row.name === name) });
    this.fill(lesson.title, [this.bar()], this.buttons, this.said,
      text, h("h3", {}, t`Hints`), this.hintsRoot);
    this.said.replaceChildren(); // what had the focus may have been in it
    this.root.scrollTop = 0;
  }

  bar() {
    const go = (to, label) => h("button", { type: "button", onclick: () => this.open(to),
      disabled: to < 1 || to > this.app.lessons.length }, label);
    const all = h("button", { type: "button", onclick: () => this.list() }, t`All lessons`);
    return h("nav", { class: "tools", "aria-label": t`Lessons` }, all, go(this.number - 1, t`Previous`), go(this.number + 1, t`Next`));
  }

  showButtons() {
    const { name, starter } = this.lesson(), { text } = this.progress.of(name), here = this.app.state.lesson === this.number;
    const button = (words, onclick, kind = null) => h("button", { type: "button", class: kind, onclick }, words);
    const last = text && !(here && this.app.text() === text);
    const focused = [...this.buttons.children].find((one) => one === document.activeElement);
    this.buttons.replaceChildren(button(here ? t`Start again` : t`Start`, () => this.start(starter)),
      ...last ? [button(t`Take my last kernel`, () => this.start(text))] : [],
      ...here ? [button(t`Hand in`, () => this.handIn())] : [],
      button(t`Check`, () => this.check(), here ? "main" : null));
    if (focused) this.buttons[focused.textContent === t`Check` ? "lastChild" : "firstChild"].focus();
  }

  async start(given) {
    const { number, kernel, starter } = this.lesson(), own = given === starter && this.seed();
    if (this.app.state.lesson === null && !this.app.leaves()) return; // a lesson's kernel is kept
    const text = own ? (await this.app.client.variant(number, own)).starter : given;
    await this.app.load({ name: "mine.hd", text, lesson: number });
    this.showButtons();
    await this.app.run();
    this.app.say(t`The kernel '${kernel}' of lesson ${number} is in the editor, and has run.`);
  }

  // ---- the prediction ----

  box() {
    const lesson = this.lesson(), said = h("output", { "aria-live": "polite" }), seed = this.seed(), mine = h("p");
    if (seed) this.app.client.variant(lesson.number, seed).then(({ words }) => mine.replaceChildren(words));
    const field = h("input", { type: "text", inputmode: "decimal", id: "prediction", autocomplete: "off", size: 8, maxlength: 24,
      value: this.progress.of(lesson.name).predicted });
    const ask = async (event) => {
      event.preventDefault();
      const text = field.value.replace(/[\s,]/g, ""); // "65,536"
      if (!Number.isFinite(Number(text)) || text === "") return said.replaceChildren(t`Type a number.`);
      said.replaceChildren(t`Running…`);
      try {
        const found = await this.app.client.predict(lesson.number, text, seed), tries = (this.progress.of(lesson.name).tries ?? 0) + 1;
        this.progress.keep(lesson.name, { predicted: text, tries, answered: found.right || tries >= TRIES });
        said.replaceChildren(h("b", { class: found.right ? "good" : "bad" }, found.right ? "✓ " : "✗ "), answer(text, found, tries));
        this.showHints();
      } catch (e) {
        said.replaceChildren(e.message);
      }
    };
    return h("form", { class: "predict", onsubmit: ask }, seed ? mine : null, h("label", { for: "prediction" }, t`Your prediction `), field, " ",
      h("button", {}, t`Ask`), " ", said);
  }

  // ---- the grade ----

  async check() {
    const lesson = this.lesson(), { app } = this;
    this.said.replaceChildren(h("p", {}, t`Grading: all cases at all widths…`));
    let result;
    try {
      result = await app.busy((client) => client.grade(lesson.number, app.text(), this.seed()));
    } catch (e) {
      return this.said.replaceChildren(h("p", { class: "bad" }, e.message));
    }
    const attempts = (this.progress.of(lesson.name).attempts ?? 0) + 1;
    this.progress.keep(lesson.name, { attempts, ...result.status === "passed" && { passed: true } });
    if (this.number === lesson.number) this.showGrade(lesson, result);
  }

  showGrade(lesson, result) {
    const passed = result.status === "passed", next = this.app.lessons.find(({ number }) => number === lesson.number + 1);
    const button = (words, onclick) => h("button", { type: "button", onclick }, words), rest = [];
    if (!passed) rest.push(h("p", { class: "about" }, t`Gates are tested in turn, up to the first that fails.`));
    if (!passed && result.hint)
      rest.push(button(t`Hint ${result.hint} of ${lesson.hints.length} fits`, () => this.showHints(result.hint)));
    if (passed && next) rest.push(button(t`Next: ${next.title}`, () => this.open(next.number)));
    this.said.replaceChildren(h("p", { class: passed ? "good" : "bad" }, verdict(lesson.number, result)),
      ...reasonOf(result, (line) => this.app.line(line)), gatesOf(result), ...rest);
    this.showButtons();
  }

  // ---- the hand-in ----

  // Shows the kernel as a line for the teacher, and copies it where the browser lets it.
  async handIn() {
    const { number, name } = this.lesson(), { predicted, attempts, opened } = this.progress.of(name);
    const line = handIn({ lesson: number, source: this.app.text(), version: this.app.version, prediction: predicted, attempts,
      hints: opened, seed: this.seed() });
    const field = h("textarea", { readonly: true, rows: 3, "aria-label": t`Hand-in`, onfocus: ({ target }) => target.select() }, line);
    const done = await copied(line);
    this.said.replaceChildren(h("p", {}, t`${done ? t`It is copied. ` : ""}Give this line to your teacher. It holds the kernel as it is now, your prediction, how often you checked, and how many hints you opened.`), field);
    if (!done) field.focus();
  }

  // ---- hints ----

  // Shows the hints up to one; the last gets the focus if requested.
  showHints(upTo = 0) {
    const { hints, name } = this.lesson(), { answered, passed } = this.progress.of(name);
    if (!answered && !passed) {
      this.hintsRoot.replaceChildren(h("p", { class: "about" }, FIRST));
      return upTo ? this.root.querySelector("#prediction")?.focus() : null;
    }
    this.hints = Math.max(this.hints, upTo);
    if (this.hints > (this.progress.of(name).opened ?? 0)) this.progress.keep(name, { opened: this.hints });
    const open = hints.slice(0, this.hints).map((html, k) => {
      const text = h("div");
      text.innerHTML = html;
      return h("section", { tabindex: -1, "aria-label": t`Hint ${k + 1}` }, h("h4", {}, t`Hint ${k + 1}`), text);
    });
    const left = hints.length - this.hints;
    this.hintsRoot.replaceChildren(...open, ...left ? [h("button", { type: "button", onclick: () => this.showHints(this.hints + 1) },
      this.hints ? t`Next hint (${left} more)` : t`First of ${hints.length} hints`)] : []);
    if (upTo) open.at(-1).focus();
  }

  update({ lesson }) {
    if (this.number === null && !this.root.childElementCount) {
      if (lesson !== null) this.open(lesson);
      else this.list();
    }
  }
}

export function create(root, app) {
  const panel = new Panel(root, app);
  return { update: (state) => panel.update(state) };
}
