// Matches between playing levels, without a browser, with the engine that is in the page:
//   node tests/web/levels.js [GAME...] [--games N]
// Each start is played with both sides. Prints, for a bot that looks one move ahead against the lowest level and for each
// level against the one below it, the results and the difference in Elo with its bounds of 95%.
'use strict';
const fs = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..', '..');
const FULL_NODES = Number(process.env.FULL_NODES || 50000); // full strength for these matches
const web = path.join(root, 'web', 'js', 'core');

// A plain generator with a seed, so that a match is the same every time.
function seeded(state) {
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return next;
}

async function newEngine() {
  const { startEngine } = await import(path.join(web, 'module.js'));
  const module = await WebAssembly.compile(fs.readFileSync(path.join(root, 'build', 'web', 'sortie.wasm')));
  const engine = await startEngine(module);
  engine.call('web_hash', null, 16);
  return { ...engine, levels: await import(path.join(web, 'levels.js')) };
}

const askText = (start, moves, limits = {}) => [...Object.entries(limits).filter(([, value]) => value).map((each) => each.join(' ')), ...moves.map((move) => 'move ' + move), 'position', start].join('\n');
const viewOf = (engine, start, moves) => JSON.parse(engine.call('web_view', askText(start, moves)));

// A player's move: a level by its name, a plan, or a function (engine, start, moves, view, random).
function chooseMove(engine, player, start, moves, view, random) {
  if (typeof player === 'function') return player(engine, start, moves, view, random);
  const { planOf, wildMove, levelLimits } = engine.levels;
  const plan = typeof player === 'string' ? planOf(player, view) : player;
  const wild = wildMove(plan, view, random);
  if (wild) return wild;
  return JSON.parse(engine.call('web_think', askText(start, moves, levelLimits(plan, { nodes: FULL_NODES })))).best.move;
}

// One game; the score from the view of the first side.
function playGame(engine, start, players, random) {
  const moves = [];
  for (;;) {
    const view = viewOf(engine, start, moves);
    if (view.over) return view.score;
    moves.push(chooseMove(engine, players[view.toMove], start, moves, view, random));
  }
}

// Greedy, one move ahead: on boards with a margin the move after which it leads by most; in Gomoku the square with the
// longest own and foreign rows through it.
function onePly(engine, start, moves, view, random) {
  const worth = view.margin ? (move) => {
    const { score } = viewOf(engine, start, [...moves, move]);
    return view.toMove === 0 ? score : -score;
  } : (move) => rowsThrough(view, (Number(move.slice(1)) - 1) * view.columns + move.charCodeAt(0) - 65);
  let best = [];
  let most = -Infinity;
  for (const move of view.moves) {
    const value = worth(move);
    if (value > most) [most, best] = [value, []];
    if (value === most) best.push(move);
  }
  return best[Math.floor(random() * best.length)];
}

function rowsThrough(view, index) {
  const [row, column] = [Math.floor(index / view.columns), index % view.columns];
  const own = view.toMove === 0 ? 'a' : 'b';
  let sum = 0;
  for (const [ink, weight] of [[own, 1.1], [own === 'a' ? 'b' : 'a', 1]]) {
    for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
      let length = 0;
      let open = 0;
      for (const way of [1, -1]) {
        let r = row + way * down;
        let c = column + way * right;
        const at = () => (r >= 0 && c >= 0 && r < view.rows && c < view.columns ? view.cells[r * view.columns + c][0] : '#');
        for (; at() === ink; r += way * down, c += way * right) length++;
        if (at() === '.') open++;
      }
      if (length >= 4) sum += weight * 1e6;
      else if (open) sum += weight * open * 10 ** length;
    }
  }
  return sum;
}

// Starts of a game: boards drawn from seeds; in Gomoku a few stones in the middle.
function startsOf(engine, game, count) {
  const random = seeded(7);
  const list = [];
  for (let i = 0; i < count; i++) {
    if (game === 'gomoku') {
      const stones = new Set(['H8']);
      while (stones.size < 3) stones.add(String.fromCharCode(70 + Math.floor(random() * 5)) + (6 + Math.floor(random() * 5)));
      list.push(`gomoku freestyle 15\n${[...stones].join(' ')}\n`);
    } else if (game === 'laser') list.push(engine.call('web_start', null, 1, 0, 10, i + 1));
    else list.push(engine.call('web_start', null, 0, i % 2, 5 + (i % 3), i + 1));
  }
  return list;
}

// Elo of a score from 0 to 1.
const eloOf = (share) => -400 * Math.log10(1 / Math.min(0.999, Math.max(0.001, share)) - 1);

// `count` games; the results from the stronger one's view.
function match(engine, game, weak, strong, count, seed = 2026) {
  const random = seeded(seed);
  const tally = { won: 0, even: 0, lost: 0 };
  for (const start of startsOf(engine, game, Math.ceil(count / 2))) {
    for (const side of [0, 1]) {
      const score = playGame(engine, start, side === 0 ? [strong, weak] : [weak, strong], random) * (side === 0 ? 1 : -1);
      tally[score > 0 ? 'won' : score < 0 ? 'lost' : 'even']++;
    }
  }
  const games = tally.won + tally.even + tally.lost;
  const share = (tally.won + tally.even / 2) / games;
  const error = 1.96 * Math.sqrt((tally.won * (1 - share) ** 2 + tally.even * (0.5 - share) ** 2 + tally.lost * share ** 2) / games / games);
  return { ...tally, share, elo: eloOf(share), low: eloOf(share - error), high: eloOf(share + error) };
}

const words = ({ won, even, lost, elo, low, high }) => `+${won} =${even} -${lost}   ${Math.round(elo)} Elo (${Math.round(low)} to ${Math.round(high)})`;

async function main(given) {
  const option = (name, usual) => (given.includes(name) ? given[given.indexOf(name) + 1] : usual);
  const engine = await newEngine();
  const games = ['war', 'laser', 'gomoku'].filter((game) => given.includes(game));
  const count = Number(option('--games', 100));
  for (const game of games.length ? games : ['war', 'laser', 'gomoku']) {
    const names = engine.levels.levelsOf({ game });
    console.log(`${game}: one ply against ${names[0]}: ${words(match(engine, game, names[0], onePly, count))}`);
    for (const [i, strong] of names.slice(1).entries()) {
      console.log(`${game}: ${strong} against ${names[i]}: ${words(match(engine, game, names[i], strong, count))}`);
    }
  }
}

module.exports = { newEngine, match, onePly, words };
if (require.main === module) main(process.argv.slice(2));
