// Saves a picture as a file of SVG that stands alone, or as PNG: what the page's style sheet gives its shapes is written into them.
import { h, s } from "../dom.js";
import { t } from "../words.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "text-anchor", "paint-order"];
const COLOURS = new Set(["fill", "stroke"]);
const EDGE = 12, LINE = 18; // pixels

// Readers of SVG know no colour of a mixture: each is written as the sRGB of a pixel.
function painter() {
  const brush = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  return (colour) => {
    if (!known.has(colour)) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = colour;
      brush.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
      known.set(colour, a === 255 ? `rgb(${r} ${g} ${b})`.replaceAll(" ", ",") : `rgba(${r},${g},${b},${(a / 255).toFixed(3)})`);
    }
    return known.get(colour);
  };
}

// The sign of a legend's row, a space, and its words.
function entry(row) {
  const sign = row.querySelector("i")?.textContent ?? "";
  return `${sign} ${row.textContent.slice(sign.length)}`.trim();
}

// `legend` is the page's list, of which the words are kept, each in a line below the picture.
export function standalone(drawing, { title, words, legend }) {
  const copy = drawing.cloneNode(true), paint = painter(), from = [drawing, ...drawing.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(from[i]);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value && value !== "normal") element.setAttribute(name, COLOURS.has(name) && value !== "none" && !value.startsWith("url") ? paint(value) : value);
    }
    element.removeAttribute("class");
  });
  const rows = [...legend?.querySelectorAll("li") ?? []].map(entry), lines = words.match(/.{1,100}(\s|$)/g) ?? [];
  const ink = paint(getComputedStyle(drawing).color), [wide, high] = ["width", "height"].map((side) => +drawing.getAttribute(side));
  const width = wide + 2 * EDGE, top = EDGE + LINE * (1 + lines.length), below = top + high + LINE, height = below + LINE * rows.length + EDGE;
  const text = (y, line, weight = null) => s("text", { x: EDGE, y, fill: ink, "font-weight": weight }, line);
  copy.setAttribute("x", EDGE);
  copy.setAttribute("y", top);
  const whole = s("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "system-ui, sans-serif",
    "font-size": 12 }, s("title", {}, title), s("desc", {}, words),
  s("rect", { width, height, fill: paint(getComputedStyle(document.body).backgroundColor) }),
  text(EDGE + 10, title, 700), lines.map((line, i) => text(EDGE + 10 + LINE * (i + 1), line.trim())), copy, rows.map((line, i) => text(below + LINE * i, line)));
  return `${new XMLSerializer().serializeToString(whole)}\n`;
}

// The picture as PNG, with twice the pixels.
async function pixels(text) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => { canvas.toBlob(resolve); });
}

// Buttons that save what `drawn()` returns: {drawing, title, words, legend}.
export function saver(title, drawn) {
  const press = async (ending) => {
    const { drawing, ...rest } = drawn(), text = standalone(drawing, { title, ...rest });
    const address = URL.createObjectURL(ending === "png" ? await pixels(text) : new Blob([text], { type: "image/svg+xml" }));
    h("a", { href: address, download: `${title.toLowerCase().replaceAll(" ", "-")}.${ending}` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  const button = (ending, words) => h("button", { type: "button", class: "link save", "aria-label": `${words}: ${title}`, onclick: () => press(ending) }, words);
  return h("div", {}, button("svg", t`Save as SVG`), " ", button("png", t`Save as PNG`));
}
