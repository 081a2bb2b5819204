// A board one can play on: the drawing of board.js in a grid for keyboard and screen reader. Only squares that change are
// drawn again, so that the focus stays where it is. One tab stop; the arrow keys walk, Enter and the space bar play.
import { t, gameName, sideName, currentLanguage } from '../core/texts.js';
import { squareSaid } from '../core/rules.js';
import { svg } from '../core/dom.js';
import { Board } from './draw.js';

const HALF = Board.CELL / 2;

class BoardView {
  // `onPlay(index)` a square was chosen; `onLook(index)` the pointer or the focus is on it, -1 when it left.
  constructor(place, onPlay, onLook) {
    this.place = place;
    this.onPlay = onPlay;
    this.onLook = onLook || (() => {});
    this.shape = '';
    this.at = 0; // the square that has the tab stop
    this.looked = -1;
    this.gain = '';
    this.gainAt = -1;
  }

  // Builds the frame and the empty squares of a board of another shape.
  build(board) {
    const [width, height] = Board.side(board);
    this.svg = svg('svg', { class: `board ${Board.kindOf(board)}`, viewBox: `0 0 ${width} ${height}`, role: 'grid', 'font-family': 'sortie, system-ui, sans-serif' });
    this.svg.append(svg('g', { class: 'ground', 'aria-hidden': 'true', html: Board.frame(board) }));
    this.cells = [];
    for (let row = 0; row < board.rows; row++) {
      const line = svg('g', { role: 'row' });
      for (let column = 0; column < board.columns; column++) {
        const index = row * board.columns + column;
        const element = svg('g', { role: 'gridcell', tabindex: '-1', data: { index } });
        line.append(element);
        this.cells.push({ element, key: '', ink: '', words: '' });
      }
      this.svg.append(line);
    }
    // What lies over the squares: the line of a won row, the gain of a move, the focus.
    this.over = svg('g', { class: 'over', 'aria-hidden': 'true', 'pointer-events': 'none' });
    this.ring = svg('rect', { class: 'focus', width: Board.CELL, height: Board.CELL, rx: 6, fill: 'none', 'pointer-events': 'none', visibility: 'hidden', 'aria-hidden': 'true' });
    this.svg.append(this.over, this.ring);
    this.place.replaceChildren(this.svg);
    this.at = Math.min(this.at, this.cells.length - 1);
    this.cells[this.at].element.setAttribute('tabindex', '0');
    this.listen();
  }

  listen() {
    const indexOf = (event) => {
      const cell = event.target.closest('[data-index]');
      return cell ? Number(cell.dataset.index) : -1;
    };
    this.svg.onclick = (event) => {
      const index = indexOf(event);
      if (index < 0) return;
      this.moveTo(index, false);
      this.onPlay(index);
    };
    this.svg.onpointerover = (event) => event.pointerType !== 'touch' && this.look(indexOf(event));
    this.svg.onpointerleave = () => this.look(-1);
    this.svg.onfocusin = (event) => {
      const index = indexOf(event);
      if (index >= 0 && index !== this.at) this.moveTo(index, false);
      if (event.target.matches(':focus-visible')) {
        this.showRing(true);
        this.look(index);
      }
    };
    this.svg.onfocusout = () => {
      this.showRing(false);
      this.look(-1);
    };
    this.svg.onkeydown = (event) => this.key(event);
  }

  look(index) {
    if (index === this.looked) return;
    this.looked = index;
    this.onLook(index);
  }

  showRing(seen) {
    const [x, y] = Board.place(this.board, this.at);
    this.ring.setAttribute('x', x);
    this.ring.setAttribute('y', y);
    this.ring.setAttribute('visibility', seen ? 'visible' : 'hidden');
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { rows, columns } = this.board;
    const cell = event.target.closest('[data-index]');
    if (cell) this.at = Number(cell.dataset.index); // wherever the focus came from, it is the square that is meant
    const row = Math.floor(this.at / columns);
    const column = this.at % columns;
    const to = {
      ArrowUp: [Math.max(0, row - 1), column],
      ArrowDown: [Math.min(rows - 1, row + 1), column],
      ArrowLeft: [row, Math.max(0, column - 1)],
      ArrowRight: [row, Math.min(columns - 1, column + 1)],
      Home: [row, 0],
      End: [row, columns - 1],
      PageUp: [0, column],
      PageDown: [rows - 1, column],
    }[event.key];
    if (to) this.moveTo(to[0] * columns + to[1], true);
    else if (event.key === 'Enter' || event.key === ' ') this.onPlay(this.at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  moveTo(index, focus) {
    for (const each of this.svg.querySelectorAll('[data-index][tabindex="0"]')) each.setAttribute('tabindex', '-1');
    this.at = index;
    const { element } = this.cells[index];
    element.setAttribute('tabindex', '0');
    if (focus) {
      element.focus();
      this.showRing(true);
      this.look(index);
    } else if (this.svg.contains(document.activeElement)) {
      element.focus({ preventScroll: true });
    }
  }

  focus() {
    this.cells?.[this.at].element.focus();
  }

  // Draws a board: the view of a position with `last`, `changed`, `marks`, `notes` and `line` of board.js added. `gain`
  // is written over the last square for a moment, where the board is one move further than before; `words(index)` may
  // add to what a screen reader says of a square.
  draw(board, words) {
    const shape = [board.rows, board.columns, board.points, board.numbers, currentLanguage()].join();
    const fresh = shape !== this.shape;
    const stepped = !fresh && this.board && board.last >= 0 && board.last !== this.board.last;
    this.board = board;
    if (fresh) {
      this.shape = shape;
      this.build(board);
    }
    const title = t('board.label', { title: gameName(board) });
    if (this.svg.getAttribute('aria-label') !== title) this.svg.setAttribute('aria-label', title);
    const changed = new Set(board.changed);
    for (let index = 0; index < this.cells.length; index++) this.drawCell(index, changed.has(index), stepped, words);
    this.drawOver(stepped);
  }

  drawCell(index, changed, stepped, words) {
    const { board } = this;
    const cell = this.cells[index];
    const [ink, label] = board.cells[index];
    const key = `${ink}|${label}|${board.marks?.[index] ?? ''}|${board.notes?.[index] ?? ''}|${changed}|${index === board.last}|${Board.through(board, index)}|${words ? words(index) : ''}`;
    if (key === cell.key) return;
    cell.key = key;
    const drawn = Board.cell(board, index);
    if (drawn !== cell.drawn) {
      cell.drawn = drawn;
      cell.element.innerHTML = drawn;
      // A move is seen happening; going back and forth is not.
      const taken = ink === 'a' || ink === 'b';
      if (cell.ink !== ink || !stepped) {
        const moves = stepped && cell.ink !== ink;
        cell.element.classList.toggle('placed', moves && taken && index === board.last);
        cell.element.classList.toggle('turned', moves && taken && index !== board.last);
        cell.element.classList.toggle('lit', moves && !taken);
      } else {
        cell.element.classList.remove('placed', 'turned', 'lit');
      }
    }
    cell.ink = ink;
    const said = [describe(board, index), words && words(index)].filter(Boolean).join(', ');
    if (said !== cell.words) {
      cell.words = said;
      cell.element.setAttribute('aria-label', said);
    }
  }

  drawOver(stepped) {
    const { board } = this;
    if (stepped) this.gain = board.gain;
    else if (board.last !== this.gainAt) this.gain = '';
    this.gainAt = board.last;
    const key = `${(board.line || []).map((i) => i + board.cells[i][1])}|${this.gain ? board.last : ''}`;
    if (key === this.overKey) return;
    this.overKey = key;
    this.over.innerHTML = Board.strike(board, board.line);
    if (!this.gain) return;
    const [x, y] = Board.place(board, board.last);
    this.over.append(svg('text', { class: `gain ${board.gainSide ? 'second' : 'first'}`, x: x + HALF, y: y + 6, 'text-anchor': 'middle', 'font-size': 18 }, this.gain));
  }
}

// "B3, X, 24": every text that is drawn in the square is in its name, in the same order.
function describe(board, index) {
  const [ink, label] = board.cells[index];
  const parts = [squareSaid(board, index)];
  if (ink === 'a' || ink === 'b') parts.push(sideName(board, ink === 'a' ? 0 : 1));
  else if (ink === '#') parts.push(t('board.block'));
  else if (ink === 'p' || ink === 'q') parts.push(t('board.covered', { side: sideName(board, ink === 'p' ? 0 : 1) }));
  else if (ink === 'r') parts.push(t('board.coveredBoth'));
  else parts.push(t('board.empty'));
  const drawn = [label, board.notes && board.notes[index]].filter(Boolean).join(' ');
  if (drawn) parts.push(drawn);
  if (index === board.last) parts.push(t('board.last'));
  return parts.join(', ');
}

export { BoardView, describe };
