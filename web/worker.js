// The engine's side of the page: runs the WebAssembly module in a worker, so that thinking never blocks a click.
// It answers {id, call, arguments, text} with {id, status, text}.
'use strict';
let engine;

// The few system calls the C library asks for: a clock, and a place to write nothing to.
function system() {
  const view = () => new DataView(engine.memory.buffer);
  const refuse = () => 52; // not supported
  const calls = {
    clock_time_get(clock, precision, out) {
      view().setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    proc_exit(code) {
      throw new Error('the engine stopped with ' + code);
    },
  };
  return new Proxy({}, { get: (unused, name) => calls[name] || refuse });
}

const put = (text) => {
  const bytes = new TextEncoder().encode(text);
  new Uint8Array(engine.memory.buffer, engine.web_buffer(), bytes.length + 1).set([...bytes, 0]);
  return bytes.length;
};

const take = () => {
  const bytes = new Uint8Array(engine.memory.buffer, engine.web_buffer());
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
};

onmessage = async ({ data }) => {
  if (data.module) {
    const names = WebAssembly.Module.imports(data.module);
    const imports = {};
    const calls = system();
    for (const { module, name } of names) (imports[module] ??= {})[name] = calls[name];
    engine = (await WebAssembly.instantiate(data.module, imports)).exports;
    engine._initialize();
    postMessage({ id: data.id, status: 0, text: '' });
    return;
  }
  const values = data.text === undefined ? data.values || [] : [put(data.text)];
  const status = engine[data.call](...values);
  postMessage({ id: data.id, status, text: take() });
};
