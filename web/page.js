// The page: draws the board, takes clicks, asks the engine. All rules live in the engine.
'use strict';
const $ = (id) => document.getElementById(id);
const worker = new Worker(URL.createObjectURL(new Blob([$('worker').textContent], { type: 'text/javascript' })));
const waiting = new Map();
let games = [];
let state;
let busy = false;
let epoch = 0; // counts games, so that an answer for an earlier one is dropped

worker.onmessage = ({ data }) => {
  waiting.get(data.id)(data);
  waiting.delete(data.id);
};

function ask(message) {
  const id = crypto.randomUUID ? crypto.randomUUID() : String(Math.random());
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ id, ...message });
  });
}
const call = (name, ...values) => ask({ call: name, values });
const send = (name, text) => ask({ call: name, text });

async function refresh() {
  state = JSON.parse((await call('web_state')).text);
  draw();
}

// -- drawing --

const INKS = ['empty', 'first', 'second', 'block', 'first-field', 'second-field', 'both-field'];

// A square as the game's notation names it: "B3", or "2 1" counted from 0.
function squareName(index) {
  const row = Math.floor(index / state.size);
  const column = index % state.size;
  return state.fromZero ? row + ' ' + column : String.fromCharCode(65 + column) + (row + 1);
}

// The legal moves on a square: "B3 Stake" and "B3 Raid", "2 1" or "H8".
function movesOn(index) {
  const name = squareName(index);
  return state.moves.filter((move) => move === name || move.startsWith(name + ' '));
}

function draw() {
  const board = $('board');
  board.style.setProperty('--size', state.size);
  board.className = state.points ? 'points' : 'squares';
  board.replaceChildren(...state.cells.map(([ink, label, last], index) => {
    const cell = document.createElement('button');
    cell.className = INKS[ink] + (last ? ' last' : '');
    cell.textContent = label;
    cell.title = cell.ariaLabel = squareName(index) + (ink === 1 ? ' ' + state.sides[0] : ink === 2 ? ' ' + state.sides[1] : '');
    cell.disabled = state.over || movesOn(index).length === 0;
    cell.onclick = () => click(index);
    return cell;
  }));
  $('undo').disabled = state.played === 0;
  let line = state.over ? 'Game over' : state.sides[state.toMove] + ' to move';
  const ahead = state.sides[state.score < 0 ? 1 : 0];
  if (state.margin && state.score) line += ', ' + ahead + ' leads by ' + Math.abs(state.score);
  else if (state.over) line += state.score ? ': ' + ahead + ' wins' : ': a draw';
  $('status').textContent = line;
}

function say(text) {
  $('report').textContent = text;
}

// -- playing --

async function play(move) {
  const answer = await send('web_play', move);
  if (answer.status !== 0) say(answer.text);
  await refresh();
  return answer.status === 0;
}

async function think() {
  if (state.over || busy) return;
  busy = true;
  const mine = epoch;
  document.body.classList.add('thinking');
  say('thinking…');
  const answer = await call('web_think', Math.max(50, Number($('time').value) * 1000), 0);
  busy = false;
  document.body.classList.remove('thinking');
  if (mine !== epoch) return;
  const result = JSON.parse(answer.text);
  const value = result.exact ? 'exactly ' + result.value : result.value;
  say(`sortie plays ${result.move} (value ${value}, depth ${result.depth}, ${result.nodes.toLocaleString('en')} nodes)`);
  await play(result.move);
}

async function click(index) {
  const moves = movesOn(index);
  if (busy || moves.length === 0) return;
  const move = moves.length === 1 ? moves[0] : await choose(moves);
  if (move && (await play(move)) && $('answer').checked) await think();
}

// Two kinds of move on one square: a small choice.
function choose(moves) {
  return new Promise((resolve) => {
    const dialog = $('choice');
    dialog.replaceChildren(...moves.map((move) => {
      const button = document.createElement('button');
      button.textContent = move;
      button.onclick = () => dialog.close(move);
      return button;
    }));
    dialog.returnValue = '';
    dialog.onclose = () => resolve(dialog.returnValue);
    dialog.showModal();
  });
}

async function start() {
  const game = games[$('game').value];
  epoch++;
  $('size').min = game.least;
  $('size').max = game.most;
  const size = Math.min(game.most, Math.max(game.least, Number($('size').value) || game.usual));
  $('size').value = size;
  const answer = await call('web_start', game.game, game.variant, size, Math.floor(Math.random() * 2 ** 31));
  say(answer.status ? answer.text : '');
  await refresh();
}

async function load(file) {
  epoch++;
  const answer = await send('web_load', await file.text());
  say(answer.status ? file.name + ': ' + answer.text : file.name);
  if (state || !answer.status) await refresh();
}

async function begin() {
  const bytes = Uint8Array.from(atob($('module').textContent.trim()), (c) => c.charCodeAt(0));
  await ask({ module: await WebAssembly.compile(bytes) });
  games = JSON.parse((await call('web_games')).text);
  $('game').replaceChildren(...games.map((game, index) => new Option(`${game.title}, ${game.rules}`, index)));
  $('game').onchange = () => { $('size').value = games[$('game').value].usual; start(); };
  $('size').onchange = start;
  $('new').onclick = start;
  $('move').onclick = think;
  $('undo').onclick = async () => {
    if (busy) return;
    await call('web_undo');
    if ($('answer').checked && state.played > 1) await call('web_undo');
    await refresh();
  };
  $('file').onchange = () => $('file').files[0] && load($('file').files[0]);
  $('save').onclick = async () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([(await call('web_text')).text]));
    link.download = 'position.txt';
    link.click();
  };
  $('size').value = games[0].usual;
  await start();
  if (location.hash === '#selftest') await selfTest();
}

// Opened with #selftest the page plays a little of every game by itself and writes what came of it into its title.
async function selfTest() {
  const lines = [];
  for (const [index, game] of games.entries()) {
    $('game').value = index;
    $('size').value = game.usual;
    await start();
    for (let ply = 0; ply < 4 && !state.over; ply++) {
      const played = state.played;
      document.querySelectorAll('#board button:not(:disabled)')[ply % 2].click();
      await new Promise((resolve) => setTimeout(resolve, 50));
      if ($('choice').open) $('choice').close(state.moves[0]);
      if (state.played === played) await play(state.moves[0]);
      const answer = JSON.parse((await call('web_think', 0, 2000)).text);
      if (!state.over && state.moves.includes(answer.move)) await play(answer.move);
    }
    lines.push(`${game.title} ${game.rules} ${state.played}`);
  }
  document.title = 'selftest: ' + lines.join(', ');
  document.body.dataset.selftest = document.title;
}

begin();
