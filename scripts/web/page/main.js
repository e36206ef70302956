// The page. What its parts share is `app`; each part is a module of one function:
//
//   export function create(root, app)     fills the element `root` once, and returns {update(state)}
//
// `update` is called while its panel is open: after each run, each move of the cursor, and when the panel is opened. A part
// that must know of more listens by `app.on`. Each part is a row of panels.js.
//
//   app.client            the engine, each method a promise (client.js)
//   app.words             kinds of events, stalls, instructions, registers (engine.js)
//   app.reference         tables of the documentation, by scripts/web/reference.js
//   app.lessons           the lessons, {number, name, title, about, kernel, board, html, hints, starter}
//   app.state             below; its parts are replaced, never changed in place
//   app.on(event, f)      "run": a run has ended, "kept": one is kept, "move": the cursor, "edit": the kernel's text, "look": state.program,
//                         "lesson": state.lesson, "theme": light or dark; f(state)
//   app.text()            the kernel as it is in the editor
//   app.load({name, text, lesson})    loads another kernel into the editor, such as a lesson's starter
//   app.run()             runs it, as the button does; a promise
//   app.busy(work)        runs a long call of the engine, which Stop ends; a promise of the answer of work(client)
//   app.move({index, block, warp})    moves the cursor; what is absent stays
//   app.debug(line), app.toggle(line)    a command of the debugger; a breakpoint at a line (debugger.js)
//   app.line(number)      marks a line of the editor and scrolls there
//   app.open(id)          opens the panel of a tab: "lesson", "access"
//   app.find(query)       searches the tab Language
//   app.say(sentence, "bad")          shows a sentence below the header, read by screen readers; "bad": no success
//
//   state.name, state.lesson        of the kernel in the editor: "kernels/classic/saxpy.hd"; a number or null
//   state.case, state.warp          what to run: "1"; lanes of a warp, 0: the board's
//   state.board                     {name, text, values, peaks, warnings, edited}
//   state.without                   names of the losses that runs leave out (ideal.js)
//   state.program                   answer of `look` on the present text: error, lint, code, names, cases
//   state.result                    of the last run, or null; with source, the text that ran, and program
//   state.arrays, state.wrong       buffers and shared variables of that run (contents.js); elements that differ from what was
//                                   expected, [["y", 249]]
//   state.record                    its events in short (record.js), or null
//   state.kept                      a run to compare with (kept.js), or null
//   state.index, state.at           the cursor: the number of events before it; the current warp {block, warp}
//   state.machine                   registers, masks and stall of that warp there (the engine's `state`), or null
//   state.next                      {index, pc, cycle} of the warp's next issue, or null at its end
//   state.access                    {event, lines: [events]} of the warp's last access before the cursor, or null
//
// Helpers are in dom.js: h, s (SVG), table, wide, number, hex, lanes (of a mask). Colours are tokens of
// scripts/report/common.css and page.css: --s1 to --s8 for series, --paper, --panel, --ink, --quiet, --line, --link, --bad, --good.
import { App } from "./app.js";
import { Client } from "./client.js";
import { diagnostics } from "./diagnostics.js";
import { copied, h, number } from "./dom.js";
import { kernelEditor } from "./editor.js";
import { embed, embedded, frameButton } from "./embed.js";
import { create as createHeader } from "./header.js";
import { createHelp } from "./help.js";
import { listen } from "./keys.js";
import { heat } from "./pictures/counters.js";
import { INSIDE, LEFT, RIGHT } from "./panels.js";
import { addressed, checked, decode, encode } from "./share.js";
import { split } from "./split.js";
import { forget, keep, kept } from "./store.js";
import { Tabs } from "./tabs.js";
import { failed, verdict } from "./problems.js";
import { language, own, t } from "./words.js";

const PAUSE = 250; // ms without a key, before the text is looked at
const element = (id) => document.getElementById(id);

// ---- links ----

const LINK = /^#\d/; // ignores other fragments

// Collects the contents of a link.
function carried(app) {
  const { name, lesson, board, case: which, warp, record, at, files } = app.state;
  return {
    source: app.text(), name, lesson: app.course ? null : lesson, warp, version: app.version,
    board: board.edited ? { name: board.name, text: board.text } : board.name,
    case: which === "1" ? null : which,
    step: record ? app.steps() : null,
    at: record ? `${at.block}.${at.warp}` : null,
    beside: app.panels?.id, picture: app.pictures?.id,
    files: Object.keys(files).length ? files : null
  };
}

async function share(app) {
  try {
    const link = await encode(carried(app));
    history.replaceState(null, "", addressed("lang", language).replace(/#.*|$/, link));
    const done = await copied(location.href);
    app.say(t`${done ? t`Copied a link` : t`The link is in the address bar`}, ${number(link.length)} characters. It holds the kernel, the board, the step and the open tabs. `);
    element("said").append(frameButton(app));
  } catch (e) {
    app.say(e.message);
  }
}

// The board of a link; a sentence where this page does not take it.
const boardOf = async (app, { name, text }) => app.setBoard(name, text).then(() => null, ({ message }) =>
  t`The board of this link is not taken, and ${app.state.board.name} is in its place: ${diagnostics(message)[0].message}`);

async function openLink(app, given) {
  const { source, board, step, at, lesson, version, beside, picture, ...rest } = given;
  const known = app.lessons.find(({ number }) => number === lesson), text = source ?? known?.starter;
  if (text === undefined)
    throw new Error(t`This link wants lesson ${lesson}, and this page has lessons 1 to ${app.lessons.length}.`);
  await app.load({ ...rest, text, lesson: known ? lesson : null });
  const lost = board ? await boardOf(app, board) : null;
  if (step !== undefined || at !== undefined || embedded()) {
    await app.run();
    const [block, warp] = (at ?? "0.0").split(".").map(Number);
    if (app.state.record?.of(block, warp)) await app.move({ block, warp });
    if (step !== undefined) await app.place(step, at === undefined);
  }
  for (const [group, id] of [[app.panels, beside], [app.pictures, picture]]) if (group.has(id)) group.open(id);
  if (lost) app.say(lost, "bad");
  else if (version && version !== app.version)
    app.say(t`This link was made by heddle ${version}, and this page is ${app.version}: cycles and counts may differ.`);
}

// Loads the kernel of the address, or the first one, and runs it.
async function begin(app) {
  let said = "";
  try {
    const last = embedded() ? null : kept(location.hash), link = LINK.test(location.hash) ? location.hash : "";
    const given = last ? checked(last) : await decode(link);
    if (given) await openLink(app, given);
    if (last) keep(last, location.hash); // another kernel in the editor has put it away
    if (last) app.say(t`The kernel is as you left it.`);
    if (given) return;
  } catch (e) {
    said = e.message;
  }
  await app.first();
  await app.run();
  app.view("code");
  if (said) app.say(t`${said} This is ${app.state.name} instead.`);
}

// ---- the page ----

// Finds what a name of the kernel stands for.
function named(app, word) {
  const row = app.state.program?.names.find(({ name }) => name === word);
  if (!row || row.kind === "label") return row ? t`label ${word}` : null;
  return t`${row.kind} ${row.kind === "register" ? "r" : "p"}${row.number} of ${row.kernel}`;
}

function show(app) {
  const { next, machine, stale, result } = app.state;
  const row = next && machine && !stale && result.program.code[next.pc];
  app.line(row && !row.file ? row.line : null);
}

function buildEditor(app) {
  let timer;
  const changed = () => {
    app.set({ stale: true }, "edit");
    clearTimeout(timer);
    if (!embedded()) keep(carried(app), location.hash);
    timer = setTimeout(() => app.look(), PAUSE);
  };
  app.editor = kernelEditor(element("editor"), app.words, { run: () => app.run(), names: (word) => named(app, word), changed,
    press: (line) => app.toggle(line) });
}

// On a narrow screen one of two columns is seen.
function buildViews(app) {
  const button = (view, title) => h("button", { type: "button", "data-view": view, onclick: () => app.view(view) }, title);
  const views = h("nav", { id: "views", "aria-label": t`Views` }, button("code", t`Kernel`), button("inside", t`Recording`));
  document.querySelector("main").before(views);
  app.view = (view) => {
    document.body.dataset.view = view;
    for (const one of views.children) one.setAttribute("aria-pressed", one.dataset.view === view);
  };
  app.view("code");
  document.querySelector(".skip").onclick = (event) => {
    event.preventDefault(); // the address is the kernel's
    app.view("inside");
    element("inside").focus();
  };
}

function buildPanels(app) {
  app.panels = new Tabs(element("beside"), t`Beside the kernel`, LEFT, app);
  app.pictures = new Tabs(element("pictures"), t`Pictures`, RIGHT, app);
  app.open = (id) => {
    const group = app.panels.has(id) ? app.panels : app.pictures;
    app.view(group === app.panels ? "code" : "inside");
    group.open(id);
  };
  element("editor").after(split(element("code"), { label: t`Room for the editor`, share: 58 }));
  element("values").after(split(element("inside"), { label: t`Room for the registers`, share: 50 }));
  const main = document.querySelector("main");
  element("code").after(split(main, { label: t`Room for the kernel`, share: 46, across: true }));
}

// Shows the outcome of a run: in the line below the header, beside the kernel, and for an error in its panel.
function ended(app) {
  const { result } = app.state, wrong = failed(app.state);
  app.editor.costs(result?.lines ? heat(result, app.words.stalls) : []);
  if (result) app.view("inside");
  app.say(verdict(app.state, app.ideals), wrong ? "bad" : "");
  if (wrong && app.panels.id !== "lesson") app.open("problems");
}

function build(app) {
  app.saying = (sentence, kind = "") => Object.assign(element("said"), { textContent: sentence, className: kind });
  buildEditor(app);
  buildViews(app);
  const help = createHelp(app);
  createHeader(element("head"), app, { share: () => share(app), help: () => help.showModal() });
  if (embedded()) embed(element("head"));
  const parts = INSIDE.map(({ id, place, create }) => create(element(place).appendChild(h("section", { id })), app));
  buildPanels(app);
  const update = () => {
    show(app); // first: the editor reads its selection, a layout after each change of the page
    for (const part of [...parts, app.panels, app.pictures]) part.update(app.state);
  };
  app.on("run", () => {
    update();
    ended(app);
  });
  for (const event of ["move", "kept"]) app.on(event, update);
  app.on("edit", () => show(app));
  app.on("lesson", forget); // what is in the editor now can be loaded again
  listen(app);
}

export let app; // for tests of the page in a browser

export async function start(given) {
  const client = new Client(given.worker, { wasm: given.wasm, files: given.files });
  const opened = await client.open();
  const lessons = opened.lessons.map((row) => ({ ...row, ...given.lessons[row.name], ...given.lessons[row.name]?.[language] }));
  const said = ({ title, doc, ...row }) => ({ ...row, ...title && { title: own(title) }, doc: own(doc) });
  app = new App(client, { ...opened, lessons, ideals: opened.ideals.map(said), words: { ...opened.words, stalls: opened.words.stalls.map(said) } });
  app.licences = given.licences;
  app.reference = given.reference;
  for (const [place, text] of [[".skip", t`To the recording`], ["#code > h2", t`Kernel`], ["#inside > h2", t`Recording`]])
    document.querySelector(place).textContent = text;
  for (const [id, text] of [["code", t`Kernel`], ["inside", t`Recording`]]) element(id).setAttribute("aria-label", text);
  document.documentElement.lang = { zh: "zh-Hans" }[language] ?? language;
  build(app);
  document.documentElement.dataset.ready = "yes";
  await begin(app);
  document.documentElement.dataset.begun = "yes";
  addEventListener("hashchange", () => (LINK.test(location.hash) || !location.hash) && begin(app));
}
