// The debugger of the command (docs/debug.md): its commands, at the cursor of the page, and stops, which stay from run to run
// and with their lines.
//
//   app.debug("who xv")       a command; shows its answer and moves the cursor; a promise
//   app.toggle(38)            sets a breakpoint at a line of the kernel, or deletes it
import { h } from "./dom.js";
import { t } from "./words.js";

const MOST = 200; // answers that are kept
const SET = /^(b|br|break|wa|watch)\s+\S/, DELETE = /^(d|delete)(\s+(\d+))?$/, LINE = /^(?:b|br|break)\s+(\d+)(?=\s|$)/;
const ABOUT = t`Breakpoints and watches, as 'heddle debug' has them: c continues to the next one, C goes back to the one before. 'help' lists the commands.`;
const BUTTONS = [[t`Continue`, "continue", t`To the next breakpoint of any warp (c)`],
  [t`Continue back`, "reverse continue", t`Back to the breakpoint before (C)`], [t`Why`, "why", t`What this warp waits for`]];

// Stops: {command, at, number, text}, `at` the warp of a watch; without a number those that the last run does not take.
class Stops {
  constructor(app) {
    this.app = app;
    this.list = [];
    app.on("run", ({ record }) => record && this.put());
    app.on("lesson", () => { // another kernel
      this.list = [];
      this.show();
    });
  }

  // Sets all of them anew, each at its line, since a run has a debugger of its own.
  async put() {
    const { record } = this.app.state, lines = new Map(this.app.editor.stops());
    for (const stop of this.list) if (lines.has(stop)) stop.command = stop.command.replace(LINE, `break ${lines.get(stop)}`);
    const answers = await this.app.client.stops(this.list.map(({ command, at: { block, warp } }) =>
      ({ command, at: { block, warp, event: record.of(block, warp)?.issue[0] ?? 0 } })));
    answers.forEach((answer, k) => Object.assign(this.list[k], { number: null, wrong: null }, answer));
    this.show();
  }

  async add(command, at) {
    const { text } = await this.app.client.debug(command, at);
    this.list.push({ command, at, text, number: +text.match(/\d+/)[0] });
    this.show();
    return text;
  }

  // Deletes one, or all.
  async delete(stop) {
    if (stop?.number !== null) await this.app.client.debug(`delete ${stop?.number ?? ""}`);
    this.list = this.list.filter((one) => stop && one !== stop);
    this.show();
    return stop ? t`deleted: ${stop.command}` : t`all are deleted`;
  }

  show() {
    this.app.editor.showStops(this.list.flatMap((stop) => LINE.test(stop.command) ? [[+stop.command.match(LINE)[1], stop]] : []));
    this.app.tell("stops");
  }
}

// Returns the answer to a command, and the place where it ends.
async function answered(app, stops, line) {
  const { at, index, record } = app.state, place = { block: at.block, warp: at.warp, event: index };
  if (!record) throw new Error(t`nothing has run: Run comes first`);
  if (/^(v|view|q|quit|exit)$/.test(line)) throw new Error(t`'${line}' is for terminals`);
  if (SET.test(line)) return { text: await stops.add(line, place) };
  const [, , , number] = line.match(DELETE) ?? [], stop = number && stops.list.find((one) => one.number === +number);
  return DELETE.test(line) && (stop || !number) ? { text: await stops.delete(stop) } : app.client.debug(line, place);
}

export function create(root, app) {
  const stops = new Stops(app), said = [], list = h("ul", { class: "stops" }), log = h("pre", { class: "log", role: "log", tabindex: 0,
    "aria-label": t`Answers of the debugger` });
  const field = h("input", { type: "text", id: "debug-line", autocomplete: "off", autocapitalize: "off", spellcheck: "false", size: 28,
    placeholder: "break 38 if xv[2] == 0" });

  function say(line, text) {
    said.push(`> ${line}\n${text.trimEnd()}`);
    said.splice(0, said.length - MOST);
    log.textContent = said.join("\n");
    log.scrollTop = log.scrollHeight;
  }

  app.debug = async (line) => {
    try {
      const { text, event, block, warp } = await answered(app, stops, line);
      say(line, text);
      app.say(text.split("\n")[0]);
      if (event !== undefined) await app.move({ index: event, block, warp });
    } catch (e) {
      say(line, e.message);
      app.say(e.message, "bad");
    }
  };
  app.toggle = (line) => {
    const [, stop] = app.editor.stops().map(([one, at]) => [at, one]).find(([at]) => at === line) ?? [];
    return stop ? stops.delete(stop) : app.debug(`break ${line}`);
  };

  const button = (text, onclick, title) => h("button", { type: "button", onclick, title }, text);
  const row = (stop) => h("li", {}, h("code", {}, stop.command), stop.wrong ? `: ${stop.wrong} ` : stop.number ? ` (${stop.number}) ` : " ",
    button(t`Delete`, () => stops.delete(stop), t`Delete ${stop.command}`));
  app.on("stops", () => list.replaceChildren(...stops.list.map(row)));
  const ask = (event) => {
    event.preventDefault();
    const line = field.value.trim() || "step";
    field.value = "";
    return app.debug(line);
  };
  root.append(h("p", { class: "about" }, ABOUT), h("div", { class: "tools" }, BUTTONS.map(([text, line, title]) => button(text, () => app.debug(line), title)),
    button(t`Break at the editor's line`, () => app.toggle(app.editor.line()), t`A breakpoint there, or none (k); a click on a line's number, too`)),
  h("form", { class: "tools", onsubmit: ask }, h("label", { for: "debug-line" }, t`Command `), field, " ", h("button", {}, "Do")), list, log);
  return { update() {} };
}
