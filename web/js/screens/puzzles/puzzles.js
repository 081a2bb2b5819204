// The puzzles of web/puzzles.txt (tools/puzzles says what they promise), and what this browser has solved.
import { recall, keep } from '../../core/store.js';
import { readPuzzles } from '../../core/unpack.js';

const STORE = 'puzzles';
const KINDS = ['gomoku', 'stake', 'sneak', 'laser'];
const STARS_OF_DAY = [5, 1, 2, 3, 3, 4, 4]; // Sunday first: the week gets harder
const STEP = 5; // solved in a row before a step up is proposed

let list = null;

// A number that stays with a puzzle, whatever stands before it in the file.
function idOf(text) {
  let hash = 2166136261;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16777619);
  return (hash >>> 0).toString(36);
}

const kindOf = (start) => (start.startsWith('war') ? start.split(' ')[1] : start.split(' ')[0]);

function readPuzzle(line) {
  const [type, worth, stars, move, ...rest] = line.split(';');
  const start = rest.join(';').replaceAll('/', '\n') + '\n';
  const [value, second] = worth.split(':').map(Number);
  return { id: idOf(line), kind: kindOf(start), type, moves: type === 'win' ? value : 1, value, second, stars: Number(stars), move, start };
}

async function loadPuzzles() {
  if (!list) {
    const text = await readPuzzles();
    list = text.split('\n').filter((line) => line && line[0] !== '#').map(readPuzzle);
  }
  return list;
}

// -- what was done --

const record = () => recall(STORE, { done: {}, streak: 0, best: 0, step: {}, row: {}, daily: {} });

// Notes how a puzzle ended: 'ok' at the first try and alone, else 'help'. Gives whether a step up is due.
function note(puzzle, outcome, day) {
  const known = record();
  known.done[puzzle.id] = known.done[puzzle.id] === 'ok' ? 'ok' : outcome;
  known.streak = outcome === 'ok' ? known.streak + 1 : 0;
  known.best = Math.max(known.best, known.streak);
  known.row[puzzle.kind] = outcome === 'ok' ? (known.row[puzzle.kind] || 0) + 1 : 0;
  if (day && !known.daily[day]) known.daily[day] = outcome;
  const up = known.row[puzzle.kind] >= STEP && stepOf(puzzle.kind) < 5 && puzzle.stars === stepOf(puzzle.kind);
  keep(STORE, known);
  return up;
}

const stepOf = (kind) => record().step[kind] || 1;

function setStep(kind, stars) {
  const known = record();
  known.step[kind] = Math.max(1, Math.min(5, stars));
  known.row[kind] = 0;
  keep(STORE, known);
}

// Which kind was chosen last.
const keepKind = (kind) => keep(STORE, { ...record(), kind });

// The next one of a kind and step that was not solved yet, behind `after`; then those that needed help, then any.
function nextPuzzle(all, kind, stars, after) {
  const these = all.filter((each) => each.kind === kind && each.stars === stars);
  const { done } = record();
  const from = these.findIndex((each) => each.id === after) + 1;
  const turned = [...these.slice(from), ...these.slice(0, from)];
  return turned.find((each) => !done[each.id]) || turned.find((each) => done[each.id] !== 'ok') || turned[0] || null;
}

const solvedCount = (all, kind, stars) => {
  const { done } = record();
  const these = all.filter((each) => each.kind === kind && (!stars || each.stars === stars));
  return { solved: these.filter((each) => done[each.id]).length, count: these.length };
};

// -- the daily one --

// The date here, as 2026-11-18.
function localDay(date = new Date()) {
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part, i) => String(part).padStart(i ? 2 : 4, '0')).join('-');
}

// Whether a text is a day there is or was.
function isDay(text) {
  const date = new Date(text + 'T12:00');
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && localDay(date) === text;
}

// The puzzle of a day: the same everywhere, easy on Monday and hard on Sunday.
function dailyPuzzle(all, day) {
  const [year, month, date] = day.split('-').map(Number);
  const number = Math.round(Date.UTC(year, month - 1, date) / 86400000);
  const stars = STARS_OF_DAY[new Date(Date.UTC(year, month - 1, date)).getUTCDay()];
  const these = all.filter((each) => each.stars === stars);
  return these[(Math.imul(number, 7919) >>> 0) % these.length];
}

export { KINDS, loadPuzzles, record, keepKind, note, stepOf, setStep, nextPuzzle, solvedCount, localDay, isDay, dailyPuzzle };
