// Searches: in a worker of the page, or by the native engine of `sortie serve` where the page comes from it. One search
// at a time; stopping is immediate, with the best move known so far. Without shared memory the worker is ended and a new
// one started, which takes a few milliseconds; with it the engine is asked to stop and keeps what it has learnt, and a
// search by time thinks on several threads. One by nodes or depth is the same everywhere, on one thread.
import { EngineRefusal, isShared } from './module.js';

const HASH_MEBIBYTES = 64;
const MOST_THREADS = 8;

// How many threads this browser gives a search.
function threadsAllowed(module) {
  if (!globalThis.crossOriginIsolated || !isShared(module)) return 1;
  return Math.max(1, Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS));
}

class Engine {
  constructor(module, workerText, threads = threadsAllowed(module)) {
    this.module = module;
    this.workerAddress = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));
    this.flag = globalThis.crossOriginIsolated ? new SharedArrayBuffer(8) : null;
    this.threads = threads;
    this.helpers = []; // workers that think along
    this.native = null; // {threads} where a native engine is at hand
    this.useNative = false;
    this.count = 0;
    this.pending = null;
    this.worker = null; // started when it is first needed
  }

  spawn() {
    this.worker = this.newWorker({ module: this.module, hash: HASH_MEBIBYTES, flag: this.flag, helpers: this.threads - 1 });
  }

  newWorker(orders) {
    const worker = new Worker(this.workerAddress);
    worker.onmessage = ({ data }) => this.hear(data);
    worker.onerror = (event) => this.die(event.message || 'the engine stopped');
    worker.postMessage(orders);
    return worker;
  }

  hear(data) {
    if (data.helpers) {
      this.helpers = data.helpers.map((place) => this.newWorker({ module: this.module, flag: this.flag, place }));
      return;
    }
    if (data.error && data.id === undefined) return this.die(data.error);
    const pending = this.pending;
    if (!pending || data.id !== pending.id) return;
    if (data.info) return pending.inform(data.info);
    if (data.error && !data.refused) return this.die(data.error);
    this.pending = null;
    if (data.error) pending.reject(new EngineRefusal(data.error));
    else pending.resolve({ ...JSON.parse(data.answer), buffer: data.nodes });
  }

  // Ends the worker; the next one is started beforehand, so that nobody waits for it.
  end() {
    for (const each of [this.worker, ...this.helpers]) {
      each.onmessage = each.onerror = null;
      each.terminate();
    }
    this.helpers = [];
    this.spawn();
  }

  // A worker that dies is replaced; whoever waits is told.
  die(message) {
    const pending = this.pending;
    this.pending = null;
    this.end();
    if (pending) pending.reject(new Error(message));
  }

  // Any call of the door, in the worker. A call under way is stopped first.
  call(name, text, values, onInfo) {
    this.stop();
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      const pending = { id, name, resolve, reject, lines: [] };
      pending.inform = (info) => {
        pending.lines[info.line] = info;
        if (onInfo) onInfo(info);
      };
      this.pending = pending;
      if (!this.worker) this.spawn();
      this.worker.postMessage({ id, name, text, values });
    });
  }

  // Thinks about a position (src/protocols/ask.h). Gives {best, lines, stopped}; best is null when it was stopped before
  // anything was known.
  async think(text, onInfo) {
    const lines = [];
    const keep = (info) => {
      lines[info.line] = info;
      if (onInfo) onInfo(info);
    };
    const alone = this.threads === 1 || /^(nodes|depth) /m.test(text.split(/^position$/m)[0]);
    const answer = this.useNative && this.native ? await this.askNative(text, keep) : await this.call('web_think', text, [alone ? 0 : 1], keep);
    const best = answer.best || null;
    if (best && lines.length < 2) lines[0] = best;
    return { best, lines: lines.filter(Boolean), stopped: Boolean(answer.stopped) };
  }

  // The same over the wire: lines of JSON as they come.
  async askNative(text, onInfo) {
    this.stop();
    const cancel = new AbortController();
    let last = null;
    const stopped = new Promise((resolve) => {
      this.pending = { id: ++this.count, native: true, cancel, resolve: () => resolve({ stopped: true, best: last }) };
    });
    const mine = this.pending;
    const work = async () => {
      const response = await fetch('api/think', { method: 'POST', body: text, signal: cancel.signal });
      if (!response.ok) throw new Error((await response.text()).trim() || response.statusText);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done) throw new Error('the connection was lost');
        const lines = (rest + value).split('\n');
        rest = lines.pop();
        for (const line of lines.filter(Boolean)) {
          const answer = JSON.parse(line);
          if (answer.error) throw new EngineRefusal(answer.error);
          if (answer.best) return answer;
          if (answer.info.line === 0) last = answer.info;
          onInfo(answer.info);
        }
      }
    };
    const working = work();
    working.catch(() => {}); // after a stop nobody waits for it
    try {
      return await Promise.race([working, stopped]);
    } finally {
      if (this.pending === mine) this.pending = null;
    }
  }

  // Ends the search under way at once; whoever waits gets the best so far.
  stop() {
    const pending = this.pending;
    if (!pending) return;
    this.pending = null;
    if (pending.native) {
      pending.cancel.abort();
      pending.resolve();
      return;
    }
    if (this.flag && pending.name === 'web_think') Atomics.store(new Int32Array(this.flag), 0, pending.id); // all calls up to this one
    else this.end();
    pending.resolve({ stopped: true, best: pending.lines[0] || null });
  }
}

// What `sortie serve` lends, or null: only a page that came over http asks.
async function findNative() {
  if (!location.protocol.startsWith('http')) return null;
  try {
    const response = await fetch('api/about');
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}

export { Engine, findNative };
