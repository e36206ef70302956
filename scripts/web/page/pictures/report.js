// Parts of the page of `heddle report` for the last run: the Lua that writes them there answers here (answers.lua).
import { h } from "../dom.js";
import { charts } from "./figures.js";
import { t } from "../words.js";

const NONE = t`Run the kernel: then this shows its result.`;

// A panel of one part of the report.
export function panel(part) {
  return (root, app) => {
    let shown = null;
    return {
      async update({ result }) {
        if (result === shown && root.childElementCount) return;
        shown = result;
        if (!result?.metrics) return root.replaceChildren(h("p", { class: "words" }, NONE));
        const html = (await app.client.report(result))[part];
        if (shown !== result) return;
        root.innerHTML = html || "<p class=\"words\">Nothing of this run is seen here.</p>";
        charts(root);
      }
    };
  };
}
