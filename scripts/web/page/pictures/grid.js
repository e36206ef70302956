// The grid of an array's elements. Rows in sight are drawn at once, the others when the browser has time, so that a move of the
// cursor takes the time of rows in sight; unchanged cells are left alone.
//
//   const grid = new Grid({ press: (index) => ..., drawn: () => ... });      drawn: all rows are
//   grid.show({ as, shown, widths, name, first, count, columns, nameOf: (index) => "y[3]", at: (index) => [found, signs],
//     cell: (index, found) => ({ text, kind }) })
//
// A cell is made anew where the answer of `at` changes; `shown` names the part of an array, `as` the form of its texts; an object
// `widths` stays while columns need not become narrower.
import { h, wide } from "../dom.js";
import { t } from "../words.js";

const ROWS = 8; // drawn at a time when the browser has time
const LEAST = 2; // characters of a column

export class Grid {
  constructor({ press, drawn }) {
    this.drawn = drawn;
    this.rows = [];
    this.fits = {};
    this.head = h("tr", { role: "row" });
    this.body = h("tbody", { role: "rowgroup", onclick: ({ target }) => target.dataset.index && press(+target.dataset.index) });
    this.table = h("table", { class: "lanes cells", role: "table" }, h("caption", { class: "unseen" }, t`Elements`),
      h("thead", { role: "rowgroup" }, this.head), this.body);
    this.root = wide(t`Elements of the array`, this.table);
    this.sight = new IntersectionObserver((changes) => changes.forEach(({ target, isIntersecting }) => {
      const row = this.rows[target.sectionRowIndex];
      if (row) row.seen = isIntersecting;
      if (row?.seen) this.draw(row);
    }));
  }

  show(given) {
    this.given = given;
    if (this.columns !== given.columns) this.form(given.columns);
    while (this.rows.length * given.columns < given.count) this.add();
    this.rows.forEach(({ root, from }) => { root.hidden = from >= given.count; });
    const last = given.nameOf(given.first + given.count - 1);
    this.fit("--name", Math.max(given.name.length, last.length));
    this.fit("--most", LEAST);
    this.head.firstChild.textContent = given.name;
    for (const row of this.rows) if (row.seen && !row.root.hidden) this.draw(row);
    cancelIdleCallback(this.idle);
    this.rest();
  }

  // Draws the rows out of sight, some at a time.
  rest() {
    const left = this.rows.filter(({ root, of }) => !root.hidden && of !== this.given);
    if (!left.length) return this.drawn();
    this.idle = requestIdleCallback(() => {
      for (const row of left.slice(0, ROWS)) this.draw(row);
      this.rest();
    });
  }

  form(columns) {
    this.columns = columns;
    this.rows = [];
    this.sight.disconnect();
    this.head.replaceChildren(...Array.from({ length: columns + 1 }, (_, k) => h("th", { scope: "col", role: "columnheader" }, k ? k - 1 : null)));
    this.body.replaceChildren();
    this.table.style.setProperty("--columns", columns);
  }

  // Takes a row for one in sight until the browser answers otherwise.
  add() {
    const head = h("th", { scope: "row", role: "rowheader" }), buttons = Array.from({ length: this.columns }, () => h("button", { type: "button" }));
    const root = h("tr", { role: "row" }, head, buttons.map((button) => h("td", { role: "cell" }, button)));
    this.rows.push({ root, head, buttons, from: this.rows.length * this.columns, seen: true });
    this.body.append(root);
    this.sight.observe(root);
  }

  draw(row) {
    const { given } = this, { shown, as, first, count, nameOf } = given;
    if (row.of === given) return;
    row.of = given;
    if (row.shown !== shown) {
      row.head.textContent = nameOf(first + row.from);
      row.buttons.forEach((button, k) => {
        const index = first + row.from + k;
        button.parentNode.hidden = row.from + k >= count;
        Object.assign(button, { title: nameOf(index) }).dataset.index = index;
      });
    }
    if (row.shown !== shown || row.as !== as) Object.assign(row, { shown, as, found: [], signs: [] });
    row.buttons.forEach((button, k) => row.from + k < count && this.cell(row, button, k));
  }

  cell(row, button, k) {
    const index = this.given.first + row.from + k, [found, signs] = this.given.at(index);
    if (row.found[k] === found && row.signs[k] === signs) return;
    [row.found[k], row.signs[k]] = [found, signs];
    const { text, kind } = this.given.cell(index, found);
    if (button.textContent !== text) button.textContent = text;
    if (button.className !== kind) button.className = kind;
    this.fit("--most", text.length);
  }

  // Makes columns wider, never narrower: each change lays out all cells.
  fit(name, characters) {
    const { widths } = this.given, most = widths[name] = Math.max(widths[name] ?? 0, characters);
    if (this.fits[name] !== most) this.table.style.setProperty(name, this.fits[name] = most);
  }
}
