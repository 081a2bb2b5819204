// The tables and plots of a report, made from its data. The last of three parts of one script: web/board.js and games.js
// come before it. What report_html.c puts into the page is told there.

// -- elements --

function fill(element, ...children) {
  element.append(...children);
  return element;
}

function section(title, ...children) {
  return fill(make('section'), make('h2', title), ...children);
}

// A table from a list of heads and a list of rows of cells; a string stands for a plain cell.
function table(heads, rows) {
  const whole = make('table');
  const head = make('tr');
  for (const text of heads) head.append(typeof text === 'string' ? make('th', text) : text);
  whole.append(head);
  for (const cells of rows) {
    const row = make('tr');
    for (const cell of cells) row.append(cell instanceof Node ? cell : make('td', cell));
    whole.append(row);
  }
  return fill(make('div', undefined, 'scroll'), whole);
}

const nameHead = (text) => make('th', text, 'name');

function nameCell(player) {
  const cell = make('td', player.name, 'name');
  cell.title = player.spec;
  return cell;
}

// A cell of coloured bars, each [share of the widest, colour].
function barCell(...bars) {
  const cell = make('td', undefined, 'name bars');
  for (const [share, colour] of bars) {
    const bar = make('span', undefined, 'bar');
    bar.style.width = (100 * share).toFixed(1) + '%';
    bar.style.background = `var(--${colour})`;
    cell.append(bar);
  }
  return cell;
}

const signed = (value, digits) => (value < 0 ? '' : '+') + value.toFixed(digits);
const ranked = data.order.map((index) => data.players[index]);
const gamesOf = (player) => player.won + player.drawn + player.lost;

// -- tables --

function standings() {
  const rows = ranked.map((player, place) => {
    const games = gamesOf(player), points = player.won + player.drawn / 2;
    return [make('td', place + 1, 'soft'), nameCell(player), fill(make('td'), make('b', signed(player.elo, 0))),
      player.errorText, games, player.won, player.drawn, player.lost, points.toFixed(1),
      (games ? (100 * points) / games : 0).toFixed(1) + ' %'];
  });
  const heads = ['', nameHead('Player'), 'Elo', '± 95 %', 'Games', 'Won', 'Drawn', 'Lost', 'Points', 'Score'];
  const made = section('Standings', table(heads, rows));
  if (data.players.some((player) => player.bounded))
    made.append(make('p', 'Somebody won or lost everything, so no finite rating fits: Elo values are cautious bounds.', 'soft later'));
  return made;
}

// A round step for about six ticks over a range.
function tickStep(range) {
  const step = 10 ** Math.floor(Math.log10(range / 6));
  return range / step > 30 ? 5 * step : range / step > 12 ? 2 * step : step;
}

function ratings() {
  const left = 230, right = 1040, height = 30, top = 12, bottom = top + height * ranked.length;
  const ends = (sign) => ranked.map((player) => player.elo + sign * player.error);
  const least = Math.min(0, ...ends(-1)), most = Math.max(0, ...ends(1));
  const margin = Math.max(0.04 * (most - least), 5), low = least - margin, high = most + margin;
  const at = (elo) => left + ((elo - low) * (right - left)) / (high - low);
  const step = tickStep(high - low);
  const plot = shape('svg', { class: 'figure', viewBox: `0 0 1080 ${bottom + 34}`, role: 'img', 'aria-label': 'rating of every player with its error bar' });
  for (let tick = Math.ceil(low / step); tick * step <= high; tick++) {
    const x = at(tick * step);
    plot.append(shape('path', { class: 'rule', d: `M${x} ${top}V${bottom + 4}` }),
      shape('text', { class: 'tick', x, y: bottom + 20, 'text-anchor': 'middle' }, tick ? signed(tick * step, 0) : '0'));
  }
  ranked.forEach((player, place) => {
    const y = top + height * (place + 0.5), x = at(player.elo), from = at(player.elo - player.error), to = at(player.elo + player.error);
    const name = player.name.length > 29 ? player.name.slice(0, 29) + '…' : player.name;
    plot.append(shape('text', { x: left - 14, y: y + 4.5, 'text-anchor': 'end' }, name),
      shape('path', { class: 'whisker', d: `M${from} ${y}H${to}M${from} ${y - 5}v10M${to} ${y - 5}v10` }),
      shape('circle', { class: 'dot', cx: x, cy: y, r: 5 }, shape('title', {}, `${signed(player.elo, 1)} ± ${player.error.toFixed(1)}`)));
  });
  return section('Ratings', plot, make('p', 'Elo with 95 % error bars; the mean of all players is 0. 100 Elo more means 64 % of the points.', 'soft'));
}

// A match of two, in one line each.
function duel() {
  const facts = make('div', undefined, 'facts');
  const add = (name, value, meaning) => facts.append(make('span', name), make('b', value), make('span', meaning, 'soft'));
  add('Elo', data.duel.elo, 'the difference in strength, with its 95 % error taken from the spread of the pairs');
  add('LOS', (100 * data.duel.superiority).toFixed(1) + ' %', 'likelihood of superiority: how probable it is that the first is the stronger one');
  add('Pairs', data.duel.pairs.join(' · '), 'starts that brought the first player 0, ½, 1, 1½, 2 points');
  if (data.duel.sprt) add('SPRT', data.duel.sprt, 'evidence for a gain; the test ends when it leaves the bounds');
  return section(`${data.players[0].name} against ${data.players[1].name}`, facts);
}

function crossTable() {
  const rows = data.order.map((player, row) => {
    const cells = data.order.map((other) => {
      const [points, met] = data.meetings[player][other];
      if (!met) return make('td', '', player === other ? 'self' : '');
      const cell = fill(make('td', points.toFixed(1), 'meet'), make('small', '/' + met));
      cell.style.background = `rgba(var(--heat), ${((0.5 * points) / met).toFixed(2)})`;
      cell.title = `${points.toFixed(1)} of ${met} points`;
      cell.tabIndex = 0;
      cell.onclick = () => showMeeting(player, other);
      cell.onkeydown = (event) => { if (event.key === 'Enter') showMeeting(player, other); };
      return cell;
    });
    return [make('td', row + 1, 'soft'), nameCell(data.players[player]), ...cells];
  });
  const heads = ['', nameHead(''), ...data.order.map((_, column) => make('th', column + 1, 'middle'))];
  return section('Cross table', table(heads, rows),
    make('p', 'Points of the player in the row against the one in the column. Click a cell to see its games.', 'soft later'));
}

// Every player lost some games by the rules ([0]) and some by faults of its own.
function losses() {
  const shown = data.faults.map((_, fault) => fault).filter((fault) => fault === 0 || data.players.some((player) => player.faults[fault]));
  const most = Math.max(1, ...data.players.map((player) => player.lost));
  const rows = ranked.map((player) => [nameCell(player), player.lost,
    ...shown.map((fault) => make('td', player.faults[fault], fault && player.faults[fault] ? 'fault' : '')),
    barCell([player.faults[0] / most, 'draw'], [(player.lost - player.faults[0]) / most, 'second'])]);
  return section('How games were lost', table([nameHead('Player'), 'Lost', ...shown.map((fault) => data.faults[fault]), nameHead('')], rows));
}

function timeTable() {
  const aMove = (player) => (player.moves ? player.wall / player.moves : 0);
  const most = Math.max(1e-9, ...data.players.map(aMove));
  const rows = ranked.map((player) => {
    const games = Math.max(1, gamesOf(player));
    return [nameCell(player), player.moves, (1e3 * aMove(player)).toFixed(2), (1e3 * player.slowest).toFixed(1),
      (player.wall / games).toFixed(3), (player.cpu / games).toFixed(3), barCell([aMove(player) / most, 'accent'])];
  });
  return section('Time', table([nameHead('Player'), 'Moves', 'ms a move', 'slowest, ms', 's a game', 'CPU s a game', nameHead('')], rows));
}

byId('tables').append(standings(), ratings(), ...(data.duel ? [duel()] : []), crossTable(), losses(), timeTable());
begin();
