// The frame of a picture: a title, a description, the picture as SVG, and a table with the same data.
//
//   const one = frame({ title: "Last access" });
//   one.show({ words: "...", alt: "...", legend: [["hit", "L1 holds it"]], picture: (room) => ({ width, height, shapes }),
//     table: () => element });
//
// `picture` is a layout for a number of pixels: shapes {name, class, words, ...attributes} of SVG, whose words are the
// text of a `text` and the tooltip of another shape. It is called again when the room changes, `table` when it is opened.
import { h, s } from "../dom.js";
import { words } from "../program.js";
import { saver } from "./save.js";
import { t } from "../words.js";

const ROOM = [240, 760]; // pixels of a picture, at least and at most

// 1, 2, 5, 10, ...: the least of these that is not below `value`.
export function tick(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= value);
}

const shape = ({ name, words, ...given }) =>
  name === "text" ? s(name, given, words) : s(name, given, words ? s("title", {}, words) : null);

// Pixels of a picture are those of the usual type, which large type makes larger.
export const scale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

export function draw({ width, height, shapes, defs }, times = 1) {
  return s("svg", { width: times * width, height: times * height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, defs ? s("defs", {}, defs()) : null,
    shapes.map(shape));
}

function legendOf(rows) {
  return h("ul", { class: "legend" }, rows.map(([kind, word, doc, sign]) =>
    h("li", {}, h("i", { class: kind }, sign ?? ""), h("b", {}, word), doc ? `: ${doc}` : "")));
}

// An instruction with its line, which leads there: "Line 38: fma.f32 ...".
export function instruction(app, state, pc) {
  const { line, file } = state.result.program.code[pc];
  const link = () => h("button", { type: "button", class: "link", onclick: () => app.line(line) }, t`Line ${line}`);
  return [file ? t`Line ${line} of ${file}` : link(), ": ", h("code", {}, words(state, pc))];
}

export function frame({ title, label = t`Table` }) {
  const words = h("p", { class: "words" }), legend = h("div"), chart = h("div", { class: "chart", role: "img" });
  const body = h("div"), details = h("details", {}, h("summary", {}, `${label}: ${title}`), body);
  const root = h("figure", { class: "picture" }, h("figcaption", {}, h("h3", {}, title), words), chart, legend, details);
  const save = saver(title, () => ({ drawing: chart.querySelector("svg"), words: words.textContent, legend }));
  chart.after(save);
  let given = {}, drawn = 0, filled = null, wide = 0; // of the last layout

  const fill = () => {
    if (details.open && given.table && filled !== given) body.replaceChildren(given.table());
    filled = given;
  };
  const fitting = () => Math.min(ROOM[1], Math.max(ROOM[0], Math.floor((wide ||= chart.clientWidth) / scale())));
  const redraw = () => {
    const room = fitting();
    if (!given.picture || room === drawn) return;
    drawn = room;
    chart.replaceChildren(draw(given.picture(room), scale()));
  };
  details.addEventListener("toggle", () => {
    filled = null;
    fill();
  });
  new ResizeObserver(([{ contentRect }]) => {
    wide = contentRect.width || wide;
    requestAnimationFrame(redraw);
  }).observe(chart);

  return {
    root, chart, room: fitting,
    show(what) {
      given = what;
      drawn = 0;
      words.replaceChildren(what.words ?? "");
      chart.hidden = save.hidden = !what.picture;
      chart.setAttribute("aria-label", what.alt ?? "");
      legend.replaceChildren(what.legend ? legendOf(what.legend) : "");
      details.hidden = !what.table;
      root.hidden = false;
      redraw();
      fill();
    }
  };
}
