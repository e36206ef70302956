// A run that is kept, to compare those that follow with it: in Counters, by counters and by lines, and in Timeline.
//
//   root.append(keeper(app))              the button, and which run is kept
//   state.kept                            {result, record, at, title}, or null
import { h, number } from "./dom.js";
import { t } from "./words.js";

const titleOf = ({ name, board, result }) => t`${name.replace(/^kernels\/(.*)\.hd$/, "$1")} on ${board.name}, ${number(result.cycles)} cycles`;

function press(app) {
  const { kept, result, record, at } = app.state;
  app.set({ kept: kept || !record ? null : { result, record, at, title: titleOf(app.state) } }, "kept");
}

export function keeper(app) {
  const button = h("button", { type: "button", class: "keep", onclick: () => press(app) }), words = h("span", { class: "about" });
  const show = ({ kept, record }) => {
    button.textContent = kept ? t`Forget the kept run` : t`Keep this run`;
    button.disabled = !kept && !record;
    button.title = kept ? t`Show this run alone` : t`Compare the runs that follow with this one`;
    words.textContent = kept ? t`Kept: ${kept.title}.` : "";
  };
  for (const event of ["run", "kept"]) app.on(event, show);
  show(app.state);
  return h("div", { class: "tools" }, button, words);
}

// Compares the cycles of a run with those of the kept one, in a sentence.
export function compared({ cycles }, { result }) {
  const before = result.cycles;
  if (cycles === before) return t`${number(cycles)} cycles, as many as the kept run.`;
  const [times, word] = cycles < before ? [before / cycles, t`fast`] : [cycles / before, t`slow`];
  return t`${number(cycles)} cycles, ${times.toFixed(2)} times as ${word} as the kept run.`;
}

// Pairs the lines of two kernels in their order, those of one text first of all: [[now, before]], null where a line has no
// partner. The longest common subsequence of their texts.
export function paired(now, before) {
  const best = Array.from({ length: now.length + 1 }, () => new Uint32Array(before.length + 1));
  for (let i = now.length - 1; i >= 0; i--)
    for (let k = before.length - 1; k >= 0; k--)
      best[i][k] = now[i].text === before[k].text ? best[i + 1][k + 1] + 1 : Math.max(best[i + 1][k], best[i][k + 1]);
  const rows = [];
  let i = 0, k = 0;
  while (i < now.length || k < before.length) {
    const both = i < now.length && k < before.length;
    if (both && now[i].text === before[k].text) rows.push([now[i++], before[k++]]);
    else if (k === before.length || both && best[i + 1][k] >= best[i][k + 1]) rows.push([now[i++], null]);
    else rows.push([null, before[k++]]);
  }
  return rows;
}
