// How fast the engine inside the page is against the program: the same searches on one thread with a fixed number of
// nodes, nodes a CPU second of the searching thread, one after the other in turn; other programs can only make a run
// slower, so the best of the rounds counts. Run by node, with --browser also by Debian's Chromium.
// Usage: node bench/web.js [ROUNDS] [--browser]   (after make all web; for the browser also tools/web_test.sh speed)
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { execFileSync } = require('node:child_process');

const root = path.join(__dirname, '..');
const rounds = Number(process.argv[2]) || 5;

const SEARCHES = [
  ['war 5x5', 3000000, 'war stake 5 X\n20 16 1 32 30\n20 12 2 11 8\n28 48 9 1 1\n20 12 10 6 2\n25 30 23 21 10\n..X..\n.....\n.O...\n.....\n.....\n'],
  ['war 8x8', 2000000, 'war stake 8 X\n' + Array.from({ length: 8 }, (_, r) => Array.from({ length: 8 }, (__, c) => 1 + ((r * 31 + c * 17) % 97)).join(' ')).join('\n') + '\n' + '........\n'.repeat(8)],
  ['laser 10x10', 1000000, 'laser 10 1\n0003000000\n0000000000\n0000000000\n0000030000\n0000000000\n0030000000\n0000000000\n0000000300\n0000000000\n0000000000\n'],
  ['gomoku 15x15', 400000, 'gomoku freestyle 15\nH8 H9 I8 G8 I10 G7 J9\n'],
];

const question = (nodes, position) => `nodes ${nodes}\nposition\n${position}`;
// The browser's compiler works beside the search at first; what counts is a second of thinking and more.
const warming = (nodes) => Math.round(nodes / 5);
const cpuSeconds = (task) => Number(fs.readFileSync(`/proc/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e9;

function programSpeed(nodes, position) {
  const file = path.join(root, 'build', 'web', 'bench.txt');
  fs.writeFileSync(file, position);
  const said = execFileSync('sh', ['-c', `"${path.join(root, 'build', 'sortie')}" move "${file}" --nodes ${nodes} --hash 64M --threads 1 --stdout --stats 2>&1 >/dev/null`]).toString();
  return Number(/nodes (\d+)/.exec(said)[1]) / Number(/cpu ([\d.]+)/.exec(said)[1]);
}

async function nodeSpeed() {
  const { startEngine } = await import(path.join(root, 'web', 'js', 'core', 'module.js'));
  const module = await WebAssembly.compile(fs.readFileSync(path.join(root, 'build', 'web', 'sortie.wasm')));
  return async (nodes, position) => {
    const engine = await startEngine(module);
    engine.call('web_hash', null, 64);
    engine.call('web_think', question(warming(nodes), position));
    const from = cpuSeconds('thread-self');
    const { best } = JSON.parse(engine.call('web_think', question(nodes, position)));
    return best.nodes / (cpuSeconds('thread-self') - from);
  };
}

// Whether a process comes from another, by who began whom.
function descends(pid, from) {
  for (let at = pid; at > 1;) {
    if (at === from) return true;
    at = Number(fs.readFileSync(`/proc/${at}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')[1]);
  }
  return false;
}

// The threads of all workers of a browser, and not of others beside it: only one is busy.
function workerTasks(browser) {
  const tasks = [];
  for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (!fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=renderer') || !descends(Number(pid), browser)) continue;
      for (const tid of fs.readdirSync(`/proc/${pid}/task`)) {
        if (fs.readFileSync(`/proc/${pid}/task/${tid}/comm`, 'utf8').startsWith('DedicatedWorker')) tasks.push(`${pid}/task/${tid}`);
      }
    } catch {
      continue; // it ended meanwhile
    }
  }
  return tasks;
}

async function browserSpeed() {
  const modules = path.join(root, 'build', 'web', 'npm', 'node_modules');
  const { chromium } = require(path.join(modules, 'playwright-core'));
  const server = await chromium.launchServer({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  const browser = await chromium.connect(server.wsEndpoint());
  const measure = async (nodes, position) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto('file://' + path.join(root, 'build', 'sortie.html') + '#play');
    await page.waitForFunction(() => document.body.dataset.ready);
    const think = (count) => page.evaluate(async (text) => (await sortie.play.engine.think(text)).best.nodes, question(count, position));
    const spent = () => workerTasks(server.process().pid).reduce((sum, task) => sum + cpuSeconds(task), 0);
    await think(warming(nodes));
    const from = spent();
    const visited = await think(nodes);
    const seconds = spent() - from;
    await context.close();
    return visited / seconds;
  };
  return { measure, close: () => server.close() };
}

(async () => {
  const inBrowser = process.argv.includes('--browser') ? await browserSpeed() : null;
  const speeds = [programSpeed, await nodeSpeed(), ...(inBrowser ? [inBrowser.measure] : [])];
  for (const [name, nodes, position] of SEARCHES) {
    const best = speeds.map(() => 0);
    for (let round = 0; round < rounds; round++) {
      for (const [i, speed] of speeds.entries()) best[i] = Math.max(best[i], await speed(nodes, position));
    }
    const shares = best.slice(1).map((speed, i) => `${['node', 'Chromium'][i]} ${(100 * speed / best[0]).toFixed(0)}%`);
    console.log(`${name.padEnd(14)} ${shares.join(', ')} of ${(best[0] / 1e6).toFixed(2)} million nodes a second`);
  }
  if (inBrowser) await inBrowser.close();
})();
