// Has the module for several threads think on two of them, as the page's workers do: node threads.mjs MODULE.wasm
// Both must work: nodes a second of CPU time of both together are compared with those of one alone.
import assert from 'node:assert';
import { readFileSync, readdirSync, writeSync } from 'node:fs';
import { Worker, isMainThread, workerData } from 'node:worker_threads';
import { startEngine, enterEngine } from '../../web/js/core/module.js';

const POSITIONS = [
  'war stake 8 X\n' + Array.from({ length: 8 }, (_, r) => Array.from({ length: 8 }, (__, c) => 1 + ((r * 31 + c * 17) % 97)).join(' ')).join('\n') + '\n' + '........\n'.repeat(8),
  'laser 10 1\n0003000000\n' + '0000000000\n'.repeat(3) + '0000030000\n0000000000\n0030000000\n0000000000\n0000000300\n0000000000\n',
  'gomoku freestyle 15\nH8 I9 J7\n',
];

if (!isMainThread) {
  try {
    await enterEngine(workerData.module, workerData.place);
  } catch (error) {
    writeSync(2, `a helper died: ${error.stack}\n`);
  }
}

const cpuSeconds = () => readdirSync('/proc/self/task').map((task) => Number(readFileSync(`/proc/self/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e9);

async function startTeam(module) {
  const engine = await startEngine(module);
  engine.call('web_hash', null, 16);
  const [place] = engine.hire(1);
  const helper = new Worker(new URL(import.meta.url), { workerData: { module, place } });
  while (engine.idle() < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  return { engine, helper };
}

// Thinks for a second; how much each thread worked, and how many nodes there were in a second of both.
function think({ engine }, position, several) {
  const before = cpuSeconds();
  const { best } = JSON.parse(engine.call('web_think', `time 1\nposition\n${position}`, several));
  const spent = cpuSeconds().map((seconds, i) => seconds - before[i]).sort((a, b) => b - a);
  return { spent, speed: best.nodes / (spent[0] + (several ? spent[1] : 0)) };
}

// Whether the helper worked, and as fast as the first thread would alone; other programs may be in the way of one try.
function compare(team, position) {
  for (const several of [0, 1]) think(team, position, several); // compiled by now
  const [alone, both] = [0, 1].map((several) => think(team, position, several));
  const share = both.spent[1] / both.spent[0];
  console.log(`${position.split(' ')[0]}: the helper worked ${(100 * share).toFixed(0)}% as long, both at ${(100 * both.speed / alone.speed).toFixed(0)}% of the speed alone`);
  return share > 0.2 && both.speed > 0.5 * alone.speed;
}

if (isMainThread) {
  const team = await startTeam(await WebAssembly.compile(readFileSync(process.argv[2])));
  for (const position of POSITIONS) {
    let good = false;
    for (let i = 0; i < 5 && !good; i++) good = compare(team, position);
    assert.ok(good, 'two threads do more than one');
  }
  await team.helper.terminate();
  process.exit(); // a helper never comes back by itself
}
