// What stands beside the tree: the algorithm with its current line and variables, the counts, the board at the node.
import { el } from '../../core/dom.js';
import { t, sideName } from '../../core/texts.js';
import { squareOf } from '../../core/rules.js';
import { countWords } from '../../core/values.js';
import { Board } from '../../board/draw.js';
import { codeOf, linesAt, variablesAt } from './code.js';
import { explorer, activePane, localStep, boardAt } from './explorer.js';
import { numberSign } from './gametree.js';
import { whoMoves } from './words.js';
import { LESSONS } from './lessons.js';

// -- the algorithm --

function drawCode(place, method) {
  place.replaceChildren(...codeOf(method).map(([name, indent, text]) => {
    const line = el('span.code-line', { data: { line: name || '' } }, text + '\n');
    line.style.paddingLeft = `${0.6 + indent * 1.3}em`;
    return line;
  }));
}

function markCode(place, trace, step) {
  const names = linesAt(trace, step);
  for (const line of place.children) {
    const now = names.includes(line.dataset.line);
    line.classList.toggle('now', now);
    if (now) line.setAttribute('aria-current', 'step');
    else line.removeAttribute('aria-current');
  }
}

// Where the algorithm or the column beside the tree scrolls by itself, the lines that run stay in it, the first
// before the last.
function keepInSight(place) {
  const lines = [...place.querySelectorAll('.now')];
  if (!lines.length) return;
  for (const around of [place, place.closest('.theatre-side')]) {
    if (!around || around.scrollHeight <= around.clientHeight) continue;
    const [first, last, frame] = [lines[0], lines.at(-1), around].map((each) => each.getBoundingClientRect());
    const down = last.bottom > frame.bottom ? last.bottom - frame.bottom + last.height : 0;
    if (down || first.top < frame.top) around.scrollTop += Math.min(down, first.top - frame.top - first.height);
  }
}

// The variables of the running call; those that this step has changed stand out.
function drawVariables(place, trace, step) {
  const { tree } = trace;
  const now = variablesAt(trace, step);
  const words = {
    node: `${tree.saidOf(now.node) || t('explore.root')} (${whoMoves(tree, now.node)})`, depth: now.depth,
    ...(trace.bounds ? { α: numberSign(now.alpha), β: numberSign(now.beta) } : {}),
    v: numberSign(now.value), best: now.best < 0 ? '–' : tree.shortName(now.best),
  };
  const before = drawVariables.before.get(place) || {};
  drawVariables.before.set(place, words);
  place.replaceChildren(...Object.entries(words).map(([name, value]) =>
    el(before[name] !== undefined && before[name] !== value ? 'div.changed' : 'div', { data: { name } },
      el('dt', null, name === 'node' || name === 'depth' || name === 'best' ? t('explore.var.' + name) : name), el('dd', null, String(value)))));
}
drawVariables.before = new WeakMap();

// -- the counts --

const COLUMNS = ['nodes', 'leaves', 'cuts'];

// A row: what was counted, with the share of minimax's nodes.
function countRow(name, counts, all) {
  const cells = counts === undefined ? ['…', '', ''] : counts === null ? ['–', '', ''] : COLUMNS.map((column) => (counts[column] === undefined ? '' : countWords(counts[column])));
  const share = counts && all && name !== 'minimax' ? ` (${((100 * counts.nodes) / all.nodes).toFixed(counts.nodes * 10 < all.nodes ? 1 : 0)}%)` : '';
  cells[0] += share;
  return el('tr', { data: { count: name } }, el('th', { scope: 'row' }, t('count.' + name)), cells.map((cell) => el('td', null, cell)));
}

function drawCounts(place) {
  const { counts, tree, source, lesson, panes } = explorer;
  const extra = LESSONS[lesson].map(({ name }) => name);
  const names = ['minimax', 'alphabeta', 'best', ...(tree.complete ? ['worst'] : []), ...['deepening', 'table'].filter((name) => extra.includes(name))];
  const head = el('tr', null, el('th', { scope: 'col' }, t('count.title')), COLUMNS.map((name) => el('th', { scope: 'col' }, t('count.' + name))));
  const rows = names.map((name) => countRow(name, counts[name], counts.minimax));
  const now = panes.map((pane) => {
    const row = countRow(pane.name, pane.trace.countsAt(localStep(pane)), null);
    row.firstChild.textContent = t('count.sofar', { name: t('count.' + pane.name) });
    row.classList.add('sofar');
    row.removeAttribute('data-count');
    row.dataset.sofar = pane.name;
    return row;
  });
  place.replaceChildren(el('table', null, el('thead', null, head), el('tbody', null, now), el('tbody', null, rows)));
  if (source.kind === 'board') {
    const { engine } = counts;
    place.append(el('p.soft', { data: { count: 'engine' } }, t('count.engine', { nodes: engine === undefined ? '…' : engine ? countWords(engine.nodes) : '–' })));
  }
}

// -- the board --

function drawBoardAt(place) {
  const pane = activePane();
  const at = boardAt(pane.trace.nodeAt(localStep(pane)), pane.tree);
  place.hidden = !at;
  if (!at) return;
  const { view, move } = at;
  place.innerHTML = Board.draw({ ...view, last: move ? squareOf(view, move) : -1, title: t('explore.boardAt') });
}

// The names of MAX and MIN on a board, null for a typed tree.
function sidesOf() {
  if (explorer.source.kind !== 'board') return null;
  const view = boardAt(0).view;
  return [sideName(view, view.toMove), sideName(view, 1 - view.toMove)];
}

export { drawCode, markCode, keepInSight, drawVariables, drawCounts, drawBoardAt, sidesOf };
