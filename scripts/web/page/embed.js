// The page in a frame of another one: with "?embed" before the # of a link it shows the kernel, the step and one picture, and a
// way to the whole page.
import { copied, h } from "./dom.js";
import { addressed } from "./share.js";
import { t } from "./words.js";

export const embedded = () => new URLSearchParams(location.search).has("embed");

const quoted = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

// The frame of the link that is in the address, as HTML.
const frame = (title) =>
  `<iframe src="${quoted(addressed("embed", ""))}" title="${quoted(title)}" width="100%" height="480" loading="lazy"></iframe>`;

// A button that copies the frame; where the browser does not let it, the text stands beside it.
export function frameButton(app) {
  const button = h("button", { type: "button", class: "link", id: "frame", onclick: async () => {
    const text = frame(t`${app.state.name}, in heddle`), done = await copied(text);
    button.replaceWith(done ? t`Copied a frame of it, for a page of your own.` : h("input", { type: "text", readonly: true, value: text,
      "aria-label": t`A frame of this link`, onfocus: ({ target }) => target.select() }));
  } }, t`Copy it as a frame`);
  return button;
}

export function embed(header) {
  document.documentElement.dataset.embed = "yes";
  const whole = h("a", { target: "_blank", rel: "noopener" }, t`Open in heddle`);
  const show = () => { whole.href = addressed("embed", null); };
  header.append(whole);
  addEventListener("hashchange", show);
  show();
}
