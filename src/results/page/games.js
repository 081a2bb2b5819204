// The games of a report: the viewer, the list and the filters. web/board.js comes before it in the same script.
// Everything it shows is in the page; it asks nobody for anything.

const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);

function make(tag, text, cls) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (cls) element.className = cls;
  return element;
}

// An element of a drawing.
function shape(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const ROWS_AT_ONCE = 200;
const games = data.games;
let shown = games; // the games the filters leave
let rows = 0;      // how many of them the list shows
let game = null;   // in the viewer
const nameOf = (g, side) => data.players[g.players[side]].name;

// -- the viewer --

const score = (g) => ['0 – 1', '½ – ½', '1 – 0'][g.points];

function outcome(g) {
  const took = g.swapped ? `; ${nameOf(g, 1)} took the first stone over` : '';
  if (g.loser >= 0) return `${nameOf(g, g.loser)} lost by ${g.cause}: ${g.detail}${took}`;
  const margin = data.margin ? ` by ${Math.abs(g.score)}` : '';
  return (g.points === 1 ? 'drawn' : `${nameOf(g, g.points === 2 ? 0 : 1)} won${margin}`) + took;
}

function timePlot(g) {
  const most = Math.max(...g.times, 1e-9), width = 1000 / Math.max(g.times.length, 1);
  const plot = shape('svg', { class: 'times', viewBox: '0 0 1000 60', preserveAspectRatio: 'none', role: 'img', 'aria-label': 'time of every move' });
  g.times.forEach((value, i) => {
    const height = Math.max(1, (56 * value) / most), side = (i + g.first) % 2 ? 'second' : 'first';
    plot.append(shape('rect', { class: side + (i < ply ? '' : ' later'), x: i * width, y: 60 - height, width: Math.max(width - 1.5, 1), height }));
  });
  const longest = most >= 1000 ? (most / 1000).toFixed(2) + ' s' : most.toFixed(most < 10 ? 2 : 0) + ' ms';
  return [plot, make('div', 'time a move, longest ' + longest, 'soft small')];
}

// Keeps the move under way in sight.
function markMove() {
  const box = byId('moves'), spans = box.querySelectorAll('span');
  spans.forEach((span, i) => span.classList.toggle('now', i === ply - 1));
  const span = spans[ply - 1];
  if (span && (span.offsetTop < box.scrollTop || span.offsetTop > box.scrollTop + box.clientHeight - 30))
    box.scrollTop = span.offsetTop - box.clientHeight / 2;
}

// -- stepping through a game --

let boards = []; // of the game, one a ply
let ply = 0;
let timer = null; // while it plays by itself

// The boards of a game: the start, and the one after every move.
function unfold(g) {
  const { inks, labels = [], ...rest } = g.board;
  const all = [{ ...rest, cells: Array.from(inks, (ink, i) => [ink, labels[i] || '']), last: -1, changed: [] }];
  for (const changes of g.steps) all.push(SortieBoard.after(all[all.length - 1], changes));
  return all;
}

function step(to) {
  ply = Math.max(0, Math.min(boards.length - 1, to));
  byId('board').innerHTML = SortieBoard.draw(boards[ply]);
  byId('slider').value = ply;
  byId('ply').textContent = `${ply}/${boards.length - 1}`;
  byId('times').replaceChildren(...(game.times.length ? timePlot(game) : []));
  markMove();
  history.replaceState(null, '', `#${game.index}.${ply}`);
}

function stop() {
  clearInterval(timer);
  timer = null;
  byId('play').textContent = 'play';
}

// What a button does: ends playing and goes somewhere.
const goTo = (where) => () => { stop(); step(where()); };

function play() {
  if (timer) return stop();
  if (ply === boards.length - 1) step(0);
  byId('play').textContent = 'pause';
  timer = setInterval(() => (ply >= boards.length - 1 ? stop() : step(ply + 1)), 450);
}

// A small picture of a side's piece.
function sign(side) {
  const picture = make('span', undefined, 'sign');
  const cells = [[side ? 'b' : 'a', '']];
  const inner = SortieBoard.cell({ rows: 1, columns: 1, points: game.board.points, numbers: game.board.numbers, cells, last: -1 }, 0);
  picture.innerHTML = `<svg class="board" viewBox="${SortieBoard.EDGE} ${SortieBoard.EDGE} ${SortieBoard.CELL} ${SortieBoard.CELL}" aria-hidden="true">${inner}</svg>`;
  return picture;
}

function listMoves(g) {
  const moves = byId('moves');
  moves.textContent = '';
  g.moves.forEach((move, i) => {
    if (i % 2 === 0) moves.append(' ', make('i', i / 2 + 1 + '.'));
    const span = make('span', g.swapped && i === 1 ? 'takes over' : move);
    span.onclick = goTo(() => i + 1);
    moves.append(' ', span);
  });
  moves.hidden = !g.moves.length;
}

function show(g, at) {
  stop();
  game = g;
  boards = unfold(g);
  byId('slider').max = boards.length - 1;
  byId('title').replaceChildren(sign(g.swapped ? 1 : 0), nameOf(g, 0) + ' ', make('span', score(g), 'soft'), ' ',
    sign(g.swapped ? 0 : 1), nameOf(g, 1));
  byId('outcome').textContent = `Game ${g.index + 1}: ${outcome(g)}`;
  byId('notes').textContent = '';
  (g.errors || []).forEach((text, side) => {
    if (text) byId('notes').append(make('div', `standard error of ${nameOf(g, side)}`, 'soft'), make('pre', text));
  });
  listMoves(g);
  step(at === undefined ? boards.length - 1 : at);
  for (const row of byId('rows').children) row.classList.toggle('now', row.game === g);
}

// -- the list --

function more() {
  for (const g of shown.slice(rows, rows + ROWS_AT_ONCE)) {
    const row = make('tr');
    row.game = g;
    row.append(make('td', g.index + 1), make('td', nameOf(g, 0), 'name' + (g.points === 2 ? ' won' : '')),
      make('td', nameOf(g, 1), 'name' + (g.points === 0 ? ' won' : '')), make('td', score(g)),
      make('td', g.loser >= 0 ? g.cause : data.margin ? (g.score > 0 ? '+' : '') + g.score : 'rules', 'name' + (g.loser >= 0 ? ' fault' : '')),
      make('td', g.moves.length));
    row.onclick = () => show(g);
    row.classList.toggle('now', g === game);
    byId('rows').append(row);
  }
  rows = Math.min(shown.length, rows + ROWS_AT_ONCE);
  byId('count').textContent = `${shown.length} games` + (games.length < data.total ? ` (of ${data.total}, the page holds ${games.length})` : '');
}

function filter() {
  const one = byId('one').value, two = byId('two').value, cause = byId('cause').value;
  const has = (g, player) => player === '' || g.players.includes(Number(player));
  shown = games.filter((g) => has(g, one) && has(g, two) && (cause === '' || g.cause === cause));
  byId('rows').textContent = '';
  rows = 0;
  more();
}

function showMeeting(one, two) {
  byId('one').value = one;
  byId('two').value = two;
  filter();
  if (shown.length) show(shown[0]);
  byId('games').scrollIntoView({ behavior: 'smooth' });
}

function onKey(event) {
  if (/^(SELECT|INPUT)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key], others = { p: -1, n: 1 }[event.key];
  if (steps) {
    stop();
    step(ply + steps);
    event.preventDefault();
  }
  const next = others && shown[shown.indexOf(game) + others];
  if (next) show(next);
}

function begin() {
  if (!games.length) return;
  for (const id of ['one', 'two']) {
    byId(id).append(new Option(id === 'one' ? 'any player' : 'against anybody', ''));
    data.players.forEach((player, i) => byId(id).append(new Option(player.name, i)));
  }
  byId('cause').append(new Option('any ending', ''));
  for (const cause of new Set(games.map((g) => g.cause))) byId('cause').append(new Option(cause, cause));
  for (const id of ['one', 'two', 'cause']) byId(id).onchange = filter;
  byId('list').onscroll = function () {
    if (rows < shown.length && this.scrollTop + this.clientHeight > this.scrollHeight - 200) more();
  };
  byId('begin').onclick = goTo(() => 0);
  byId('back').onclick = goTo(() => ply - 1);
  byId('next').onclick = goTo(() => ply + 1);
  byId('end').onclick = goTo(() => boards.length - 1);
  byId('slider').oninput = goTo(() => Number(byId('slider').value));
  byId('play').onclick = play;
  document.addEventListener('keydown', onKey);
  filter();
  const wanted = /^#(\d+)\.(\d+)$/.exec(location.hash);
  const named = wanted && games.find((g) => g.index === Number(wanted[1]));
  show(named || games[0], named ? Number(wanted[2]) : undefined);
}
