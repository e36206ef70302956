// A bar between two parts of a grid, which gives one of them more room: by pointer or by arrow keys. How the parts stand is
// page.css's: the grid has `--first` and `--second` of room.
//
//   before.after(split(grid, {label: "Size of the editor", share: 60, across: false}))
import { h } from "./dom.js";

const LEAST = 15, MOST = 85, STEP = 5; // percent

export function split(grid, { label, share, across }) {
  const set = (value) => {
    share = Math.max(LEAST, Math.min(MOST, Math.round(value)));
    grid.style.setProperty("--first", `${share}fr`);
    grid.style.setProperty("--second", `${100 - share}fr`);
    bar.setAttribute("aria-valuenow", share);
  };
  const bar = h("div", { class: "split", role: "separator", tabindex: 0, "aria-label": label, "aria-valuemin": LEAST,
    "aria-valuemax": MOST, "aria-orientation": across ? "vertical" : "horizontal" });
  bar.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -STEP, ArrowUp: -STEP, ArrowRight: STEP, ArrowDown: STEP }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    set(share + by);
  });
  bar.addEventListener("pointerdown", (event) => bar.setPointerCapture(event.pointerId));
  bar.addEventListener("pointermove", (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const [a, b] = [bar.previousElementSibling, bar.nextElementSibling].map((part) => part.getBoundingClientRect());
    set(100 * (across ? (event.clientX - a.left) / (b.right - a.left) : (event.clientY - a.top) / (b.bottom - a.top)));
  });
  set(share);
  return bar;
}
