// The engine's side of the page: one worker, one search at a time. It is sent {module, hash, flag} once and then
// {id, name, text, values}; it answers {id, info} while thinking and {id, answer}, {id, steps} or {id, error} at the end.
import { startEngine } from './module.js';

let engine;
let current;

onmessage = async ({ data }) => {
  if (data.module) {
    const flag = data.flag && new Int32Array(data.flag); // shared with the page where the browser allows it
    const stopped = flag && (() => Atomics.load(flag, 0) >= current);
    engine = startEngine(data.module, (line) => postMessage({ id: current, info: line.info }), stopped);
    (await engine).call('web_hash', null, data.hash);
    return;
  }
  current = data.id;
  try {
    const { call, steps } = await engine;
    const answer = call(data.name, data.text, ...(data.values || []));
    if (data.name === 'web_explore') {
      const buffer = steps();
      postMessage({ id: data.id, answer, steps: buffer }, [buffer]);
    } else {
      postMessage({ id: data.id, answer });
    }
  } catch (error) {
    postMessage({ id: data.id, error: error.message, refused: error.constructor.name === 'EngineRefusal' });
  }
};
