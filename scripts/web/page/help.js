// Help: the page, its keys, and its licences.
import { h, table } from "./dom.js";
import { KEYS } from "./keys.js";
import { t } from "./words.js";

const TEXT = [
  t`Choose a kernel or a lesson, change it, and run it on a simulated GPU. All that happened is recorded: step through it, forward and back, and see what each lane holds, what a warp waits for, and where its accesses go.`,
  t`Everything runs in this page, in a worker of your browser; nothing is sent anywhere. Share puts the kernel, the board and the step into the address, after a #, which is not sent to servers.`,
  t`Results and cycles are those of heddle on a computer. teach8 and teach32 are small boards of its own for learning; the others are modelled after chips.`
];

const LETTERS = t`Letters work where the focus is in the recording. In the editor, Tab goes on to what follows it, and Ctrl-Space completes a word.`;
const LICENCES = t`heddle is free software, see LICENSE in its sources. The editor is CodeMirror:`;

export function createHelp(app) {
  const dialog = h("dialog", { "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, t`heddle ${app.version}`), TEXT.map((t) => h("p", {}, t)),
    h("h3", {}, t`Keys`), table({ head: [t`key`, t`what it does`], rows: KEYS.map(({ words, doc }) => [words, doc]) }),
    h("p", {}, LETTERS), h("details", {}, h("summary", {}, t`Licences`), h("p", {}, LICENCES),
      h("pre", { class: "wide", tabindex: 0 }, app.licences)),
    h("form", { method: "dialog" }, h("button", { class: "main" }, t`Close`)));
  document.body.append(dialog);
  return dialog;
}
