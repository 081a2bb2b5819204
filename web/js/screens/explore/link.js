// The explorer's address: which tree, which lesson, which step. An address of a step opens exactly that tree.
import { pack, unpack } from '../../core/game.js';
import { EXAMPLES, sourceOf } from './examples.js';
import { LESSONS } from './lessons.js';

const MOST_DEPTH = 12;
const packed = { key: '', text: '' };

// The board's start and moves in a few characters; the last one is kept, since every step asks for it.
async function packBoard({ start, moves }) {
  const key = JSON.stringify([start, moves, moves.length]);
  if (packed.key !== key) Object.assign(packed, { key, text: await pack(key) });
  return packed.text;
}

async function queryOf({ source, lesson, depth, step, tour, embed }) {
  const query = {};
  if (source.example) query.e = source.example;
  else if (source.kind === 'typed') query.t = source.text;
  else query.g = await packBoard(source);
  query.l = lesson;
  if (source.kind === 'board') query.d = depth;
  if (tour >= 0) query.tour = tour + 1;
  else query.x = step;
  if (embed) query.embed = '';
  return query;
}

const whole = (text, most) => (/^\d{1,9}$/.test(text || '') ? Math.min(most, Number(text)) : null);

// What an address asks for: {source, lesson, depth, step, tour, embed}; what it does not say is null. Throws when its
// board cannot be read. "x=2.3.17" (method, depth, step) is how earlier versions wrote it.
async function readQuery(query) {
  const old = /^([12])\.(\d{1,2})\.(\d{1,9})$/.exec(query.get('x') || '');
  const lesson = old ? ['minimax', 'alphabeta'][old[1] - 1] : query.get('l');
  return {
    source: await readSource(query),
    lesson: lesson && Object.hasOwn(LESSONS, lesson) ? lesson : null,
    depth: whole(old ? old[2] : query.get('d'), MOST_DEPTH) || null,
    step: whole(old ? old[3] : query.get('x'), 1e9),
    tour: query.has('tour') ? (whole(query.get('tour'), 99) ?? 1) - 1 : -1,
    embed: query.has('embed'),
  };
}

async function readSource(query) {
  if (query.get('t')) return { kind: 'typed', text: query.get('t') };
  if (query.get('e') && Object.hasOwn(EXAMPLES, query.get('e'))) return sourceOf(query.get('e'));
  if (!query.get('g')) return null;
  const content = JSON.parse(await unpack(query.get('g')));
  const [start, moves, ply] = Array.isArray(content) ? content : [];
  const isText = (value) => typeof value === 'string';
  if (!isText(start) || !Array.isArray(moves) || !moves.every(isText)) throw new Error('expected a start and its moves');
  return { kind: 'board', start, moves: moves.slice(0, Number.isInteger(ply) ? Math.max(0, ply) : moves.length) };
}

export { queryOf, readQuery, MOST_DEPTH };
