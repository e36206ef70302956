// The line above: what to run, on which board, and the buttons.
import { h, plural } from "./dom.js";

const option = (value, title, chosen) => h("option", { value, selected: String(value) === String(chosen) }, title ?? value);

// Kernels by folder; the one that is in the editor stands first if it is none of them.
function kernelOptions(app) {
  const { name, lesson } = app.state, folders = new Map();
  const chosen = lesson !== null ? `lesson ${lesson}` : name.replace(/^kernels\/(.*)\.hd$/, "$1");
  for (const kernel of app.kernels.filter((k) => !k.startsWith("lessons/"))) {
    const folder = kernel.split("/")[0];
    folders.set(folder, [...(folders.get(folder) ?? []), kernel]);
  }
  const own = lesson === null && !app.kernels.includes(chosen);
  return [own ? option("", name) : null,
    h("optgroup", { label: "Lessons" }, app.lessons.map(({ number, title }) =>
      option(`lesson ${number}`, `${number}. ${title}`, chosen))),
    ...[...folders].map(([folder, kernels]) => h("optgroup", { label: folder }, kernels.map((k) => option(k, k.slice(folder.length + 1), chosen))))];
}

function caseOptions({ program, case: chosen }) {
  const cases = program?.cases ?? [];
  return cases.length ? cases.map(({ number, name, text }) => option(number, `${number}: ${name ?? text.replace(/^run /, "")}`, chosen))
    : [option(chosen, "none")];
}

function widthOptions({ program, case: which, warp, board }) {
  const widths = program?.cases.find(({ number }) => String(number) === which)?.widths ?? [];
  const own = board?.values.find(({ key }) => key === "warp_width")?.value;
  return [option(0, own ? `${own}, the board's` : "the board's", warp), ...widths.map((w) => option(w, plural(w, "lane"), warp))];
}

const field = (label, select) => h("label", {}, h("span", {}, label), select);

// A theme that is chosen stays for this page; without one it is that of the computer.
function themeButton(app) {
  const dark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const button = h("button", { type: "button", id: "theme", onclick: () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    show();
    app.tell("theme");
  } });
  const show = () => { button.textContent = dark() ? "Light" : "Dark"; button.title = `Change to the ${dark() ? "light" : "dark"} theme`; };
  show();
  return button;
}

export function create(root, app, { share, help }) {
  const kernel = h("select", { id: "kernel", onchange: () => app.choose(kernel.value) });
  const which = h("select", { id: "case", onchange: () => { app.set({ case: which.value }, "edit"); show(); } });
  const board = h("select", { id: "board", onchange: () => app.setBoard(board.value) });
  const warp = h("select", { id: "warp", onchange: () => app.set({ warp: +warp.value }, "edit") });
  const run = h("button", { type: "button", id: "run", class: "main", title: "Run the kernel (Ctrl-Enter)", onclick: () => app.run() }, "Run");
  const stop = h("button", { type: "button", id: "stop", disabled: true, title: "End the run", onclick: () => app.stop() }, "Stop");
  root.append(
    h("div", { class: "choices" }, field("Kernel", kernel), field("Case", which), field("Board", board), field("Warp", warp)),
    h("div", { class: "buttons" }, run, stop,
      h("button", { type: "button", id: "share", title: "A link with this kernel, board and step", onclick: share }, "Share"),
      themeButton(app), h("button", { type: "button", id: "help", onclick: help }, "Help")));

  const show = () => {
    const { state } = app;
    kernel.replaceChildren(...kernelOptions(app).filter(Boolean));
    which.replaceChildren(...caseOptions(state));
    warp.replaceChildren(...widthOptions(state));
    board.replaceChildren(...app.boards.map((name) => option(name, state.board?.name === name && state.board.edited ? `${name}, edited` : name, state.board?.name)));
  };
  for (const event of ["look", "board", "lesson"]) app.on(event, show);
  app.on("running", ({ running }) => {
    run.setAttribute("aria-disabled", running);
    stop.disabled = !running;
  });
}
