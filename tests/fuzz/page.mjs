// Feeds the page's own readers changed links, kept games, files, certificates and typed trees, with the engine the page has inside:
//   node tests/fuzz/page.mjs build/web/sortie.wasm [INPUTS] [SEED]
// Whatever comes in, it is refused in words, or what is taken is a game that can be played on. Ends with 1 at the first
// input that does neither, which it prints.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';

const source = fileURLToPath(new URL('../..', import.meta.url));
const [wasm, inputs = '100000', seed = '1'] = process.argv.slice(2);

// -- chance --

let state = Number(seed) >>> 0;

// A whole number below `below`; the same for the same seed everywhere.
function chance(below) {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) % below;
}

const oneOf = (list) => list[chance(list.length)];

// -- the page's modules, as node takes them --

const kept = new Map();
globalThis.localStorage = {
  getItem: (key) => (kept.has(key) ? kept.get(key) : null),
  setItem: (key, value) => kept.set(key, String(value)),
};
globalThis.location = { hash: '', href: 'file:///sortie.html' };

// They are bundled as tools/web.sh does it, with the list of languages that it has made.
async function loadPage() {
  const folder = await mkdtemp(join(tmpdir(), 'sortie-page-'));
  try {
    const names = ['core/module', 'core/rules', 'core/game', 'core/levels', 'screens/explore/typed', 'screens/explore/link', 'screens/explore/search'];
    await writeFile(join(folder, 'entry.js'), names.map((name) => `export * from ${JSON.stringify(join(source, 'web/js', name + '.js'))};`).join('\n'));
    execFileSync('esbuild', [join(folder, 'entry.js'), '--bundle', '--format=esm', '--log-level=warning', `--alias:languages=${join(source, 'build/web/languages.js')}`, `--outfile=${join(folder, 'page.mjs')}`]);
    const page = await import(pathToFileURL(join(folder, 'page.mjs')));
    await page.startRules(await WebAssembly.compile(await readFile(wasm)));
    return page;
  } finally {
    await rm(folder, { recursive: true });
  }
}

// -- seeds and changes --

async function seedTexts() {
  const texts = [
    '(;GM[4]FF[4]SZ[15];B[hh];W[hi];B[ii])', '(;FF[4]GM[4]SZ[19]KM[6.5]C[a \\] b]AB[aa][bb]AW[cc];W[dd](;B[ee])(;B[ff]))',
    'gomoku freestyle 15\nH8 H9 I9\n', 'war stake 3 X\n1 2 3\n4 5 6\n7 8 9\n...\n.X.\n..O\n', 'laser 3 1\n000\n000\n000\n',
  ];
  const golden = join(source, 'tests/golden');
  for (const game of await readdir(golden)) {
    for (const each of await readdir(join(golden, game)).catch(() => [])) {
      const text = await readFile(join(golden, game, each, 'input.txt'), 'utf8').catch(() => null);
      if (text !== null && text.length < 3000) texts.push(text);
    }
  }
  return texts;
}

async function seedProofs() {
  const folder = join(source, 'tests/fuzz/seeds');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.proof'));
  return Promise.all(names.map(async (name) => new Uint8Array(await readFile(join(folder, name)))));
}

const WORDS = ['\n', '\0', ',', '"', '[', ']', '-1', '0', '99999999999999999999', '1e309', 'NaN', 'null', 'X', 'O', 'move ', 'position\n',
  'time 9\n', 'gomoku', 'freestyle', '15', 'H8', 'A1', ';B[', 'AB[', '\\', '(', ')', '\u0000', '\ud800', 'é', ' ', '\r\n', '.', '#'];

// Some pieces cut out, doubled, exchanged or put in.
function changeText(text) {
  let changed = text;
  for (let times = 1 + chance(4); times > 0; times--) {
    const at = chance(changed.length + 1);
    const length = chance(4) ? chance(4) : chance(changed.length + 1);
    const piece = [oneOf(WORDS), String.fromCharCode(chance(256)), changed.slice(at, at + length), ''][chance(4)];
    changed = changed.slice(0, at) + piece + changed.slice(at + (chance(2) ? length : 0));
  }
  return changed;
}

function changeBytes(bytes) {
  const changed = Uint8Array.from(bytes);
  for (let times = 1 + chance(4); times > 0 && changed.length; times--) changed[chance(changed.length)] = chance(256);
  return chance(3) ? changed : changed.subarray(0, chance(changed.length + 1));
}

const ODD = [null, undefined, 0, -1, 1.5, 1e300, '', 'A1', 'H8\nmove H9', 'H8,H9', 'H8\0', [], {}, [[]], true, '__proto__', ['H8'], 'A1 Stake'];

// Any part of some data replaced by something odd.
function changeData(data) {
  if (chance(3) === 0 || data === null || typeof data !== 'object') return typeof data === 'string' && chance(2) ? changeText(data) : oneOf(ODD);
  const copy = Array.isArray(data) ? [...data] : { ...data };
  const keys = Object.keys(copy);
  if (!keys.length || (Array.isArray(copy) && chance(4) === 0)) return [...keys.map((key) => copy[key]), oneOf(ODD)];
  const key = oneOf(keys);
  copy[key] = changeData(copy[key]);
  return copy;
}

const packed = (bytes) => Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');

// -- what must hold --

function insist(good, what) {
  if (!good) throw new Error('broken: ' + what);
}

// The game as it is now can be shown and played on.
function checkGame(page) {
  const { game } = page;
  insist(typeof game.start === 'string' && Array.isArray(game.moves), 'a start and moves');
  insist(Number.isInteger(game.ply) && game.ply >= 0 && game.ply <= game.moves.length, `ply ${game.ply} of ${game.moves.length}`);
  insist(Array.isArray(game.evals) && game.used.length === 2 && game.used.every(Number.isFinite), 'what is known of the moves');
  insist(game.players.length === 2 && game.players.every((name) => name === 'human' || page.isLevel(name)), 'players');
  insist(game.file === null || (typeof game.file.name === 'string' && typeof game.file.text === 'string'), 'the file');
  insist(['free', 'swap', 'swap2'].includes(game.opening) && Array.isArray(game.decisions), 'the opening');
  for (let i = 0; i < game.moves.length; i++) {
    const before = game.moves.slice(0, i);
    const after = (move) => freshView(page, game.start, [...before, move]).text;
    const { moves } = freshView(page, game.start, before);
    // Another spelling is fine as long as it is one move.
    const isMove = moves.includes(game.moves[i]) || moves.some((move) => after(move) === after(game.moves[i]));
    insist(isMove, `move ${JSON.stringify(game.moves[i])} is none`);
  }
  page.shownView();
}

// The engine's own word, whatever the page keeps.
const freshView = (page, start, moves) => JSON.parse(page.rules.engine.call('web_view', page.askText(start, moves)));

// Runs `read`: false when it refused in words, and then nothing may have changed.
async function accepted(page, read) {
  const before = JSON.stringify(page.game);
  try {
    return (await read()) !== false;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError || String(error.message).startsWith('broken')) throw error;
    insist(typeof error.message === 'string' && error.message.length > 0, 'a refusal without words');
    insist(JSON.stringify(page.game) === before, 'a refusal that changed the game');
    return false;
  }
}

const TREES = ['((3 12 8) (2 4 6) (14 5 2))', 'min ((6 9 4) (7 2 11))', '((T:(6 9 7) (8 5 9)) (T (4 12 11)) (U:(3 8 2) T))', '((2 3 5)@4 [9 1 4]@-5 {6 7 2})', '(A:(B:(1 2) B) A A)'];

const KINDS = {
  async link(page, seeds) {
    const data = oneOf(seeds.games);
    const changed = chance(8) ? changeData(data) : data;
    let text = JSON.stringify(changed) ?? 'null';
    if (chance(4) === 0) text = changeText(text);
    let bytes = deflateRawSync(Buffer.from(text));
    if (chance(4) === 0) bytes = changeBytes(bytes);
    let link = packed(bytes);
    if (chance(8) === 0) link = changeText(link);
    return { input: link, run: async () => (await accepted(page, () => page.openLink(link))) && checkGame(page) };
  },
  async kept(page, seeds) {
    let text = JSON.stringify(changeData(oneOf(seeds.kept))) ?? 'null';
    if (chance(8) === 0) text = changeText(text);
    kept.set('sortie.game', text);
    return { input: text, run: async () => (await accepted(page, () => page.recallGame())) && checkGame(page) };
  },
  async file(page, seeds) {
    const text = changeText(oneOf(seeds.texts));
    return {
      input: text,
      run: async () => {
        let about;
        if (await accepted(page, () => { about = page.readFile(text); })) freshView(page, about.start, []);
      },
    };
  },
  // A tree typed by hand: refused with a place, or searched to the value of minimax.
  async typed(page) {
    const text = changeText(oneOf(TREES));
    return {
      input: text,
      run: () => {
        let tree;
        try {
          tree = page.parseTree(text);
        } catch (error) {
          if (!(error instanceof page.TreeError)) throw error;
          return insist(error.line >= 1 && error.column >= 1 && error.column <= text.length + 1, 'a fault without a place');
        }
        for (const method of [{}, { table: true }, { deepening: true }]) {
          const trace = page.runSearch(tree, method);
          insist(trace.get(trace.count - 1, page.STEP.value) === tree.truth[0], `the value of ${JSON.stringify(method)}`);
        }
      },
    };
  },
  // What a link asks of the explorer.
  async explorer(page, seeds) {
    const [start, moves, ply] = oneOf(seeds.games);
    const query = { t: oneOf(TREES), e: oneOf(['textbook', 'war', 'toString']), g: packed(deflateRawSync(Buffer.from(JSON.stringify(chance(2) ? [start, moves, ply] : changeData([start, moves, ply])) ?? 'null'))),
      l: oneOf(['race', 'table', 'constructor', '']), d: String(oneOf([1, 3, -1, 99, 1e30, 'x'])), x: oneOf(['7', '2.3.4', '1.99.999999999', '-1', '']), tour: oneOf(['3', '', 'x']) };
    for (const name of Object.keys(query)) if (chance(2)) delete query[name];
    const text = changeText(new URLSearchParams(query).toString());
    return {
      input: text,
      run: () => accepted(page, async () => {
        const { source, lesson, depth, step, tour } = await page.readQuery(new URLSearchParams(text));
        const count = (value, most) => value === null || (Number.isInteger(value) && value >= 0 && value <= most);
        insist(count(depth, 12) && count(step, 1e9) && Number.isInteger(tour), 'numbers');
        insist(lesson === null || ['minimax', 'alphabeta', 'race', 'order', 'deepening', 'table'].includes(lesson), 'the lesson');
        insist(source === null || typeof source.text === 'string' || (typeof source.start === 'string' && source.moves.every((move) => typeof move === 'string')), 'the source');
      }),
    };
  },
  async moves(page, seeds) {
    const [start, moves] = oneOf(seeds.games);
    const changed = moves.map((move) => (chance(3) ? move : chance(2) ? changeText(move) : String(oneOf(ODD))));
    return {
      input: JSON.stringify([start, changed]),
      run: async () => (await accepted(page, () => page.setGame(start, changed))) && checkGame(page),
    };
  },
  async proof(page, seeds) {
    const bytes = changeBytes(oneOf(seeds.proofs));
    return {
      input: packed(bytes),
      run: async () => {
        let proof;
        if (!(await accepted(page, () => { proof = page.openProof(bytes); }))) return;
        freshView(page, proof.start, []);
        page.proofOf(proof.start, []);
      },
    };
  },
};

// -- all of it --

// Games of some moves from fresh boards, as links hold them.
function seedGames(page) {
  const games = [];
  for (let index = 0; index < page.rules.games.length; index++) {
    for (const length of [0, 2, 5]) {
      const start = page.startText(index, page.rules.games[index].least + 2, 7);
      const moves = [];
      while (moves.length < length && !page.viewOf(start, moves).over) moves.push(oneOf(page.viewOf(start, moves).moves));
      games.push([start, moves, chance(length + 1)]);
    }
  }
  return games;
}

const page = await loadPage();
const games = seedGames(page);
page.setGame(...games[0]);
const seeds = {
  games, texts: await seedTexts(), proofs: await seedProofs(),
  kept: games.map(([start, moves, ply]) => ({ ...page.game, start, moves, ply, evals: [{ value: 1 }], file: { name: 'a', text: 'b' } })),
};
const fresh = JSON.stringify(page.game);
const count = {};
for (let i = 0; i < Number(inputs); i++) {
  const kind = oneOf(['link', 'kept', 'file', 'file', 'moves', 'proof', 'typed', 'explorer']);
  const { input, run } = await KINDS[kind](page, seeds);
  count[kind] = (count[kind] ?? 0) + 1;
  try {
    await run();
  } catch (error) {
    console.log(`FAIL: ${kind} number ${i} of seed ${seed}: ${error.stack}\n${JSON.stringify(input)}`);
    process.exit(1);
  }
  if (chance(4) === 0) Object.assign(page.game, JSON.parse(fresh));
}
console.log(`page: ${inputs} inputs (${Object.entries(count).map(([kind, number]) => `${kind} ${number}`).join(', ')}), no fault`);
