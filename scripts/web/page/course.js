// Lessons of one's own, from a folder that is opened or dropped (docs/lessons/README.md): files in, lessons of the page out.
//
//   const files = await opened(input.files)          or of a drop: await dropped(event.dataTransfer)
//   await take(app, files)                           null: those that ship
import { lesson } from "../lesson.js";
import { t } from "./words.js";

const MOST = 1 << 18; // bytes of a file
const KINDS = /\.(lua|md|hd)$/;

const texts = async (list) => Object.fromEntries(await Promise.all(list.filter(([path, file]) => KINDS.test(path) && file.size <= MOST)
  .map(async ([path, file]) => [path, await file.text()])));

export const opened = (list) => texts([...list].map((file) => [file.webkitRelativePath || file.name, file]));

// The files below a handle or an entry of a drop: [[path, file]]. Chromium reads no file of an entry in a page from the disk, other
// browsers have no handles.
async function held(handle, path) {
  if (handle.kind === "file") return [[path, await handle.getFile()]];
  const found = [];
  for await (const one of handle.values()) found.push(...await held(one, `${path}/${one.name}`));
  return found;
}

async function below(entry, path) {
  if (entry.isFile) return [[path, await new Promise((resolve, reject) => { entry.file(resolve, reject); })]];
  const reader = entry.createReader(), found = [], more = () => new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
  for (let part = await more(); part.length; part = await more()) // a hundred at most each time
    for (const one of part) found.push(...await below(one, `${path}/${one.name}`));
  return found;
}

export async function dropped(data) {
  const read = async (item, entry) => { // both come before anything waits
    const handle = await item.getAsFileSystemHandle?.();
    return handle ? held(handle, handle.name) : entry ? below(entry, entry.name) : [];
  };
  return texts((await Promise.all([...data.items].map((item) => read(item, item.webkitGetAsEntry?.())))).flat());
}

const shown = ({ name, page, behind, ...row }) => ({ ...row, name: `own ${name}`, ...lesson(page, behind) });

// Puts the lessons in place of those of the page; throws what is wrong with them, with file and line.
export async function take(app, files) {
  if (files && !Object.keys(files).length) throw new Error(t`There is no lesson: a folder has lessons in folders such as 01-name.`);
  const { faults, lessons } = await app.client.own(files);
  if (faults.length) throw new Error(faults.join("\n"));
  app.course = files;
  app.shipped ??= app.lessons;
  app.lessons = files ? lessons.map(shown) : app.shipped;
  app.set({ lesson: null }, "lesson", "look"); // what is in the editor belongs to another list
}
