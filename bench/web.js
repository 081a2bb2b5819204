// How fast the engine inside the page is against the program: the same searches on one thread with a fixed number of
// nodes, CPU seconds of both, one after the other in turn. Usage: node bench/web.js [ROUNDS]   (after make all web)
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');

const root = path.join(__dirname, '..');
const rounds = Number(process.argv[2]) || 3;

const SEARCHES = [
  ['war 5x5', 3000000, 'war stake 5 X\n20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n25 30 23 21 10\n..X..\n.....\n.O...\n.....\n.....\n'],
  ['war 8x8', 2000000, 'war stake 8 X\n' + Array.from({ length: 8 }, (_, r) => Array.from({ length: 8 }, (__, c) => 1 + ((r * 31 + c * 17) % 97)).join(' ')).join('\n') + '\n' + '........\n'.repeat(8)],
  ['laser 10x10', 1000000, 'laser 10 1\n0003000000\n0000000000\n0000000000\n0000030000\n0000000000\n0030000000\n0000000000\n0000000300\n0000000000\n0000000000\n'],
  ['gomoku 15x15', 400000, 'gomoku freestyle 15\nH8 H9 I8 G8 I10 G7 J9\n'],
];

async function load() {
  const source = fs.readFileSync(path.join(root, 'web', 'js', 'module.js'), 'utf8').replace(/^export .*$/m, '');
  const { startEngine } = new Function(source + '; return { startEngine };')();
  const module = await WebAssembly.compile(fs.readFileSync(path.join(root, 'build', 'web', 'sortie.wasm')));
  return async () => {
    const engine = await startEngine(module);
    engine.call('web_hash', null, 64);
    return engine;
  };
}

// Of this thread alone: the compiler works beside it.
const cpuSeconds = () => Number(fs.readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e9;

function native(file, nodes) {
  const said = execFileSync('sh', ['-c', `"${path.join(root, 'build', 'sortie')}" move "${file}" --nodes ${nodes} --hash 64M --threads 1 --stdout --stats 2>&1 >/dev/null`]).toString();
  return { nodes: Number(/nodes (\d+)/.exec(said)[1]), cpu: Number(/cpu ([\d.]+)/.exec(said)[1]) };
}

(async () => {
  const fresh = await load();
  for (const [name, nodes, position] of SEARCHES) {
    const file = path.join(root, 'build', 'web', 'bench.txt');
    fs.writeFileSync(file, position);
    const ratios = [];
    for (let round = 0; round < rounds; round++) {
      const one = native(file, nodes);
      const engine = await fresh();
      engine.call('web_think', `nodes ${Math.round(nodes / 5)}\nposition\n${position}`); // the browser's compiler warms up
      const from = cpuSeconds();
      const { best } = JSON.parse(engine.call('web_think', `nodes ${nodes}\nposition\n${position}`));
      const two = { nodes: best.nodes, cpu: cpuSeconds() - from };
      ratios.push((two.nodes / two.cpu) / (one.nodes / one.cpu));
    }
    ratios.sort((a, b) => a - b);
    console.log(`${name.padEnd(14)} ${(100 * ratios[ratios.length >> 1]).toFixed(0)}% of one native thread`);
  }
})();
