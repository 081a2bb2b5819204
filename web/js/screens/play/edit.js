// Setting up a position by hand: pieces, blocks, values, whose turn it is. The engine judges the result.
import { $, el } from '../../core/dom.js';
import { numberIn, confirmLoss } from '../../core/dialogs.js';
import { t, sideName } from '../../core/texts.js';
import { game, setGame, shownView } from '../../core/game.js';
import { viewOf } from '../../core/rules.js';
import { play, refresh, say, stopThinking } from './play.js';

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
  refresh();
  $('edit').querySelector('input').focus();
}

const brushName = (view, brush) => (brush === 'a' || brush === 'b' ? sideName(view, brush === 'a' ? 0 : 1) : t('brush.' + { '.': 'empty', '#': 'block', value: 'value' }[brush]));

// The panel beside the board while it is edited.
function drawEdit() {
  const place = $('edit');
  place.hidden = !play.edit;
  if (!play.edit) return place.replaceChildren();
  if (place.childElementCount) return;
  const { view } = edited;
  const brushes = brushesOf(view).map((brush) => el('label.brush',
    el('input', { type: 'radio', name: 'brush', value: brush, checked: brush === edited.brush, onchange: () => chooseBrush(brush) }), el('span', brushName(view, brush))));
  const parts = [el('h2', t('edit.title')), el('p.soft', t('edit.how')),
    el('div.row', { id: 'brushes', role: 'radiogroup', 'aria-label': t('edit.brush') }, brushes),
    view.game === 'war' ? el('label.field', { id: 'edit-value-field' }, el('span', t('edit.value')), el('input', { id: 'edit-value', type: 'number', min: 1, max: 1000000000, step: 1, value: 10 })) : null,
    // In Gomoku the stones tell whose turn it is.
    view.game === 'gomoku' ? null : el('label.field', el('span', t('edit.turn')), el('select', { id: 'edit-turn' }, [0, 1].map((side) => el('option', { value: side, selected: side === edited.turn }, sideName(view, side))))),
    el('p.bad', { id: 'edit-fault', role: 'alert' }),
    el('div.row', el('button.strong', { id: 'edit-done', onclick: takeOver }, t('edit.done')), el('button', { id: 'edit-clear', onclick: clear }, t('edit.clear')), el('button', { id: 'edit-cancel', onclick: endEdit }, t('edit.cancel')))];
  place.append(...parts.filter(Boolean));
  chooseBrush(edited.brush);
}

// The field of values is there while values are put.
function chooseBrush(brush) {
  edited.brush = brush;
  if ($('edit-value-field')) $('edit-value-field').hidden = brush !== 'value';
}

function clear() {
  edited.cells = edited.cells.map(([, label]) => ['.', label]);
  refresh();
}

function paint(index) {
  const [ink, label] = edited.cells[index];
  const cells = edited.cells.slice();
  if (edited.brush === 'value') cells[index] = [ink, String(numberIn($('edit-value')))];
  else cells[index] = [ink === edited.brush ? '.' : edited.brush, label];
  edited.cells = cells;
  $('edit-fault').textContent = '';
  refresh();
}

function endEdit() {
  play.edit = null;
  refresh();
  $('more').focus();
}

async function takeOver() {
  if ($('edit-turn')) edited.turn = Number($('edit-turn').value);
  const start = textOf();
  try {
    viewOf(start, []);
  } catch (error) {
    $('edit-fault').textContent = error.message;
    return;
  }
  if (game.moves.length && !(await confirmLoss(t('edit.replace')))) return;
  setGame(start);
  play.paused = true;
  say('');
  endEdit();
}

// Only the games whose texts are known here can be edited.
const canEdit = (view) => Boolean(GLYPHS[view.game]);

export { beginEdit, drawEdit, canEdit };
