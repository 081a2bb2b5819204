// Runs the engine's WebAssembly module: the few system calls its C library asks for, texts in, texts out. Used by the
// page (for rules, at once) and by its worker (for searches).

const THREADS_MEMORY = { initial: 512, maximum: 16384, shared: true }; // in pages of 64 KiB; the linker has the same maximum

// Makes an instance of the module. `report` hears a line of a search under way; `stopped` is asked whenever the engine
// looks at the clock. A module for several threads lives in `shared` memory, the same for all that work together.
async function instantiate(module, report, stopped, shared) {
  let engine;
  let memory = shared;
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const decode = (at, length) => new TextDecoder().decode(shared ? bytes(at, length).slice() : bytes(at, length));
  const system = {
    memory,
    clock_time_get(clock, precision, out) {
      if (stopped && stopped()) engine.web_stop();
      const now = performance.timeOrigin + performance.now(); // the same for all workers
      new DataView(memory.buffer).setBigUint64(out, BigInt(Math.round(now * 1000)) * 1000n, true);
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
  memory ??= engine.memory;
  return { engine, bytes, decode };
}

// Whether a module is the one for several threads.
const isShared = (module) => WebAssembly.Module.imports(module).some((each) => each.kind === 'memory');

// The first instance, which is asked.
async function startEngine(module, report, stopped) {
  const shared = isShared(module) ? new WebAssembly.Memory(THREADS_MEMORY) : undefined;
  const { engine, bytes, decode } = await instantiate(module, report, stopped, shared);
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
  const nodes = () => bytes(engine.web_nodes(), engine.web_nodes_length()).slice().buffer;

  // Room for helpers on the same memory: for each what enterEngine wants. They are there once their workers have come in.
  function hire(helpers) {
    const stacks = Array.from({ length: helpers }, () => engine.threads_stack()).filter(Boolean);
    engine.web_threads(stacks.length + 1);
    return stacks.map((stack, index) => ({ memory: shared, index, stack }));
  }
  return { call, nodes, hire, idle: () => engine.threads_idle() };
}

// Comes into a module as one of its helpers and stays for ever: it does what the first instance calls it for.
async function enterEngine(module, { memory, index, stack }, report, stopped) {
  const { engine } = await instantiate(module, report, stopped, memory);
  engine.threads_enter(index, stack);
}

// What was given is wrong; the text says where and what was expected.
class EngineRefusal extends Error {}

export { startEngine, enterEngine, isShared, EngineRefusal };
