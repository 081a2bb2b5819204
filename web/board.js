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
//   line            squares of a won row, for a line through them; may be left out
//
// SortieBoard.draw(board)        a whole <svg> element
// SortieBoard.frame(board)       what never changes while a game is played: wood, lines, coordinates
// SortieBoard.cell(board, i)     what is inside square i, to be put into a <g>; SortieBoard.place(board, i) is its corner
// SortieBoard.name(board, i)     the square's name, as in moves: "B3", or "2 1" counted from 0
// SortieBoard.after(board, text) the board one step on, from the changed cells as "index ink label" separated by blanks
//                                (a label left out stays, "-" removes it); the first one is the square played
// SortieBoard.side(board)        [width, height] of the drawing
// SortieBoard.strike(board, is)  a line through squares, from the first to the last
// SortieBoard.shades()           the shading of stones, once a page that puts cells into its own SVG
globalThis.SortieBoard = (() => {
  'use strict';
  const CELL = 48;
  const EDGE = 26;
  const INKS = '.ab#pqr';
  const NAMES = { '.': 'empty', a: 'first', b: 'second', '#': 'block', p: 'first-field', q: 'second-field', r: 'both-field' };
  const REACH = 3; // how far a beam goes
  const WAYS = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];

  // The three kinds of board: stones on crossings, beams between blocks, and pieces on squares that have values.
  const kindOf = (board) => (board === true || board.points ? 'stones' : board.numbers ? 'beams' : 'values');
  const FILL = {
    values: { '.': '#fbf8f1', a: '#cadff6', b: '#f8d3c6', '#': '#4a4f57', p: '#dbe8fb', q: '#fbdfd7', r: '#e9dcf2' },
    beams: { '.': '#1d2534', a: '#1b3a5c', b: '#4f2a22', '#': '#59647a', p: '#1c3552', q: '#41291f', r: '#3b3348' },
  };
  const SHADES = ['#fdfbf6', '#f8f2e4', '#f2e6cb', '#ebd9b0', '#e3ca93', '#d9b974']; // squares without an owner, by value
  const INK = { values: { a: '#2358a0', b: '#b53a24' }, beams: { a: '#6cbcff', b: '#ff9166' } };

  const escape = (text) => String(text).replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  const letter = (column) => String.fromCharCode(65 + column);
  const has = (list, i) => Boolean(list) && list.includes(i);
  const far = (board) => (board.numbers ? EDGE : 10); // the edge on the right and below, where nothing is written on most boards
  const side = (board) => [board.columns * CELL + EDGE + far(board), board.rows * CELL + EDGE + far(board)];
  const place = (board, i) => [EDGE + (i % board.columns) * CELL, EDGE + Math.floor(i / board.columns) * CELL];

  // The largest size, up to `most`, at which a text stays inside a square. Digits are about 0.66 of their size wide.
  const fit = (text, most, width) => Math.min(most, Math.floor((10 * width) / (0.66 * Math.max(1, text.length))) / 10);

  const write = (x, y, size, fill, names, text, anchor = 'middle') =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" class="${names}" text-anchor="${anchor}" ` +
    `dominant-baseline="central">${escape(text)}</text>`;

  function name(board, i) {
    const row = Math.floor(i / board.columns);
    const column = i % board.columns;
    return board.numbers ? `${row} ${column}` : letter(column) + (row + 1);
  }

  // What is computed once for a list of cells: the greatest value, and the beams through each square.
  const known = new WeakMap();
  function about(board) {
    let found = known.get(board.cells);
    if (!found) {
      const kind = kindOf(board);
      found = { most: kind === 'values' ? Math.max(1, ...board.cells.map(([, label]) => Number(label) || 0)) : 1, beams: kind === 'beams' ? beamsOf(board) : null };
      known.set(board.cells, found);
    }
    return found;
  }

  // Each emitter shines in eight directions, up to three squares, and stops at blocks. By square: [way down, way right,
  // whose, where on the beam the square is: 0 the emitter's own, 'end' the last one, 'wall' the last one before a block].
  function beamsOf(board) {
    const through = new Map();
    const add = (i, beam) => through.set(i, [...(through.get(i) || []), beam]);
    const inside = (row, column) => row >= 0 && column >= 0 && row < board.rows && column < board.columns;
    board.cells.forEach(([ink], i) => {
      if (ink !== 'a' && ink !== 'b') return;
      for (const [down, right] of WAYS) {
        const at = (step) => [Math.floor(i / board.columns) + step * down, (i % board.columns) + step * right];
        const open = (step) => inside(...at(step)) && board.cells[at(step)[0] * board.columns + at(step)[1]][0] !== '#';
        let reach = 0;
        while (reach < REACH && open(reach + 1)) reach++;
        for (let step = 0; step <= reach; step++) {
          const [row, column] = at(step);
          const place = step === 0 ? 0 : step < reach ? 'on' : reach < REACH ? 'wall' : 'end';
          if (step > 0 || reach > 0) add(row * board.columns + column, [down, right, ink, place]);
        }
      }
    });
    return through;
  }

  // What of the beams is seen in a square, as a short text that changes when they do.
  const through = (board, i) => (kindOf(board) === 'beams' ? (about(board).beams.get(i) || []).join(' ') : '');

  // The points marked on a Gomoku board: the centre and four around it, on boards with room for them.
  function stars(board) {
    if (board.rows !== board.columns || board.rows < 11) return [];
    const last = board.rows - 4;
    const spots = [[3, 3], [3, last], [last, 3], [last, last]];
    if (board.rows % 2) spots.push([(board.rows - 1) / 2, (board.rows - 1) / 2]);
    return spots;
  }

  // The shading of stones. A page has it once (shades()), a picture that stands alone has its own.
  const shading = '<radialGradient id="stone-first" cx=".35" cy=".3" r=".75"><stop offset="0" stop-color="#6a6c70"/><stop offset=".45" stop-color="#2b2c30"/><stop offset="1" stop-color="#0c0c0e"/></radialGradient>' +
    '<radialGradient id="stone-second" cx=".35" cy=".3" r=".8"><stop offset="0" stop-color="#ffffff"/><stop offset=".6" stop-color="#f1eee6"/><stop offset="1" stop-color="#c9c3b4"/></radialGradient>';
  const shades = () => `<svg class="shades" width="0" height="0" aria-hidden="true"><defs>${shading}</defs></svg>`;

  function frame(board) {
    const out = [];
    const [width, height] = [board.columns * CELL, board.rows * CELL];
    if (board.points) {
      const [left, top] = [EDGE + CELL / 2, EDGE + CELL / 2];
      const [right, bottom] = [left + (board.columns - 1) * CELL, top + (board.rows - 1) * CELL];
      out.push(`<rect class="wood" x="2" y="2" width="${width + EDGE + far(board) - 4}" height="${height + EDGE + far(board) - 4}" rx="8" fill="#e3bf7f"/>`);
      let lines = '';
      for (let i = 0; i < board.columns; i++) lines += `M${left + i * CELL} ${top}V${bottom}`;
      for (let i = 0; i < board.rows; i++) lines += `M${left} ${top + i * CELL}H${right}`;
      out.push(`<path class="lines" d="${lines}" stroke="#7d5f2c" stroke-width="1.3" fill="none"/>`);
      for (const [row, column] of stars(board)) {
        out.push(`<circle class="star" cx="${left + column * CELL}" cy="${top + row * CELL}" r="4" fill="#7d5f2c"/>`);
      }
    } else if (kindOf(board) === 'beams') {
      out.push(`<rect class="night" x="2" y="2" width="${width + EDGE + far(board) - 4}" height="${height + EDGE + far(board) - 4}" rx="8" fill="#121723"/>`);
    } else {
      out.push(`<rect class="plate" x="2" y="2" width="${width + EDGE + far(board) - 4}" height="${height + EDGE + far(board) - 4}" rx="8" fill="#e9e0cd"/>`);
    }
    return out.join('') + coordinates(board);
  }

  // Letters and numbers from 1; where a course counts from 0, its numbers stand on the far sides.
  function coordinates(board) {
    const out = [];
    const fill = { stones: '#6b4e1e', beams: '#8d9bb4', values: '#6f6a5f' }[kindOf(board)];
    const [right, bottom] = side(board);
    const size = Math.max(8, Math.min(13, board.rows)); // a small board is drawn large
    for (let i = 0; i < board.columns; i++) {
      const x = EDGE + i * CELL + CELL / 2;
      out.push(write(x, EDGE / 2 + 1, size, fill, 'coordinate', letter(i % 26)));
      if (board.numbers) out.push(write(x, bottom - EDGE / 2, size - 2, fill, 'coordinate course', i));
    }
    for (let i = 0; i < board.rows; i++) {
      const y = EDGE + i * CELL + CELL / 2;
      out.push(write(EDGE / 2 + 1, y, size, fill, 'coordinate', i + 1));
      if (board.numbers) out.push(write(right - EDGE / 2, y, size - 2, fill, 'coordinate course', i));
    }
    return out.join('');
  }

  // A stone on a crossing, or a piece with its own shape for each side, so that colour is never the only sign. `board`
  // may be what is known of one: its points and numbers.
  function piece(board, ink, x, y) {
    const names = `piece ${NAMES[ink]}`;
    const kind = kindOf(board);
    if (kind === 'stones') {
      return `<circle class="stone-shadow" cx="${x + 1}" cy="${y + 2.5}" r="21" fill="#000" opacity=".22"/>` +
        `<circle class="${names}" cx="${x}" cy="${y}" r="21" fill="url(#stone-${ink === 'a' ? 'first) #1c1d20' : 'second) #f6f4ee'}" stroke="${ink === 'a' ? '#0c0c0e' : '#a59d8a'}" stroke-width=".8"/>`;
    }
    const colour = INK[kind][ink];
    if (kind === 'beams') {
      return ink === 'a'
        ? `<circle class="halo first" cx="${x}" cy="${y}" r="19" fill="${colour}" opacity=".22"/><circle class="${names}" cx="${x}" cy="${y}" r="12" fill="${colour}"/><circle class="core" cx="${x}" cy="${y}" r="5" fill="#eaf6ff"/>`
        : `<circle class="halo second" cx="${x}" cy="${y}" r="19" fill="${colour}" opacity=".22"/><path class="${names}" d="M${x} ${y - 15}l15 15l-15 15l-15 -15z" fill="${colour}"/><path class="core" d="M${x} ${y - 6}l6 6l-6 6l-6 -6z" fill="#fff1ea"/>`;
    }
    return ink === 'a'
      ? `<path class="${names} glyph" d="M${x - 10} ${y - 10}L${x + 10} ${y + 10}M${x + 10} ${y - 10}L${x - 10} ${y + 10}" fill="none" stroke="${colour}" stroke-width="6.5" stroke-linecap="round"/>`
      : `<circle class="${names} glyph" cx="${x}" cy="${y}" r="10.5" fill="none" stroke="${colour}" stroke-width="5.5"/>`;
  }

  // The beams through a square: a soft wide line and a bright thin one; one that ends at a block ends at its wall.
  function beams(list, x, y) {
    const parts = { a: '', b: '' };
    for (const [down, right, ink, at] of list) {
      const half = CELL / 2;
      const from = at === 0 ? [x, y] : [x - right * half, y - down * half];
      const to = at === 'end' ? [x + right * 8, y + down * 8] : [x + right * half, y + down * half];
      parts[ink] += `M${from[0]} ${from[1]}L${to[0]} ${to[1]}`;
    }
    return ['a', 'b'].filter((ink) => parts[ink]).map((ink) =>
      `<path class="glow ${NAMES[ink]}" d="${parts[ink]}" stroke="${INK.beams[ink]}" stroke-width="9" opacity=".16" fill="none"/>` +
      `<path class="beam ${NAMES[ink]}" d="${parts[ink]}" stroke="${INK.beams[ink]}" stroke-width="1.8" opacity=".8" fill="none"/>`).join('');
  }

  // The ground of a square: where nobody is, darker the more it is worth.
  function ground(board, i, x, y) {
    const [ink, label] = board.cells[i];
    const kind = kindOf(board);
    if (kind === 'stones') return `<rect class="square ${NAMES[ink]}" x="${x}" y="${y}" width="${CELL}" height="${CELL}" fill="none" stroke="none" pointer-events="all"/>`;
    const step = kind === 'values' && ink === '.' && label ? Math.min(5, Math.floor((6 * Math.max(0, Number(label) || 0)) / about(board).most)) : -1;
    const fill = step >= 0 ? SHADES[step] : FILL[kind][ink];
    const shade = step >= 0 ? ` shade-${step}` : '';
    return `<rect class="square ${kind} ${NAMES[ink]}${shade}" x="${x + 1}" y="${y + 1}" width="${CELL - 2}" height="${CELL - 2}" rx="5" fill="${fill}" stroke="${kind === 'beams' ? '#2a3447' : '#cfc6b2'}" stroke-width="1"/>`;
  }

  // The text of a square: a value large in an empty one, small beside a piece; a number on a stone.
  function written(board, i, x, y) {
    const [ink, label] = board.cells[i];
    if (!label) return '';
    const [mx, my] = [x + CELL / 2, y + CELL / 2];
    const taken = ink === 'a' || ink === 'b';
    if (!taken) return write(mx, my, fit(label, 17, 40), board.numbers ? '#aab6cc' : '#4d483d', 'label', label);
    if (board.points) return write(mx, my + 0.5, fit(label, 15, 34), ink === 'a' ? '#f4f1ea' : '#2b2a27', `label on-piece ${NAMES[ink]}`, label);
    if (board.numbers) return write(mx, my, fit(label, 11, 20), '#10141d', `label on-piece ${NAMES[ink]}`, label);
    return write(x + CELL - 5, y + CELL - 9, fit(label, 10.5, 36), ink === 'a' ? '#173f77' : '#7f2615', `label on-piece ${NAMES[ink]}`, label, 'end');
  }

  const ring = (board, names, x, y, inset, stroke, width) => (board.points
    ? `<circle class="${names}" cx="${x + CELL / 2}" cy="${y + CELL / 2}" r="${CELL / 2 - inset}" fill="none" stroke="${stroke}" stroke-width="${width}"/>`
    : `<rect class="${names}" x="${x + inset}" y="${y + inset}" width="${CELL - 2 * inset}" height="${CELL - 2 * inset}" rx="5" fill="none" stroke="${stroke}" stroke-width="${width}"/>`);

  function cell(board, i) {
    const [ink, label] = board.cells[i];
    const [x, y] = place(board, i);
    const [mx, my] = [x + CELL / 2, y + CELL / 2];
    const kind = kindOf(board);
    const out = [ground(board, i, x, y)];
    if (ink === '#') out.push(`<path class="cross" d="M${x + 4} ${y + CELL - 6}V${y + 9}a5 5 0 0 1 5 -5H${x + CELL - 6}" stroke="#8591a8" stroke-width="2.5" fill="none" stroke-linecap="round"/>`);
    const through = kind === 'beams' && about(board).beams.get(i);
    if (through) out.push(beams(through, mx, my));
    if (ink === 'a' || ink === 'b') out.push(`<g class="man">${piece(board, ink, mx, kind === 'values' && label ? my - 4 : my)}</g>`);
    out.push(written(board, i, x, y));
    if (has(board.changed, i) && i !== board.last && kind === 'values') out.push(ring(board, 'changed', x, y, 2.5, '#d99411', 2));
    if (i === board.last) out.push(ring(board, 'last', x, y, board.points ? 3 : 2, board.points ? '#e0442f' : '#e2a11c', board.points ? 2.5 : 3.5));
    const marks = (board.marks && board.marks[i]) || '';
    if (marks) out.push(ring(board, `mark ${marks}`, x, y, board.points ? 2 : 4, '#2f8d57', 3));
    const note = board.notes && board.notes[i];
    if (note) {
      const at = label ? y + CELL - 10 : my;
      if (board.points) out.push(`<circle class="note-ground" cx="${mx}" cy="${my}" r="19" fill="#e3bf7f"/>`);
      out.push(' ', write(mx, at, fit(note, label ? 12 : 14, 40), kind === 'beams' ? '#a5f0c3' : '#1d6b3c', 'note', note));
    }
    return out.join('');
  }

  // The number of a stone over the line of a won row.
  function overStrike(board, i) {
    const [ink, label] = board.cells[i];
    if (!board.points || !label || (ink !== 'a' && ink !== 'b')) return '';
    const [x, y] = place(board, i);
    return `<circle class="strike-ground" cx="${x + CELL / 2}" cy="${y + CELL / 2}" r="13" fill="${ink === 'a' ? '#232427' : '#f4f1ea'}"/>` + written(board, i, x, y);
  }

  // A line through the squares of a won row; the numbers of its stones stay readable.
  function strike(board, squares) {
    if (!squares || squares.length < 2) return '';
    const middle = (i) => place(board, i).map((each) => each + CELL / 2);
    const [[x1, y1], [x2, y2]] = [middle(squares[0]), middle(squares[squares.length - 1])];
    return `<path class="strike" d="M${x1} ${y1}L${x2} ${y2}" stroke="#e0442f" stroke-width="5" stroke-linecap="round" opacity=".85" fill="none" pointer-events="none"/>` +
      squares.map((i) => overStrike(board, i)).join('');
  }

  function draw(board) {
    const [width, height] = side(board);
    const cells = board.cells.map((unused, i) => `<g>${cell(board, i)}</g>`).join('');
    return `<svg xmlns="http://www.w3.org/2000/svg" class="board ${kindOf(board)}" viewBox="0 0 ${width} ${height}" role="img" ` +
      `aria-label="${escape(board.title || 'board')}" font-family="sortie, system-ui, sans-serif">${board.points ? `<defs>${shading}</defs>` : ''}${frame(board)}${cells}${strike(board, board.line)}</svg>`;
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

  return { CELL, EDGE, INKS, draw, frame, cell, piece, place, name, after, side, escape, kindOf, strike, shades, through };
})();
