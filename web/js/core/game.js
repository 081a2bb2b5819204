// The game on the board: where it began, its moves, which of them are shown, who plays. Kept in the browser, so that a
// reload loses nothing, and written into links.
import { startText, viewOf } from './rules.js';
import { LEVELS } from './levels.js';
import { addressOf } from './router.js';

const STORE = 'sortie.game';

const game = {
  start: '', // sortie's own text
  moves: [],
  ply: 0, // how many of the moves are shown
  players: ['human', 'full'], // 'human' or the name of a level
  swapRule: false, // Gomoku: the second player may take over the first stone
  swapped: false,
  evals: [], // by ply: {value, exact, share} for the graph
  used: [0, 0], // seconds each side has thought
  file: null, // {name, text} of the file it came from
};

const clampPly = (ply, moves) => Math.max(0, Math.min(moves.length, Math.trunc(Number(ply)) || 0));

const shownMoves = () => game.moves.slice(0, game.ply);
const shownView = () => viewOf(game.start, shownMoves());
const viewAt = (ply) => viewOf(game.start, game.moves.slice(0, ply));
const playerToMove = () => game.players[shownView().toMove];

// A new start; whoever calls has asked about the old game.
function setGame(start, moves = [], file = null) {
  viewOf(start, moves); // throws when a move does not fit
  Object.assign(game, { start, moves: [...moves], ply: moves.length, evals: [], used: [0, 0], file, swapped: false });
}

// Plays a move from the position shown. A different continuation that was there is handed back, to be restored.
function playMove(move) {
  const next = [...shownMoves(), move];
  viewOf(game.start, next);
  const replaced = game.ply < game.moves.length && game.moves[game.ply] !== move ? game.moves : null;
  if (replaced || game.ply === game.moves.length) {
    game.moves = next;
    game.evals.length = Math.min(game.evals.length, next.length);
  }
  game.ply++;
  return replaced;
}

// -- keeping it --

function rememberGame() {
  try {
    localStorage.setItem(STORE, JSON.stringify(game));
  } catch {
    // A browser that keeps nothing: the game lives as long as the page.
  }
}

const isText = (value) => typeof value === 'string';
const isPlayer = (name) => name === 'human' || LEVELS.some((level) => level.name === name);

// What each kept value must be like; one that is not, of another version or a broken store, is left as in a new game.
const SENSE = {
  players: (value) => Array.isArray(value) && value.length === 2 && value.every(isPlayer),
  swapRule: (value) => typeof value === 'boolean',
  swapped: (value) => typeof value === 'boolean',
  evals: (value) => Array.isArray(value) && value.every((each) => !each || typeof each === 'object'),
  used: (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite),
  file: (value) => value === null || (typeof value === 'object' && isText(value.name) && isText(value.text)),
};

// The kept game, when it still makes sense to this version of the engine.
function recallGame() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE));
    if (!kept || !isText(kept.start) || !Array.isArray(kept.moves) || !kept.moves.every(isText)) return false;
    setGame(kept.start, kept.moves);
    game.ply = clampPly(kept.ply, kept.moves);
    for (const [key, makesSense] of Object.entries(SENSE)) if (makesSense(kept[key])) game[key] = kept[key];
    return true;
  } catch {
    return false;
  }
}

// -- links: the whole game behind the '#', packed --

async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

const MOST_LINK = 1 << 20;

async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new TextDecoder().decode(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > MOST_LINK) throw new Error('the link is too long');
    parts.push(value);
  }
}

// The address of the game on a screen; `extra` goes into it too.
const gameLink = async (screen = 'play', extra = {}) => {
  const query = { g: await pack(JSON.stringify([game.start, game.moves, game.ply])), ...extra };
  return location.href.split('#')[0] + addressOf(screen, [], query);
};

// Takes over the game of a link, the `g` of its address; throws when there is none in it.
async function openLink(packed) {
  const content = JSON.parse(await unpack(packed));
  const [start, moves, ply] = Array.isArray(content) ? content : [];
  if (!isText(start) || !Array.isArray(moves) || !moves.every(isText)) throw new Error('expected a start and its moves');
  setGame(start, moves);
  game.ply = clampPly(ply, moves);
}

const freshStart = (index, size) => startText(index, size, Math.floor(Math.random() * 2 ** 31));

export { game, shownMoves, shownView, viewAt, playerToMove, setGame, playMove, rememberGame, recallGame, gameLink, openLink, freshStart };
