// Searches: in a worker of the page, or by the native engine of `sortie serve` where the page comes from it. One search
// at a time; stopping is immediate, with the best move known so far. Without shared memory the worker is ended and a new
// one started, which takes a few milliseconds; with it the engine is asked to stop and keeps what it has learnt, and a
// search by time thinks on several threads. One by nodes or depth is the same everywhere, on one thread.
import { EngineRefusal, isShared } from './module.js';

const HASH_MEBIBYTES = 64;
const MOST_THREADS = 8;
const LOOK_AGAIN = 3000; // milliseconds between two looks for a server that was gone
const PATIENCE = 2000; // milliseconds to wait for a turn
const TURN_SECONDS = 5; // that a search lasts while others wait (src/serve/turns.h)

// How many threads this browser gives a search.
function threadsAllowed(module) {
  if (!globalThis.crossOriginIsolated || !isShared(module)) return 1;
  return Math.max(1, Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS));
}

// The native engine does not answer: its server is gone, or lends it to others.
class NativeAway extends Error {
  constructor(busy) {
    super('the native engine is away');
    this.busy = busy;
  }
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
    this.away = false; // its server does not answer
    this.tell = () => {}; // hears 'away', 'back' and 'busy'
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
    const answer = (await this.thinkNative(text, keep)) || (await this.call('web_think', text, [alone ? 0 : 1], keep));
    const best = answer.best || null;
    if (best && lines.length < 2) lines[0] = best;
    return { best, lines: lines.filter(Boolean), stopped: Boolean(answer.stopped) };
  }

  // The answer of the native engine, or null where there is none to be had: then the engine inside answers.
  async thinkNative(text, onInfo) {
    if (!this.useNative || !this.native || this.away) return null;
    try {
      return await this.askNative(text, onInfo);
    } catch (error) {
      if (!(error instanceof NativeAway)) throw error;
      if (error.busy) this.tell('busy');
      else this.awaitNative();
      return null;
    }
  }

  // The server is gone: the engine inside goes on, until it is back.
  awaitNative() {
    this.away = true;
    this.tell('away');
    const look = async () => {
      const found = await findNative();
      if (!found) return setTimeout(look, LOOK_AGAIN);
      this.native = found;
      this.away = false;
      this.tell('back');
    };
    setTimeout(look, LOOK_AGAIN);
  }

  // The same over the wire. Where others wait the server ends a long search early; it is then asked for the rest.
  async askNative(text, onInfo) {
    this.stop();
    const cancel = new AbortController();
    let last = null;
    const stopped = new Promise((resolve) => {
      this.pending = { id: ++this.count, native: true, cancel, resolve: () => resolve({ stopped: true, best: last }) };
    });
    const mine = this.pending;
    const note = (info) => {
      if (info.line === 0) last = info;
      onInfo(info);
    };
    const work = async () => {
      let [, left = 0] = /^time ([\d.]+)$/m.exec(text) || [];
      for (;;) {
        const from = performance.now();
        const answer = await fetchAnswer(left ? text.replace(/^time .*$/m, 'time ' + left) : text, cancel, note);
        const took = (performance.now() - from) / 1000;
        left = Math.floor((left - took) * 10) / 10;
        if (!(left > 1) || took < TURN_SECONDS || isProved(answer.best)) return answer;
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

const isProved = (best) => best.lower !== undefined && best.lower === best.upper;

// Lines of JSON as they come: each report to `onInfo`, the last one back.
async function fetchAnswer(text, cancel, onInfo) {
  const impatient = setTimeout(() => cancel.abort(new NativeAway(true)), PATIENCE);
  try {
    const response = await fetch('api/think', { method: 'POST', body: text, signal: cancel.signal });
    clearTimeout(impatient);
    if (response.status >= 500) throw new NativeAway(response.status === 503);
    if (!response.ok) throw new Error((await response.text()).trim() || response.statusText);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new NativeAway(false);
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      for (const line of lines.filter(Boolean)) {
        const answer = JSON.parse(line);
        if (answer.error) throw new EngineRefusal(answer.error);
        if (answer.best) return answer;
        onInfo(answer.info);
      }
    }
  } catch (error) {
    if (error instanceof TypeError) throw new NativeAway(false); // how a browser says that nobody answers
    throw error;
  } finally {
    clearTimeout(impatient);
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
