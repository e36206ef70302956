// Tabs and their panels, as the ARIA patterns have them: arrow keys change the tab, and only the open panel is updated.
//
//   const panels = tabs(root, "Pictures", [{id: "access", title: "Access", create}], app);
//   panels.open("access"); panels.mark("problems", 3)
import { h } from "./dom.js";

export function tabs(root, label, rows, app) {
  const list = h("div", { role: "tablist", "aria-label": label, class: "tabs" });
  const parts = new Map(), open = (id, focus) => {
    for (const [key, { tab, panel }] of parts) {
      tab.setAttribute("aria-selected", key === id);
      tab.tabIndex = key === id ? 0 : -1;
      panel.hidden = key !== id;
    }
    panels.id = id;
    if (focus) parts.get(id).tab.focus();
    parts.get(id).part.update(app.state);
  };
  const panels = {
    id: rows[0].id,
    has: (id) => parts.has(id),
    open,
    update: (state) => parts.get(panels.id).part.update(state),
    // A count beside the title, in words for those who do not see the tab.
    mark(id, count, word) {
      parts.get(id).badge.replaceChildren(...count ? [h("b", { "aria-hidden": "true" }, count), h("span", { class: "unseen" }, `, ${count} ${word}`)] : []);
    }
  };
  for (const { id, title, create } of rows) {
    const badge = h("span", { class: "badge" });
    const tab = h("button", { role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, type: "button", onclick: () => open(id) }, title, badge);
    const panel = h("div", { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": tab.id, class: `panel ${id}`, tabindex: 0 });
    parts.set(id, { tab, panel, badge, part: create(panel, app) });
    list.append(tab);
  }
  list.addEventListener("keydown", (event) => {
    const ids = [...parts.keys()], now = ids.indexOf(panels.id);
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1 + ids.length, Home: 0, End: ids.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    open(ids[to % ids.length], true);
  });
  root.append(list, ...[...parts.values()].map(({ panel }) => panel));
  open(panels.id);
  return panels;
}
