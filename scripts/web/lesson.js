// A lesson as HTML: the page, and its hints apart, since they open one by one. For those that ship (build.js) and for those
// of a folder (page/course.js).
//
//   lesson("# Lesson 1: ...", "<details><summary>Hint 1</summary> ...")      {html, hints: ["<p>...", ...]}
import { marked } from "marked";

const html = (text) => marked.parse(text, { async: false });

export const lesson = (page, behind) => ({
  html: html(page),
  hints: [...behind.matchAll(/<summary>[^]*?<\/summary>\n([^]*?)<\/details>/g)].map(([, hint]) => html(hint.trim()))
});
