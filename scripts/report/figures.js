// Puts charts into the figures of a page, which hold their data, and saves them. Without scripts a page has its tables.
"use strict";

const WIDE = 1120; // pixels of a chart, at most

const dataOf = (figure) => JSON.parse(figure.querySelector("script").textContent);

function legend(entries) {
  const list = document.createElement("ul");
  list.className = "legend";
  for (const {name, draw} of entries) {
    const item = document.createElement("li"), sign = draw();
    sign.setAttribute("aria-hidden", "true");
    item.append(sign, name);
    list.append(item);
  }
  return list;
}

function draw(figure) {
  const chart = figure.querySelector(".chart"), width = Math.min(Math.max(chart.clientWidth, 240), WIDE);
  if (figure.drawn === width) return;
  figure.drawn = width;
  const d = dataOf(figure), kind = KINDS[d.kind], entries = kind.legend(d, width), drawing = kind.draw(d, width);
  drawing.setAttribute("aria-hidden", "true"); // the words of the chart describe it
  chart.replaceChildren(...(entries.length ? [legend(entries)] : []), drawing);
}

// ---- saving ----

const SAVED = 800; // pixels that a saved chart is wide

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Words in lines that fit.
function wrap(words, width, bold) {
  const list = [""];
  for (const word of words.split(" ")) {
    const longer = `${list.at(-1)} ${word}`.trim();
    if (widest([longer], bold) > width && list.at(-1)) list.push(word);
    else list[list.length - 1] = longer;
  }
  return list;
}

function moved(drawing, x, y) {
  drawing.setAttribute("x", x);
  drawing.setAttribute("y", y);
  return drawing;
}

// The legend from `y` on, and where it ends.
function legendAt(entries, y) {
  let x = 0;
  const parts = entries.flatMap(({name, draw: sign}) => {
    const drawing = sign(), wide = Number(drawing.getAttribute("width")) + 6;
    const whole = wide + widest([name]) + 18;
    if (x + whole > SAVED && x > 0) [x, y] = [0, y + 20];
    x += whole;
    return [moved(drawing, x - whole, y), svg("text", {x: x - whole + wide, y: y + 11}, name)];
  });
  return [parts, entries.length ? y + 24 : y];
}

// The chart as a picture of its own, with title, legend, its data, and the colours that are seen now.
function standalone(figure) {
  const data = figure.querySelector("script").textContent, d = JSON.parse(data), kind = KINDS[d.kind], edge = 16;
  const titles = wrap(figure.querySelector("h3").textContent, SAVED, true);
  const [entries, below] = legendAt(kind.legend(d, SAVED), 8 + 18 * titles.length), drawing = moved(kind.draw(d, SAVED), 0, below);
  drawing.setAttribute("font-size", 13);
  const width = SAVED + 2 * edge, height = below + Number(drawing.getAttribute("height")) + 2 * edge;
  const whole = svg("svg", {xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `${-edge} ${-edge} ${width} ${height}`,
    fill: "currentColor", color: "var(--ink)", "font-family": "system-ui, sans-serif", "font-size": 13},
  svg("title", {}, figure.querySelector("h3").textContent), svg("desc", {}, figure.querySelector(".chart").getAttribute("aria-label")),
  svg("metadata", {}, data), svg("rect", {x: -edge, y: -edge, width, height, fill: "var(--paper)"}),
  ...titles.map((line, i) => svg("text", {y: 12 + 18 * i, "font-weight": "bold"}, line)), ...entries, drawing);
  const style = getComputedStyle(document.documentElement), dark = isDark() ? 1 : 0;
  const text = new XMLSerializer().serializeToString(whole).replace(/var\((--[\w-]+)\)/g, (all, name) =>
    style.getPropertyValue(name).match(/#\w+/g)?.[dark] ?? all);
  return `${text}\n`;
}

function save(figure) {
  const link = document.createElement("a"), address = URL.createObjectURL(new Blob([standalone(figure)], {type: "image/svg+xml"}));
  link.href = address;
  link.download = `${figure.id}.svg`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function saver(figure) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Save as SVG";
  button.setAttribute("aria-label", `Save as SVG: ${figure.querySelector("h3").textContent}`);
  button.addEventListener("click", () => save(figure));
  return button;
}

// ---- the page ----

const root = document.documentElement;
const isDark = () => (root.style.colorScheme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function theme() {
  const button = document.getElementById("theme");
  const name = () => { button.textContent = isDark() ? "Light" : "Dark"; };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.style.colorScheme = isDark() ? "light" : "dark";
    name();
  });
  name();
}

for (const details of document.querySelectorAll("figure > details")) details.open = false;
for (const figure of document.querySelectorAll("figure:has(> .chart)")) {
  draw(figure);
  figure.querySelector(".chart").after(saver(figure));
  new ResizeObserver(() => requestAnimationFrame(() => draw(figure))).observe(figure);
}
theme();
root.dataset.drawn = "yes";
