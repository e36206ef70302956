// Do two kernels leave the same for all data? The kernel in the editor against one that ships, at the sizes of a case.
import { h } from "./dom.js";

// Which of the kernels that ship may be chosen first: a lesson's reference, else the kernel that the text began as.
export function first({ lesson, name }, lessons, kernels) {
  const row = lessons.find(({ number }) => number === lesson), known = (path) => kernels.includes(path) ? path : "";
  return row ? known(`lessons/${row.name}/reference`) : known(name.replace(/^kernels\/(.*)\.hd$/, "$1"));
}

// A row of each verdict of docs/prove.md; others say themselves what they are.
const SIGNS = { equal: ["✓", "good"], different: ["✗", "bad"] };
export const signOf = (verdict) => SIGNS[verdict] ?? ["–", "quiet"];

export function create(root, app) {
  const other = h("select", { id: "prove-other", onchange: () => { chosen = true; } }), which = h("select", { id: "prove-case" });
  const said = h("div", { role: "status", class: "grade" }), button = h("button", { type: "button", class: "main", onclick: () => ask() }, "Prove");
  let chosen = false;
  root.append(h("h3", {}, "Prove"), h("p", {}, "Is the kernel in the editor equal to another one for all data, at the sizes of a case of the other " +
    "kernel? Parameters are matched by their names."),
  h("div", { class: "tools" }, h("label", { class: "tools" }, "Other kernel", other), h("label", { class: "tools" }, "Case", which), button), said);
  other.replaceChildren(...app.kernels.map((name) => h("option", { value: name }, name)));
  other.addEventListener("change", () => cases());

  // The cases are those of the other kernel, which is the one that is known to be right.
  async function cases() {
    const name = other.value, { name: path, text } = await app.client.kernel(name), found = await app.client.look(path, text);
    if (name !== other.value) return;
    which.replaceChildren(...found.cases.map((row) => h("option", { value: row.number }, `${row.number}: ${row.name ?? row.text.replace(/^run /, "")}`)));
    button.disabled = !found.cases.length;
  }

  async function ask() {
    said.replaceChildren(h("p", {}, "Looking for a proof…"));
    try {
      const { name, text } = await app.client.kernel(other.value);
      const proof = await app.client.prove({ name, source: text }, { name: "mine.hd", source: app.text() }, { case: +which.value });
      const [sign, kind] = signOf(proof.verdict);
      said.replaceChildren(h("p", {}, h("b", { class: kind, "aria-hidden": "true" }, `${sign} `), h("b", {}, proof.verdict)),
        h("pre", { tabindex: 0, role: "region", "aria-label": "Proof" }, proof.text));
    } catch (e) {
      said.replaceChildren(h("p", { class: "bad" }, e.message));
    }
  }

  app.on("lesson", () => { chosen = false; });
  return {
    update(state) {
      const name = chosen ? other.value : first(state, app.lessons, app.kernels);
      if (name && name !== other.value) other.value = name;
      if (!which.childElementCount || !chosen) cases();
    }
  };
}
