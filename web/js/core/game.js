// The game on the board: where it began, its moves, which of them are shown, who plays. Kept in the browser, so that a
// reload loses nothing, and written into links.
import { t } from './texts.js';
import { startText, viewOf } from './rules.js';
import { isLevel } from './levels.js';
import { recall } from './store.js';
import { addressOf } from './router.js';

const STORE = 'sortie.game';

const game = {
  start: '', // sortie's own text
  moves: [],
  ply: 0, // how many of the moves are shown
  players: ['human', 'first'], // who begins and who answers: 'human' or the name of a level
  opening: 'free', // Gomoku: 'free', 'swap' or 'swap2'
  decisions: [], // about the colours, {ply, choice}: 'swap', 'stay' or, in the swap2, 'two' more stones
  evals: [], // by ply: {value, exact, share} for the graph
  used: [0, 0], // seconds each player has thought, in the order of `players`
  minutes: 0, // each player has; 0: no clock
  lostOnTime: -1, // the side that ran out of time
  file: null, // {name, text} of the file it came from
};

const SWAP2_STONES = 3;

const clampPly = (ply, moves) => Math.max(0, Math.min(moves.length, Math.trunc(Number(ply)) || 0));

const shownMoves = () => game.moves.slice(0, game.ply);
const shownView = () => viewOf(game.start, shownMoves());
const viewAt = (ply) => viewOf(game.start, game.moves.slice(0, ply));

// -- who plays which side, and who is to act --

const decisionAt = (ply) => game.decisions.find((each) => each.ply === ply)?.choice;
const isSwapped = (ply = game.ply) => game.decisions.filter((each) => each.ply <= ply && each.choice === 'swap').length % 2 === 1;

// The player, 0 or 1, who has a side at a ply; and the other way round.
const playerOf = (side, ply = game.ply) => (isSwapped(ply) ? 1 - side : side);
const whoHas = (side, ply = game.ply) => game.players[playerOf(side, ply)];

// Whether the colours are still to be chosen here, and by which player. In the swap the choice may also be left by a move.
function pendingChoice(ply = game.ply) {
  if (game.opening === 'swap' && ply === 1 && !decisionAt(1)) return { player: 1, choices: ['swap'] };
  if (game.opening !== 'swap2') return null;
  if (ply === SWAP2_STONES && !decisionAt(SWAP2_STONES)) return { player: 1, choices: ['stay', 'swap', 'two'], must: true };
  if (ply === SWAP2_STONES + 2 && decisionAt(SWAP2_STONES) === 'two' && !decisionAt(ply)) return { player: 0, choices: ['stay', 'swap'], must: true };
  return null;
}

// The player who is to act: who is to move, or places stones of both colours at the beginning of a swap2.
function actorAt(ply = game.ply, toMove = viewAt(ply).toMove) {
  const pending = pendingChoice(ply);
  if (pending) return pending.player;
  if (game.opening === 'swap2' && ply < SWAP2_STONES) return 0;
  if (game.opening === 'swap2' && ply < SWAP2_STONES + 2 && decisionAt(SWAP2_STONES) === 'two') return 1;
  return playerOf(toMove, ply);
}
const playerToMove = () => game.players[actorAt()];

// A new start; whoever calls has asked about the old game.
function setGame(start, moves = [], file = null) {
  viewOf(start, moves); // throws when a move does not fit
  Object.assign(game, { start, moves: [...moves], ply: moves.length, evals: [], used: [0, 0], minutes: 0, lostOnTime: -1, file, opening: 'free', decisions: [] });
}

// Plays a move from the position shown. A different continuation that was there is handed back, to be restored.
function playMove(move) {
  const next = [...shownMoves(), move];
  viewOf(game.start, next);
  const replaced = game.ply < game.moves.length && game.moves[game.ply] !== move ? game.moves : null;
  if (replaced || game.ply === game.moves.length) {
    game.moves = next;
    game.decisions = game.decisions.filter((each) => each.ply <= game.ply);
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
const isPlayer = (name) => name === 'human' || isLevel(name);

// What each kept value must be like; one that is not, of another version or a broken store, is left as in a new game.
const SENSE = {
  players: (value) => Array.isArray(value) && value.length === 2 && value.every(isPlayer),
  opening: (value) => ['free', 'swap', 'swap2'].includes(value),
  decisions: (value) => Array.isArray(value) && value.every((each) => Number.isInteger(each?.ply) && ['swap', 'stay', 'two'].includes(each.choice)),
  minutes: (value) => Number.isFinite(value) && value >= 0,
  lostOnTime: (value) => [-1, 0, 1].includes(value),
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

// Where the page is for others, where somebody has set it; it must be an address of the web.
const publicAddress = () => (/^https?:\/\/[^\s#]+$/.test(recall('address', '')) ? recall('address', '') : '');

// The address of the game on a screen; `extra` goes into it too.
const gameLink = async (screen = 'play', extra = {}) => {
  const query = { g: await pack(JSON.stringify([game.start, game.moves, game.ply])), ...extra };
  return (publicAddress() || location.href.split('#')[0]) + addressOf(screen, [], query);
};

// Takes over the game of a link, the `g` of its address; throws when there is none in it. Who plays stays as it is.
async function openLink(packed) {
  let content;
  try {
    content = JSON.parse(await unpack(packed));
  } catch {
    throw new Error(t('link.damaged'));
  }
  const [start, moves, ply] = Array.isArray(content) ? content : [];
  if (!isText(start) || !Array.isArray(moves) || !moves.every(isText)) throw new Error(t('link.damaged'));
  setGame(start, moves);
  game.ply = clampPly(ply, moves);
}

const freshStart = (index, size) => startText(index, size, Math.floor(Math.random() * 2 ** 31));

export { game, shownMoves, shownView, viewAt, playerToMove, playerOf, whoHas, isSwapped, pendingChoice, actorAt, decisionAt, setGame, playMove, rememberGame, recallGame, gameLink, publicAddress, openLink, freshStart, pack, unpack };
