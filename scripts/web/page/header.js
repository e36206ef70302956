// The header: the case, the board, and the buttons.
import { h, plural } from "./dom.js";
import { addressed } from "./share.js";
import { LANGUAGES, choose, language, t } from "./words.js";

const option = (value, title, chosen) => h("option", { value, selected: String(value) === String(chosen) }, title ?? value);
const group = (label, options) => h("optgroup", { label }, options);

// Lessons, then kernels by folder. The one that is in the editor stands first if it is none of them.
function kernels({ kernels: all, lessons, state: { name, lesson } }) {
  const chosen = lesson !== null ? `lesson ${lesson}` : name.replace(/^kernels\/(.*)\.hd$/, "$1"), folders = new Map();
  for (const kernel of all.filter((k) => !k.startsWith("lessons/"))) {
    const [folder, ...rest] = kernel.split("/");
    folders.set(folder, [...folders.get(folder) ?? [], option(kernel, rest.join("/"), chosen)]);
  }
  return [...lesson === null && !all.includes(chosen) ? [option("", name)] : [],
    group(t`Lessons`, lessons.map(({ number, title }) => option(`lesson ${number}`, title, chosen))),
    ...[...folders].map(([folder, options]) => group(folder, options))];
}

function cases({ state: { program, case: chosen } }) {
  const all = program?.cases ?? [], title = ({ number, name, text }) => `${number}: ${name ?? text.replace(/^run /, "")}`;
  return all.length ? all.map((row) => option(row.number, title(row), chosen)) : [option(chosen, "none")];
}

const boards = ({ boards: all, state: { board } }) =>
  all.map((name) => option(name, board?.edited && board.name === name ? `${name}, edited` : name, board?.name));

function widths({ state: { program, case: which, warp, board } }) {
  const known = program?.cases.find(({ number }) => String(number) === which)?.widths ?? [];
  const own = board?.values.find(({ key }) => key === "warp_width")?.value;
  return [option(0, own ? t`${own}, the board's` : t`the board's`, warp), ...known.map((w) => option(w, plural(w, "lane"), warp))];
}

// {id, title, options(app), choose(app, value)}
const CHOICES = [
  { id: "kernel", title: t`Kernel`, options: kernels, choose: (app, value) => app.choose(value) },
  { id: "case", title: t`Case`, options: cases, choose: (app, value) => app.set({ case: value }, "edit", "look") },
  { id: "board", title: t`Board`, options: boards, choose: (app, value) => app.setBoard(value) },
  { id: "warp", title: t`Warp`, options: widths, choose: (app, value) => app.set({ warp: +value }, "edit") }
];

// A theme that is chosen stays for this page; without one it is that of the computer.
function themeButton(app) {
  const { dataset } = document.documentElement;
  const dark = () => dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const show = () => {
    button.textContent = dark() ? t`Light` : t`Dark`;
    button.title = t`Change to the ${dark() ? t`light` : t`dark`} theme`;
  };
  const button = h("button", { type: "button", id: "theme", onclick: () => {
    dataset.theme = dark() ? "light" : "dark";
    show();
    app.tell("theme");
  } });
  show();
  return button;
}

// Large type, as for a projector: part of the address, so that links of a course can have it.
function typeButton() {
  const { dataset } = document.documentElement, on = () => "large" in dataset;
  const show = () => {
    button.textContent = on() ? "A−" : "A+";
    button.setAttribute("aria-label", `${button.textContent}: ${on() ? t`usual type` : t`large type`}`);
  };
  const button = h("button", { type: "button", id: "large", title: t`Letters of half as much again, as for a projector`, onclick: () => {
    if (on()) delete dataset.large;
    else dataset.large = "";
    history.replaceState(null, "", addressed("large", on() ? "" : null));
    show();
  } });
  if (new URLSearchParams(location.search).has("large")) dataset.large = "";
  show();
  return button;
}

// The other language, by its own name; the choice is remembered, and part of the address.
const languageButtons = () => Object.entries(LANGUAGES).filter(([code]) => code !== language).map(([code, name]) =>
  h("button", { type: "button", id: `in-${code}`, lang: code, onclick: () => choose(code) }, name));

export function create(root, app, { share, help }) {
  const button = (id, title, text, onclick) => h("button", { type: "button", id, title, onclick }, text);
  const run = button("run", t`Run the kernel (Ctrl-Enter)`, t`Run`, () => app.run());
  const stop = button("stop", t`End what runs: the kernel, a grade, a proof`, t`Stop`, () => app.stop());
  const choices = CHOICES.map(({ id, title, choose }) => {
    const select = h("select", { id, onchange: () => choose(app, select.value) });
    return h("label", {}, h("span", {}, title), select);
  });
  run.classList.add("main");
  stop.disabled = true;
  root.append(h("div", { class: "choices" }, choices),
    h("div", { class: "buttons" }, run, stop, button("share", t`A link with this kernel, board and step`, t`Share`, share),
      themeButton(app), typeButton(), languageButtons(), button("help", t`What this page is, and its keys`, t`Help`, help)));

  const show = () => CHOICES.forEach(({ options }, i) => choices[i].lastChild.replaceChildren(...options(app)));
  for (const event of ["look", "board", "lesson"]) app.on(event, show);
  app.on("running", ({ running }) => {
    run.setAttribute("aria-disabled", running);
    stop.disabled = !running;
  });
}
