// Draws a board as SVG text: the one drawing shared by the page and the reports. A plain script without dependencies;
// it defines `SortieBoard` and touches nothing else. Colours are attributes, so that a saved picture stands alone;
// board.css puts dark mode, forced colours and movement on top of the class names.
//
// A board is plain data:
//   rows, columns   its shape
//   points          true: stones on the crossings of lines (Gomoku); false: pieces inside squares
//   numbers         true: rows and columns are numbers from 0; false: letters and numbers from 1
//   cells           one [ink, label] a square, row by row. Ink is a letter of SortieBoard.INKS, in the order of the
//                   engine's own list: '.' empty, 'a' and 'b' pieces of the first and second side, '#' block, 'p', 'q'
//                   and 'r' squares covered by the first, the second, both sides. The label is a text or ''.
//   last            index of the square played last, or -1
//   changed         indices of squares that changed with the last move (flips, beams); may be left out
//   marks           {index: 'names'}: extra class names of a square: 'win', 'hint', 'preview', 'best'; may be left out
//   notes           {index: 'text'}: a short text over an empty square (an engine's value); may be left out
//
// SortieBoard.draw(board)        a whole <svg> element
// SortieBoard.frame(board)       what never changes while a game is played: wood, lines, coordinates
// SortieBoard.cell(board, i)     what is inside square i, to be put into a <g>; SortieBoard.place(board, i) is its corner
// SortieBoard.name(board, i)     the square's name, as in moves: "B3", or "2 1" counted from 0
// SortieBoard.after(board, text) the board one step on, from the changed cells as "index ink label" separated by blanks
//                                (a label left out stays, "-" removes it); the first one is the square played
// SortieBoard.side(board)        [width, height] of the drawing
globalThis.SortieBoard = (() => {
  'use strict';
  const CELL = 48;
  const EDGE = 30;
  const INKS = '.ab#pqr';
  const FILL = { '.': '#fbfaf6', a: '#cfe0f7', b: '#f8d5cc', '#': '#4a4f57', p: '#dbe8fb', q: '#fbdfd7', r: '#e9dcf2' };
  const NAMES = { '.': 'empty', a: 'first', b: 'second', '#': 'block', p: 'first-field', q: 'second-field', r: 'both-field' };

  const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const letter = (column) => String.fromCharCode(65 + column);
  const columnName = (board, column) => (board.numbers ? String(column) : letter(column));
  const rowName = (board, row) => String(board.numbers ? row : row + 1);
  const has = (list, i) => Boolean(list) && list.includes(i);
  const side = (board) => [board.columns * CELL + 2 * EDGE, board.rows * CELL + 2 * EDGE];
  const place = (board, i) => [EDGE + (i % board.columns) * CELL, EDGE + Math.floor(i / board.columns) * CELL];

  // The largest size, up to `most`, at which a text stays inside a square. Digits are about 0.66 of their size wide.
  const fit = (text, most, width) => Math.min(most, Math.floor((10 * width) / (0.66 * Math.max(1, text.length))) / 10);

  const write = (x, y, size, fill, names, text) =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" class="${names}" text-anchor="middle" ` +
    `dominant-baseline="central">${escape(text)}</text>`;

  function name(board, i) {
    const row = Math.floor(i / board.columns);
    const column = i % board.columns;
    return board.numbers ? `${row} ${column}` : letter(column) + (row + 1);
  }

  // The points marked on a Gomoku board: the centre and four around it, on boards with room for them.
  function stars(board) {
    if (board.rows !== board.columns || board.rows < 11) return [];
    const far = board.rows - 4;
    const spots = [[3, 3], [3, far], [far, 3], [far, far]];
    if (board.rows % 2) spots.push([(board.rows - 1) / 2, (board.rows - 1) / 2]);
    return spots;
  }

  function frame(board) {
    const out = [];
    if (board.points) {
      const [left, top] = [EDGE + CELL / 2, EDGE + CELL / 2];
      const [right, bottom] = [left + (board.columns - 1) * CELL, top + (board.rows - 1) * CELL];
      out.push(`<rect class="wood" x="${EDGE}" y="${EDGE}" width="${board.columns * CELL}" height="${board.rows * CELL}" rx="6" fill="#eacb8c"/>`);
      let lines = '';
      for (let i = 0; i < board.columns; i++) lines += `M${left + i * CELL} ${top}V${bottom}`;
      for (let i = 0; i < board.rows; i++) lines += `M${left} ${top + i * CELL}H${right}`;
      out.push(`<path class="lines" d="${lines}" stroke="#6b5328" fill="none"/>`);
      for (const [row, column] of stars(board)) {
        out.push(`<circle class="star" cx="${left + column * CELL}" cy="${top + row * CELL}" r="4" fill="#6b5328"/>`);
      }
    }
    for (let i = 0; i < board.columns; i++) {
      out.push(write(EDGE + i * CELL + CELL / 2, EDGE / 2, 15, '#57534a', 'coordinate', columnName(board, i)));
    }
    for (let i = 0; i < board.rows; i++) {
      out.push(write(EDGE / 2, EDGE + i * CELL + CELL / 2, 15, '#57534a', 'coordinate', rowName(board, i)));
    }
    return out.join('');
  }

  // A stone on a crossing, or a piece with its own shape for each side, so that colour is never the only sign.
  function piece(points, ink, x, y) {
    if (points) {
      return `<circle class="piece ${NAMES[ink]}" cx="${x}" cy="${y}" r="21" fill="${ink === 'a' ? '#26282c' : '#fdfdfb'}" stroke="#26282c"/>`;
    }
    return ink === 'a'
      ? `<circle class="piece first" cx="${x}" cy="${y}" r="17" fill="#2459a6"/>`
      : `<path class="piece second" d="M${x} ${y - 20}l20 20l-20 20l-20 -20z" fill="#c0432b"/>`;
  }

  // Covered squares carry the small shape of whoever covers them, in the corners.
  function field(ink, x, y) {
    const first = ink === 'p' || ink === 'r' ? `<circle class="beam first" cx="${x + 8}" cy="${y + 8}" r="3.5" fill="#2459a6"/>` : '';
    const second = ink === 'q' || ink === 'r'
      ? `<path class="beam second" d="M${x + CELL - 8} ${y + CELL - 12}l4 4l-4 4l-4 -4z" fill="#c0432b"/>` : '';
    return first + second;
  }

  function cell(board, i) {
    const [ink, label] = board.cells[i];
    const [x, y] = place(board, i);
    const [mx, my] = [x + CELL / 2, y + CELL / 2];
    const taken = ink === 'a' || ink === 'b';
    const marks = (board.marks && board.marks[i]) || '';
    const out = [`<rect class="square ${NAMES[ink]}" x="${x}" y="${y}" width="${CELL}" height="${CELL}" ` +
      (board.points ? 'fill="none" stroke="none" pointer-events="all"/>' : `fill="${FILL[ink]}" stroke="#9a958a"/>`)];
    if (ink === '#') out.push(`<path class="cross" d="M${x + 12} ${y + 12}l24 24M${x + 36} ${y + 12}l-24 24" stroke="#8a9099" stroke-width="3"/>`);
    if (!board.points && !taken) out.push(field(ink, x, y));
    if (taken) out.push(piece(board.points, ink, mx, my));
    if (label) {
      const white = taken && !(board.points && ink === 'b');
      out.push(write(mx, my, fit(label, taken ? 14 : 16, taken ? 34 : 42), white ? '#ffffff' : taken ? '#26282c' : '#57534a', taken ? 'label on-piece' : 'label', label));
    }
    if (has(board.changed, i) && i !== board.last) {
      out.push(`<rect class="changed" x="${x + 2.5}" y="${y + 2.5}" width="${CELL - 5}" height="${CELL - 5}" fill="none" stroke="#e0a11b" stroke-width="2"/>`);
    }
    if (i === board.last) {
      out.push(board.points
        ? `<circle class="last" cx="${mx}" cy="${my}" r="21" fill="none" stroke="#d4342a" stroke-width="3"/>`
        : `<rect class="last" x="${x + 2.5}" y="${y + 2.5}" width="${CELL - 5}" height="${CELL - 5}" fill="none" stroke="#e0a11b" stroke-width="4"/>`);
    }
    if (marks) out.push(`<rect class="mark ${marks}" x="${x + 4}" y="${y + 4}" width="${CELL - 8}" height="${CELL - 8}" rx="6" fill="none" stroke="#2f7d4f" stroke-width="3"/>`);
    const note = board.notes && board.notes[i];
    if (note) {
      const at = label ? y + CELL - 10 : my;
      if (board.points) out.push(`<circle class="note-ground" cx="${mx}" cy="${my}" r="19" fill="#eacb8c"/>`);
      out.push(' ', write(mx, at, fit(note, label ? 12 : 14, 40), '#1d6b3c', 'note', note));
    }
    return out.join('');
  }

  function draw(board) {
    const [width, height] = side(board);
    const cells = board.cells.map((unused, i) => `<g>${cell(board, i)}</g>`).join('');
    return `<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 ${width} ${height}" role="img" ` +
      `aria-label="${escape(board.title || 'board')}" font-family="system-ui, sans-serif">${frame(board)}${cells}</svg>`;
  }

  function after(board, text) {
    const cells = board.cells.slice();
    const changed = [];
    for (const change of text ? text.split(' ') : []) {
      const parts = /^(\d+)(\D)(.*)$/.exec(change);
      const at = Number(parts[1]);
      cells[at] = [parts[2], parts[3] === '' ? cells[at][1] : parts[3] === '-' ? '' : parts[3]];
      changed.push(at);
    }
    return { ...board, cells, changed, last: changed.length ? changed[0] : -1 };
  }

  return { CELL, EDGE, INKS, draw, frame, cell, piece, place, name, after, side, escape };
})();
