// Files in memory, for system calls of the module's C library: Lua's modules, kernels, boards and pages are read from
// here, and nothing can be written. The numbers are those of WASI, preview 1.

const OK = 0, BADF = 8, NOENT = 44, NOSYS = 52, ROFS = 69;
const CHARACTER = 2, FOLDER = 3, PLAIN = 4; // types of files
const CREATES = 1 | 8; // flags of an open: make, empty
const ROOT = 3; // the number of "/", after standard input, output and error
const LIMIT = 1 << 30;

const encoder = new TextEncoder(), decoder = new TextDecoder();

// Adds the plain file "kernels/a.hd" and its folders to those below "/".
function put(nodes, path, text) {
  const parts = path.split("/"), name = parts.pop();
  let folder = "";
  for (const part of parts) {
    nodes.get(folder).folder.add(part);
    folder = folder ? `${folder}/${part}` : part;
    if (!nodes.get(folder)?.folder) nodes.set(folder, { folder: new Set() });
  }
  nodes.get(folder).folder.add(name);
  nodes.set(path, { text });
}

// The bytes of a file, made when it is read first.
const bytesOf = (node) => (node.bytes ??= encoder.encode(node.text ?? ""));
const typeOf = (node) => (node.folder ? FOLDER : PLAIN);

// The functions of `wasi_snapshot_preview1`, and `put`, which adds a file or replaces it; `memory()` is the module's, which
// may move.
export function system(files, memory) {
  const nodes = new Map([["", { folder: new Set() }]]);
  for (const [path, text] of Object.entries(files)) put(nodes, path, text);
  const open = new Map([[ROOT, { node: nodes.get(""), path: "", at: 0 }]]);
  const view = () => new DataView(memory().buffer);
  const put32 = (at, ...values) => values.forEach((v, i) => view().setUint32(at + 4 * i, v, true));
  const put64 = (at, v) => view().setBigUint64(at, BigInt(v), true);
  const text = (at, length) => decoder.decode(new Uint8Array(memory().buffer, at, length));
  const find = (folder, at, length) => {
    const parts = open.get(folder).path ? open.get(folder).path.split("/") : [];
    for (const part of text(at, length).split("/"))
      if (part === "..") parts.pop();
      else if (part && part !== ".") parts.push(part);
    return parts.join("/");
  };
  const stat = (node, at) => {
    new Uint8Array(memory().buffer, at, 64).fill(0);
    view().setUint8(at + 16, typeOf(node));
    put64(at + 24, 1);
    put64(at + 32, node.folder ? 0 : bytesOf(node).length);
    return OK;
  };
  // Copies bytes from `from` on into a list of {address, length}; how many.
  const scatter = (bytes, from, list, count) => {
    let done = 0;
    for (let i = 0; i < count; i++) {
      const at = view().getUint32(list + 8 * i, true), room = view().getUint32(list + 8 * i + 4, true);
      const part = bytes.subarray(from + done, from + done + room);
      new Uint8Array(memory().buffer).set(part, at);
      done += part.length;
    }
    return done;
  };

  const calls = {
    fd_prestat_get: (fd, out) => fd === ROOT ? (put32(out, 0, 1), OK) : BADF,
    fd_prestat_dir_name: (fd, at) => (view().setUint8(at, 47), fd === ROOT ? OK : BADF),
    fd_fdstat_get: (fd, out) => {
      const file = open.get(fd);
      if (!file && fd > 2) return BADF;
      new Uint8Array(memory().buffer, out, 24).fill(0);
      view().setUint8(out, file ? typeOf(file.node) : CHARACTER);
      put64(out + 8, LIMIT - 1);
      put64(out + 16, LIMIT - 1);
      return OK;
    },
    fd_fdstat_set_flags: () => OK,
    path_open: (fd, _, at, length, flags, _rights, _inherited, _fdflags, out) => {
      const path = find(fd, at, length), node = nodes.get(path);
      if (!node) return flags & CREATES ? ROFS : NOENT;
      let number = ROOT + 1;
      while (open.has(number)) number++;
      open.set(number, { node, path, at: 0 });
      put32(out, number);
      return OK;
    },
    path_filestat_get: (fd, _, at, length, out) => {
      const node = nodes.get(find(fd, at, length));
      return node ? stat(node, out) : NOENT;
    },
    fd_filestat_get: (fd, out) => open.has(fd) ? stat(open.get(fd).node, out) : BADF,
    fd_read: (fd, list, count, out) => {
      const file = open.get(fd);
      if (!file && fd !== 0) return BADF;
      const done = file ? scatter(bytesOf(file.node), file.at, list, count) : 0;
      if (file) file.at += done;
      put32(out, done);
      return OK;
    },
    fd_seek: (fd, offset, whence, out) => {
      const file = open.get(fd);
      if (!file) return fd <= 2 ? 70 : BADF; // 70: a stream
      file.at = Number(offset) + [0, file.at, bytesOf(file.node).length][whence];
      put64(out, file.at);
      return OK;
    },
    fd_readdir: (fd, at, room, cookie, out) => {
      const file = open.get(fd);
      if (!file?.node.folder) return BADF;
      let used = 0;
      const names = [...file.node.folder].sort();
      for (let i = Number(cookie); i < names.length && used < room; i++) {
        const name = encoder.encode(names[i]), entry = new Uint8Array(24 + name.length), row = new DataView(entry.buffer);
        row.setBigUint64(0, BigInt(i + 1), true);
        row.setUint32(16, name.length, true);
        row.setUint8(20, typeOf(nodes.get(file.path ? `${file.path}/${names[i]}` : names[i])));
        entry.set(name, 24);
        new Uint8Array(memory().buffer).set(entry.subarray(0, room - used), at + used);
        used = Math.min(room, used + entry.length);
      }
      put32(out, used);
      return OK;
    },
    fd_close: (fd) => (open.delete(fd) ? OK : BADF),
    // Discards Lua's output.
    fd_write: (fd, list, count, out) => {
      let done = 0;
      for (let i = 0; i < count; i++) done += view().getUint32(list + 8 * i + 4, true);
      put32(out, done);
      return OK;
    },
    clock_time_get: (_, _precision, out) => (put64(out, BigInt(Math.round(performance.now() * 1e6))), OK),
    environ_sizes_get: (count, bytes) => (put32(count, 0), put32(bytes, 0), OK),
    environ_get: () => OK,
    proc_exit: () => { throw new Error("the script has called os.exit"); }
  };
  return {
    calls: new Proxy(calls, { get: (all, name) => all[name] ?? (() => NOSYS) }),
    put: (path, text) => put(nodes, path, text)
  };
}
