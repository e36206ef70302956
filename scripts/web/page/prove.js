// Do two kernels leave the same for all data? The kernel in the editor against one that ships, at the sizes of a case.
import { h } from "./dom.js";
import { t } from "./words.js";

// Chooses the first of the shipped kernels: a lesson's reference, else the kernel that the text began as.
export function first({ lesson, name }, lessons, kernels) {
  const row = lessons.find(({ number }) => number === lesson), known = (path) => kernels.includes(path) ? path : "";
  return row ? known(`lessons/${row.name}/reference`) : known(name.replace(/^kernels\/(.*)\.hd$/, "$1"));
}

// A row for each verdict of docs/prove.md with a sign; other verdicts have none.
const SIGNS = { equal: ["✓", "good"], different: ["✗", "bad"] };
export const signOf = (verdict) => SIGNS[verdict] ?? ["–", "quiet"];

const ABOUT = t`Is the kernel in the editor equal to another one for all data, at the sizes of a case of the other kernel? Parameters are matched by their names.`;

class Prove {
  constructor(root, app) {
    this.app = app;
    this.chosen = false; // by the reader
    this.other = h("select", { id: "prove-other", onchange: () => this.choose() },
      app.kernels.map((name) => h("option", { value: name }, name)));
    this.which = h("select", { id: "prove-case" });
    this.said = h("div", { role: "status", class: "grade" });
    this.button = h("button", { type: "button", class: "main", onclick: () => this.ask() }, t`Prove`);
    const label = (words, field) => h("label", { class: "tools" }, words, field);
    root.append(h("h3", {}, t`Prove`), h("p", {}, ABOUT), h("div", { class: "tools" }, label(t`Other kernel`, this.other),
      label(t`Case`, this.which), this.button), this.said);
    app.on("lesson", () => { this.chosen = false; });
  }

  choose() {
    this.chosen = true;
    this.cases();
  }

  // The cases are those of the other kernel, which is the one that is known to be right.
  async cases() {
    const name = this.other.value, { name: path, text } = await this.app.client.kernel(name);
    const { cases } = await this.app.client.look(path, text);
    if (name !== this.other.value) return;
    this.which.replaceChildren(...cases.map(({ number, name: title, text: run }) =>
      h("option", { value: number }, `${number}: ${title ?? run.replace(/^run /, "")}`)));
    this.button.disabled = !cases.length;
  }

  async ask() {
    const { client } = this.app;
    this.said.replaceChildren(h("p", {}, t`Looking for a proof…`));
    try {
      const { name, text } = await client.kernel(this.other.value);
      const folder = this.app.state.name.replace(/[^/]*$/, ""); // which the text includes from
      const own = { name: `${folder}mine.hd`, source: this.app.text() };
      const { verdict, text: proof } = await this.app.busy(() =>
        client.prove({ name, source: text }, own, { case: +this.which.value }));
      const [sign, kind] = signOf(verdict);
      this.said.replaceChildren(h("p", {}, h("b", { class: kind, "aria-hidden": "true" }, `${sign} `), h("b", {}, verdict)),
        h("pre", { tabindex: 0, role: "region", "aria-label": t`Proof` }, proof));
    } catch (e) {
      this.said.replaceChildren(h("p", { class: "bad" }, e.message));
    }
  }

  update(state) {
    const name = this.chosen ? "" : first(state, this.app.lessons, this.app.kernels);
    const other = name !== "" && name !== this.other.value;
    if (other) this.other.value = name;
    if (other || !this.which.childElementCount) this.cases();
  }
}

export function create(root, app) {
  const prove = new Prove(root, app);
  return { update: (state) => prove.update(state) };
}
