// Runs the engine's WebAssembly module: the few system calls its C library asks for, texts in, texts out. Used by the
// page (for rules, at once) and by its worker (for searches).

// `report` hears a line of a search under way; `stopped` is asked whenever the engine looks at the clock.
async function startEngine(module, report, stopped) {
  let engine;
  const bytes = (at, length) => new Uint8Array(engine.memory.buffer, at, length);
  const decode = (at, length) => new TextDecoder().decode(bytes(at, length));
  const system = {
    clock_time_get(clock, precision, out) {
      if (stopped && stopped()) engine.web_stop();
      new DataView(engine.memory.buffer).setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    proc_exit(code) {
      throw new Error('the engine stopped with ' + code);
    },
    report(at, length) {
      if (report) report(JSON.parse(decode(at, length)));
    },
  };
  const refuse = () => 52; // what a system call that is not there answers
  const imports = {};
  for (const { module: room, name } of WebAssembly.Module.imports(module)) {
    (imports[room] ??= {})[name] = system[name] || refuse;
  }
  engine = (await WebAssembly.instantiate(module, imports)).exports;
  engine._initialize();

  // Calls an exported function with a text, or bytes, as its input; gives its answer, or throws what the engine has against it.
  function call(name, text, ...values) {
    if (text !== null) {
      const isText = typeof text === 'string';
      const input = isText ? new TextEncoder().encode(text) : text;
      const at = isText && input.length > 1 << 20 ? 0 : engine.web_input(input.length);
      if (!at) throw new EngineRefusal(`expected at most ${isText ? 1 : 128} MiB, got ${input.length} bytes`);
      bytes(at, input.length).set(input);
    }
    const status = engine[name](...values);
    const answer = decode(engine.web_output(), engine.web_output_length());
    if (status === 2) throw new EngineRefusal(JSON.parse(answer).error);
    return answer;
  }
  const steps = () => bytes(engine.web_steps(), engine.web_steps_length()).slice().buffer;
  return { call, steps };
}

// What was given is wrong; the text says where and what was expected.
class EngineRefusal extends Error {}

export { startEngine, EngineRefusal };
