// The engine's side of the page: one worker, one search at a time. It is sent {module, hash, flag, helpers} once and then
// {id, name, text, values}; it answers {id, info} while thinking and {id, answer}, {id, nodes} or {id, error} at the end.
// Where page and workers share memory it first says {helpers}, what further workers are to be sent: those come into the
// same memory and think along.
import { startEngine, enterEngine } from './module.js';

const WAIT_FOR_HELPERS = 500; // milliseconds, before the first search

let engine;
let flag; // shared with the page where the browser allows it: the last call that was stopped, the one under way
let current;
let expected = 0; // helpers not yet seen

const tell = (line) => postMessage({ id: flag ? Atomics.load(flag, 1) : current, info: line.info });

async function begin({ module, hash, helpers }) {
  engine = startEngine(module, tell, flag && (() => Atomics.load(flag, 0) >= Atomics.load(flag, 1)));
  const { call, hire } = await engine;
  call('web_hash', null, hash);
  if (!helpers) return;
  const places = hire(helpers);
  expected = places.length;
  postMessage({ helpers: places });
}

// Helpers come in while this worker sleeps; a search without some of them is only slower.
function waitForHelpers(idle) {
  const until = performance.now() + WAIT_FOR_HELPERS;
  while (expected && idle() < expected && performance.now() < until) Atomics.wait(flag, 1, Atomics.load(flag, 1), 2);
  expected = 0;
}

async function answer({ id, name, text, values }) {
  const { call, nodes, idle } = await engine;
  current = id;
  if (flag) Atomics.store(flag, 1, id);
  if (name === 'web_think') waitForHelpers(idle);
  const said = call(name, text, ...(values || []));
  if (name !== 'web_tree') return postMessage({ id, answer: said });
  const buffer = nodes();
  postMessage({ id, answer: said, nodes: buffer }, [buffer]);
}

onmessage = async ({ data }) => {
  if (data.flag) flag = new Int32Array(data.flag);
  try {
    if (data.place) await enterEngine(data.module, data.place, tell, () => Atomics.load(flag, 0) >= Atomics.load(flag, 1));
    else await (data.module ? begin(data) : answer(data));
  } catch (error) {
    postMessage({ id: data.id, error: error.message, refused: error.constructor.name === 'EngineRefusal' });
  }
};
