// The rules, on the page's own thread and at once: they all live in the engine, this only asks it.
import { startEngine, EngineRefusal } from './module.js';
import { Board } from '../board/draw.js';

const rules = { engine: null, games: [], seen: new Map(), proofs: 0 };

async function startRules(module) {
  rules.engine = await startEngine(module);
  rules.games = JSON.parse(rules.engine.call('web_games', null));
}

// A search or a question in the engine's own lines (src/protocols/ask.h). A move is one line and no more of them.
function askText(start, moves, limits = {}) {
  const broken = moves.find((move) => /[\0\r\n]/.test(move));
  if (broken !== undefined) throw new EngineRefusal(`expected a move, found ${JSON.stringify(broken.slice(0, 40))}`);
  const lines = Object.entries(limits).filter(([, value]) => value).map(([name, value]) => `${name} ${value}`);
  return [...lines, ...moves.map((move) => 'move ' + move), 'position', start].join('\n');
}

// The position after the moves, as plain data; kept for as long as it is among the last few hundred asked for.
function viewOf(start, moves) {
  const key = JSON.stringify([start, moves]);
  let view = rules.seen.get(key);
  if (!view) {
    view = JSON.parse(rules.engine.call('web_view', askText(start, moves)));
    if (rules.seen.size > 400) rules.seen.delete(rules.seen.keys().next().value);
    rules.seen.set(key, view);
  }
  return view;
}

// A fresh board of game number `index` of the menu, in sortie's own text.
function startText(index, size, seed) {
  const { game, rules: name } = rules.games[index];
  const names = [...new Set(rules.games.map((each) => each.game))];
  const variants = rules.games.filter((each) => each.game === game).map((each) => each.rules);
  return rules.engine.call('web_start', null, names.indexOf(game), variants.indexOf(name), size, seed);
}

const nearestOf = (sizes, wanted) => sizes.reduce((best, size) => (Math.abs(size - wanted) < Math.abs(best - wanted) ? size : best));
const menuIndexOf = (view) => rules.games.findIndex((each) => each.game === view.game && each.rules === view.rules);
const sgfOf = (start, moves) => rules.engine.call('web_sgf', askText(start, moves));
const swapOpening = (start) => JSON.parse(rules.engine.call('web_swap_opening', askText(start, []), Math.floor(Math.random() * 2 ** 31))).move;
const readFile = (text) => JSON.parse(rules.engine.call('web_course', text));

// -- proofs --

// Takes a certificate in. Gives the position it is about, in sortie's own text, and how many are known now.
function openProof(bytes) {
  const count = Number(rules.engine.call('web_open_proof', bytes));
  const [, name, , , ...rest] = new TextDecoder().decode(bytes.subarray(0, 400)).split('\n');
  const size = Number(name.split(' ').pop());
  rules.proofs++;
  return { start: ['gomoku freestyle ' + size, ...rest.slice(0, size)].join('\n') + '\n', count };
}

// What an opened certificate proves about a position, as a line of an analysis; null where it says nothing.
function proofOf(start, moves) {
  if (!rules.proofs) return null;
  const { move, value } = JSON.parse(rules.engine.call('web_proof', askText(start, moves)));
  return move ? { line: 0, depth: 0, nodes: 0, seconds: 0, move, moves: [move], value, lower: value, upper: value, proof: true } : null;
}

// The name of a square as moves have it, and the legal moves on it.
const squareName = (view, index) => Board.name(view, index);

// The name people use: a letter and a number; where a course counts from 0, its numbers behind it.
function squareSaid(view, index) {
  const letters = String.fromCharCode(65 + ((index % view.columns) % 26)) + (Math.floor(index / view.columns) + 1);
  return view.numbers ? `${letters} (${squareName(view, index)})` : letters;
}

// A move as people read it: "C5 (4 2)" for "4 2", all others as they are.
const moveSaid = (view, move) => (view.numbers && /^\d+ \d+$/.test(move) ? squareSaid(view, squareOf(view, move)) : move);

function movesOn(view, index) {
  const name = squareName(view, index);
  const here = view.moves.filter((move) => move === name || (!view.numbers && move.startsWith(name + ' ')));
  return here.length ? here : movesNowhere(view);
}

// Of the moves on a square those that lead to different positions: a raid that takes nothing is the stake beside it.
function differentMoves(start, moves, index) {
  const seen = new Set();
  return movesOn(viewOf(start, moves), index).filter((move) => {
    const { text } = viewOf(start, [...moves, move]);
    return !seen.has(text) && seen.add(text);
  });
}

// Those on no square, such as a pass: they are offered on every square that has none of its own.
const movesNowhere = (view) => (view.numbers ? [] : view.moves.filter((move) => !/^[A-Z]\d+( |$)/.test(move)));

// The square a move is played on.
function squareOf(view, move) {
  if (view.numbers) {
    const [row, column] = move.split(' ').map(Number);
    return row * view.columns + column;
  }
  const name = move.split(' ')[0];
  return (Number(name.slice(1)) - 1) * view.columns + name.charCodeAt(0) - 65;
}

const differing = (one, two) => one.cells.flatMap((cell, i) => (cell[0] === two.cells[i][0] ? [] : [i]));

// The squares of a row of five or more (exactly five in "exact"), or none.
function winningLine(view) {
  if (view.game !== 'gomoku' || !view.over || view.score === 0) return [];
  const ink = view.score > 0 ? 'a' : 'b';
  const at = (row, column) => row >= 0 && column >= 0 && row < view.rows && column < view.columns &&
    view.cells[row * view.columns + column][0] === ink;
  for (const [down, right] of [[0, 1], [1, 0], [1, 1], [1, -1]]) {
    for (let row = 0; row < view.rows; row++) {
      for (let column = 0; column < view.columns; column++) {
        if (!at(row, column) || at(row - down, column - right)) continue;
        const line = [];
        for (let r = row, c = column; at(r, c); r += down, c += right) line.push(r * view.columns + c);
        if (view.rules === 'exact' ? line.length === 5 : line.length >= 5) return line;
      }
    }
  }
  return [];
}

export { rules, startRules, askText, viewOf, startText, menuIndexOf, nearestOf, sgfOf, swapOpening, readFile, openProof, proofOf, squareName, squareSaid, moveSaid, movesOn, differentMoves, squareOf, differing, winningLine };
