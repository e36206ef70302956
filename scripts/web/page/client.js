// The engine for the page: each of its methods as a promise. A loop is stopped by ending the worker.
//
//   const client = new Client(workerSource, {wasm, files});
//   const {words} = await client.open();
//   const result = await client.run({...});
//   client.stop();                       pending calls are rejected with Stopped, and the next one starts a new worker

export class Stopped extends Error {
  constructor() { super("stopped"); }
}

const METHODS = ["kernel", "example", "board", "look", "put", "run", "time", "events", "columns", "state", "debug", "stops", "memory", "part",
  "report", "own", "grade", "predict", "variant", "prove"];

export class Client {
  // `worker`: the text of a script, since a page from a file cannot load another file.
  constructor(worker, given) {
    this.url = URL.createObjectURL(new Blob([worker], { type: "text/javascript" }));
    this.given = given;
    this.next = 0;
    this.waiting = new Map();
    this.start();
  }

  start() {
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({ data: { id, value, error, lost } }) => {
      if (lost) {
        this.stop(new Error(`heddle broke off and was started again, which is a mistake of heddle's: ${error}`));
        return;
      }
      const { resolve, reject } = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) resolve(value);
      else reject(new Error(error));
    };
    this.worker.onerror = (event) => this.stop(new Error(event.message));
    this.opened = this.post("start", [this.given]);
    this.opened.catch(() => {}); // callers get the error
  }

  post(call, given) {
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, call, given });
    });
  }

  open() { return this.opened; }

  // Drops the old worker, with the last run and the files put there.
  stop(why = new Stopped()) {
    this.worker.terminate();
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of waiting) reject(why);
    this.start();
  }
}

for (const name of METHODS)
  Client.prototype[name] = async function (...given) {
    await this.opened;
    return this.post(name, given);
  };
