// What if: switches that leave a loss of the machine out of the next run, and what each would gain, all measured.
import { h, number, table, wide } from "./dom.js";
import { t } from "./words.js";

const LONGER = 4, SPARE = 100000; // a run that issues this many times the instructions, and SPARE more, is given up
const ABOUT = t`A switch runs the kernel on a machine that does not lose that, and all pictures show it. Its results may be wrong: without barriers they are.`;

const times = (gain) => `${gain.toFixed(2)}x`;

// Measures the launch as the board has it, then without each loss: [{name, title, cycles, gain, promised, fault}].
export async function measure(app, client) {
  const { name, case: which, warp, board } = app.state, kernel = { name, source: app.text(), case: which, warp };
  const on = { name: board.name, text: board.text }, first = await client.time({ ...kernel, board: on });
  if (first.cycles === null) throw new Error(t`The kernel ends with a fault: ${first.fault}`);
  const rows = [{ name: "", title: t`nothing`, cycles: first.cycles, gain: 1, promised: null, fault: null }];
  for (const { name: loss, title, settings, rule } of app.ideals) {
    const { cycles, fault } = await client.time({ ...kernel, board: on, settings, limit: LONGER * first.instructions + SPARE });
    const advice = rule && first.advice.find((one) => one.rule === rule);
    rows.push({ name: loss, title, cycles, gain: cycles && first.cycles / cycles, promised: advice ? advice.gain : null, fault });
  }
  return rows;
}

const row = ({ title, cycles, gain, promised, fault }) =>
  [title, cycles === null ? fault : number(cycles), gain ? times(gain) : "-", promised ? times(promised) : "-"];

function gains(rows) {
  return wide(t`Gains`, table({ caption: t`What the machine would gain without a loss`,
    head: [t`without`, t`cycles`, t`gain`, t`advice: up to`], rows: rows.map(row) }));
}

function switches(app) {
  return app.ideals.map(({ name, title, doc }) => {
    const box = h("input", { type: "checkbox", value: name, onchange: () => {
      const others = app.state.without.filter((one) => one !== name);
      app.set({ without: box.checked ? [...others, name] : others });
      app.run();
    } });
    return h("label", { title: doc }, box, ` ${title}`);
  });
}

export function create(root, app) {
  const found = h("div"), boxes = switches(app);
  const all = h("button", { type: "button", id: "measure", onclick: async () => {
    app.say(t`Measuring…`);
    try {
      found.replaceChildren(gains(await app.busy((client) => measure(app, client))));
      app.say(t`Measured: what the machine would gain without each loss.`);
    } catch (e) {
      app.say(e.message, "bad");
    }
  } }, t`Measure all`);
  root.append(h("fieldset", { class: "switches" }, h("legend", {}, t`Run without`), boxes), h("p", { class: "about" }, ABOUT),
    h("div", { class: "tools" }, all), found);
  for (const event of ["edit", "board", "lesson"]) app.on(event, () => found.replaceChildren());
  return {
    update({ without }) {
      for (const label of boxes) label.firstChild.checked = without.includes(label.firstChild.value);
    }
  };
}
