// Tabs and their panels, as the ARIA patterns have them: arrow keys change the tab, and only the open panel is updated.
//
//   const panels = new Tabs(root, "Pictures", [{id: "access", title: "Access", create}], app);
//   panels.open("access"); panels.mark("problems", 3, "problems")
import { h } from "./dom.js";

export class Tabs {
  constructor(root, label, rows, app) {
    this.app = app;
    this.parts = new Map();
    const list = h("div", { role: "tablist", "aria-label": label, class: "tabs", onkeydown: (event) => this.key(event) });
    root.append(list);
    for (const row of rows) this.add(root, list, row);
    this.open(rows[0].id);
  }

  add(root, list, { id, title, create }) {
    const badge = h("span", { class: "badge" });
    const tab = h("button", { role: "tab", type: "button", id: `tab-${id}`, "aria-controls": `panel-${id}`,
      onclick: () => this.open(id) }, title, badge);
    const panel = h("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": tab.id, class: `panel ${id}`, tabindex: 0 });
    list.append(tab);
    root.append(panel);
    this.parts.set(id, { tab, panel, badge, part: create(panel, this.app) });
  }

  has(id) { return this.parts.has(id); }
  update(state) { this.parts.get(this.id).part.update(state); }

  open(id) {
    this.id = id;
    for (const [key, { tab, panel }] of this.parts) {
      tab.setAttribute("aria-selected", key === id);
      tab.tabIndex = key === id ? 0 : -1;
      panel.hidden = key !== id;
    }
    this.update(this.app.state);
  }

  key(event) {
    const ids = [...this.parts.keys()], now = ids.indexOf(this.id);
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1 + ids.length, Home: 0, End: ids.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.open(ids[to % ids.length]);
    this.parts.get(this.id).tab.focus();
  }

  // Shows a count beside the title, in words for screen readers.
  mark(id, count, word) {
    const shown = [h("b", { "aria-hidden": "true" }, count), h("span", { class: "unseen" }, `, ${count} ${word}`)];
    this.parts.get(id).badge.replaceChildren(...count ? shown : []);
  }
}
