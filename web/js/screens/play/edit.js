// Setting up a position by hand: pieces, blocks, values, whose turn it is. The engine judges the result.
import { $ } from '../../core/dom.js';
import { make, numberIn, confirmLoss, announce } from '../../core/dialogs.js';
import { t, sideName } from '../../core/texts.js';
import { game, setGame, shownView } from '../../core/game.js';
import { viewOf } from '../../core/rules.js';
import { play, refresh, say, stopThinking } from './play.js';
import { showCourse } from './course.js';

const GLYPHS = { war: { '.': '.', a: 'X', b: 'O' }, laser: { '.': '0', a: '1', b: '2', '#': '3' }, gomoku: { '.': '.', a: 'X', b: 'O' } };

const edited = { view: null, cells: [], turn: 0, brush: '.' };

const brushesOf = (view) => Object.keys(GLYPHS[view.game]).concat(view.game === 'war' ? ['value'] : []);

// The edited board in sortie's own text.
function textOf() {
  const { view, cells, turn } = edited;
  const rows = (of) => Array.from({ length: view.rows }, (unused, row) => cells.slice(row * view.columns, (row + 1) * view.columns).map(of));
  const board = rows(([ink]) => GLYPHS[view.game][ink]).map((row) => row.join(''));
  if (view.game === 'war') {
    return [`war ${view.rules} ${view.rows} ${turn ? 'O' : 'X'}`, ...rows(([, label]) => label).map((row) => row.join(' ')), ...board, ''].join('\n');
  }
  if (view.game === 'laser') return [`laser ${view.rows} ${turn + 1}`, ...board, ''].join('\n');
  const empty = cells.every(([ink]) => ink === '.');
  return [`gomoku ${view.rules} ${view.rows}`, ...(empty ? [] : board), ''].join('\n');
}

function beginEdit() {
  stopThinking();
  play.engine.stop();
  const view = shownView();
  Object.assign(edited, { view, turn: view.toMove, cells: view.cells.map(([ink, label]) => ['a', 'b', '#'].includes(ink) ? [ink, label] : ['.', label]) });
  if (view.points) edited.cells = edited.cells.map(([ink]) => [ink, '']);
  play.edit = { onPlay: paint, board: () => ({ ...view, cells: edited.cells, last: -1 }) };
  edited.brush = brushesOf(view)[1];
  $('brushes').replaceChildren(...brushesOf(view).map((brush) => {
    const label = make('label');
    const input = make('input');
    Object.assign(input, { type: 'radio', name: 'brush', value: brush, checked: brush === edited.brush });
    input.onchange = () => { edited.brush = brush; };
    const name = brush === 'a' || brush === 'b' ? sideName(view, brush === 'a' ? 0 : 1) : t('brush.' + { '.': 'empty', '#': 'block', value: 'value' }[brush]);
    label.append(input, ' ', name);
    return label;
  }));
  $('edit-value-label').hidden = view.game !== 'war';
  $('edit-turn').replaceChildren(...[0, 1].map((side) => new Option(sideName(view, side), side, false, side === edited.turn)));
  $('edit-turn').parentElement.hidden = view.game === 'gomoku'; // the stones tell
  refresh();
}

function paint(index) {
  const [ink, label] = edited.cells[index];
  if (edited.brush === 'value') edited.cells[index] = [ink, String(numberIn($('edit-value')))];
  else edited.cells[index] = [ink === edited.brush ? '.' : edited.brush, label];
  refresh();
}

function endEdit() {
  play.edit = null;
  $('edit').open = false;
  refresh();
}

async function takeOver() {
  edited.turn = Number($('edit-turn').value);
  const start = textOf();
  try {
    viewOf(start, []);
  } catch (error) {
    say(error.message);
    return announce(error.message);
  }
  if (game.moves.length && !(await confirmLoss(t('edit.replace')))) return;
  setGame(start);
  play.paused = true;
  say('');
  showCourse();
  endEdit();
}

function startEdit() {
  play.listeners.push((view) => { $('edit').hidden = !GLYPHS[view.game]; }); // only these texts are known here
  $('edit').ontoggle = () => {
    if ($('edit').open && !play.edit) beginEdit();
    else if (!$('edit').open && play.edit) endEdit();
  };
  $('edit-done').onclick = takeOver;
  $('edit-cancel').onclick = endEdit;
  $('edit-clear').onclick = () => {
    edited.cells = edited.cells.map(([, label]) => ['.', label]);
    refresh();
  };
}

export { startEdit };
