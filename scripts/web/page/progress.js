// Progress of a student, kept in the browser: lessons passed, predictions, kernels. If the browser stores nothing, it ends
// with the page.
//
//   const progress = new Progress(() => localStorage);
//   progress.of("01-guards").passed            true, or undefined
//   progress.keep("01-guards", { text: "..." })
const KEY = "heddle.lessons";
const MOST = 1 << 18; // characters of a kernel that is kept

export class Progress {
  // `storage()` may throw: a browser that keeps nothing has none.
  constructor(storage) {
    this.lessons = {};
    try {
      this.storage = storage();
    } catch {
      // nothing is kept
    }
    this.read();
  }

  // Reads what is stored now: another tab may have added to it.
  read() {
    try {
      const kept = JSON.parse(this.storage?.getItem(KEY) ?? "{}");
      if (kept && typeof kept === "object" && !Array.isArray(kept)) this.lessons = { ...this.lessons, ...kept };
    } catch {
      // what is kept is none of ours
    }
  }

  of(name) {
    const kept = Object.hasOwn(this.lessons, name) ? this.lessons[name] : null;
    return kept && typeof kept === "object" ? kept : {};
  }

  keep(name, part) {
    if (part.text?.length > MOST) return;
    this.read();
    this.lessons = { ...this.lessons, [name]: { ...this.of(name), ...part } };
    try {
      this.storage?.setItem(KEY, JSON.stringify(this.lessons));
    } catch {
      // full: it is known until the page is closed
    }
  }
}
