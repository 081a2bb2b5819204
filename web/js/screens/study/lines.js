// The best lines of an analysis: one row each, changed in place, so that a click never misses and the focus stays. A row
// that is pointed at keeps what it shows until the pointer leaves.
import { el } from '../../core/dom.js';
import { t } from '../../core/texts.js';
import { moveSaid } from '../../core/rules.js';
import { valueSeen, isExact } from '../../core/values.js';

const MOST_MOVES = 12;

// One line a move: of two that begin alike the one that saw further; best first.
function distinctLines(lines) {
  const best = new Map();
  for (const line of lines.filter(Boolean)) {
    const known = best.get(line.move);
    if (!known || line.depth > known.depth || (line.depth === known.depth && line.line < known.line)) best.set(line.move, line);
  }
  return [...best.values()].sort((one, two) => two.value - one.value || one.line - two.line);
}

class LinesView {
  // `onHover(moves)`: a line is pointed at, up to one of its moves; null: none is. `onPlay(moves)`: it was clicked.
  constructor(place, onHover, onPlay) {
    Object.assign(this, { place, onHover, onPlay, rows: [], held: null, pressed: null });
    place.addEventListener('pointerover', (event) => this.point(event.target));
    place.addEventListener('pointerleave', () => this.leave());
    place.addEventListener('focusin', (event) => this.point(event.target));
    place.addEventListener('focusout', (event) => place.contains(event.relatedTarget) || this.leave());
    place.addEventListener('pointerdown', (event) => { this.pressed = this.movesAt(event.target); });
    place.addEventListener('click', (event) => {
      const moves = (event.detail && this.pressed) || this.movesAt(event.target);
      this.pressed = null;
      if (!moves) return;
      this.leave();
      this.onPlay(moves);
    });
  }

  movesAt(target) {
    const button = target.closest('button');
    const row = button && this.rows.find((each) => each.item.contains(button));
    return row && row.line ? row.line.moves.slice(0, row.buttons.indexOf(button) + 1) : null;
  }

  point(target) {
    const moves = this.movesAt(target);
    this.held = this.rows.find((each) => each.item.contains(target)) || null;
    this.onHover(moves);
  }

  leave() {
    this.held = null;
    this.onHover(null);
  }

  row(index) {
    if (this.rows[index]) return this.rows[index];
    const row = { item: el('li'), value: el('b'), buttons: [], line: null };
    row.item.append(row.value);
    for (let i = 0; i < MOST_MOVES; i++) {
      const button = el('button', { tabindex: i ? -1 : 0, hidden: true });
      row.buttons.push(button);
      row.item.append(button);
    }
    this.place.append(row.item);
    return (this.rows[index] = row);
  }

  // Shows the lines of a position, the best first. Another position lets go of a row that was held.
  draw(view, lines, key = '') {
    if (key !== this.key) {
      this.key = key;
      this.held = null;
    }
    const shown = distinctLines(lines);
    // While a new position has no lines yet, old ones stay, dimmed and dead, where the focus is on them.
    const stale = !shown.length && this.place.contains(document.activeElement);
    this.place.classList.toggle('stale', stale);
    if (stale) return this.rows.forEach((row) => { row.line = null; });
    shown.forEach((line, i) => this.fill(this.row(i), view, line));
    this.rows.forEach((row, i) => {
      row.item.hidden = i >= shown.length;
      if (row.item.hidden) row.line = null;
    });
    const focused = this.rows.find((row) => row.item.contains(document.activeElement));
    if (focused && (focused.item.hidden || document.activeElement.hidden)) this.rows[0].buttons[0].focus();
  }

  fill(row, view, line) {
    if (row === this.held && row.line) return;
    row.line = line;
    put(row.value, valueSeen(view, line));
    const exact = isExact(line);
    if (row.value.className !== (exact ? 'exact' : '')) row.value.className = exact ? 'exact' : '';
    row.value.title = exact ? t('analysis.proved') : '';
    row.buttons.forEach((button, i) => {
      button.hidden = i >= line.moves.length;
      if (!button.hidden) put(button, shortMove(view, line.moves[i]));
    });
  }
}

// A move as it stands in a list: the square people name, without the course's numbers behind it.
const shortMove = (view, move) => moveSaid(view, move).split(' (')[0];

const put = (element, text) => { if (element.textContent !== text) element.textContent = text; };

export { LinesView, distinctLines, shortMove };
