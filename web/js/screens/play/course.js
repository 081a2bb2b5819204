// Course files: what the file asks for, the answer exactly as `sortie move` writes it, and what the engine would play.
import { $, el } from '../../core/dom.js';
import { confirmLoss, downloadText, openDialog, toast, warn, announce } from '../../core/dialogs.js';
import { t } from '../../core/texts.js';
import { go } from '../../core/router.js';
import { game, setGame } from '../../core/game.js';
import { askText, readFile, openProof, viewOf, moveSaid } from '../../core/rules.js';
import { valueWords, countWords } from '../../core/values.js';
import { play, refresh, stopThinking } from './play.js';

const MOST_FILE = 1 << 20;
const MOST_PROOF = 64 << 20;
const PROOF_HEAD = 'sortie proof ';

// Opens a file of any kind sortie knows. The old game is only given up with consent, and only for a good file.
async function openText(name, text) {
  if (text.length > MOST_FILE) return complain(t('file.large', { name }));
  let about;
  try {
    about = readFile(text);
  } catch (error) {
    return complain(`${name}: ${error.message}`);
  }
  if (game.moves.length && !(await confirmLoss(t('file.replace', { name })))) return false;
  stopThinking();
  setGame(about.start, [], { name, text });
  play.paused = true; // whose file it is may look first
  play.edit = null;
  play.hint = null;
  if (about.warning) warn(`${name}: ${about.warning}`);
  else tell(t('file.opened', { name }));
  show();
  return true;
}

// Opens a certificate: what it proves is known from now on. Its own position is shown where no game is under way.
function openCertificate(name, bytes) {
  let proof;
  try {
    proof = openProof(bytes);
  } catch (error) {
    return complain(`${name}: ${error.message}`);
  }
  if (!game.moves.length) {
    stopThinking();
    setGame(proof.start);
    play.paused = true;
    play.hint = null;
  }
  tell(t('proof.opened', { name, number: countWords(proof.count) }));
  show();
  return true;
}

// A file from the disk, of any kind.
async function openFile(file) {
  const isProof = (await file.slice(0, PROOF_HEAD.length).text()) === PROOF_HEAD;
  if (file.size > (isProof ? MOST_PROOF : MOST_FILE)) return complain(t(isProof ? 'proof.large' : 'file.large', { name: file.name }));
  return isProof ? openCertificate(file.name, new Uint8Array(await file.arrayBuffer())) : openText(file.name, await file.text());
}

function complain(text) {
  warn(text);
  return false;
}

function tell(text) {
  toast(text);
  announce(text);
}

// What was opened is on the board, whatever screen it was opened from.
function show() {
  if (location.hash === '#play') refresh();
  else go('play');
}

// What the kept file asks for, or null where it is no course file.
function courseOf() {
  if (!game.file) return null;
  try {
    const about = readFile(game.file.text);
    return ['stake', 'sneak', 'laser'].includes(about.format) ? about : null;
  } catch {
    return null;
  }
}

function taskWords(about) {
  const method = t('method.' + about.method);
  if (about.battle) return t('course.battle');
  if (about.method === 'greedy') return method;
  if (about.method !== 'engine') return t('course.methodDepth', { method, depth: about.depth });
  return about.cpuLeft ? t('course.competition', { seconds: about.cpuLeft }) : t('course.free', { seconds: about.seconds });
}

// The panel for the file the game came from; none where it came from nowhere.
function drawCourse() {
  const place = $('course');
  const about = courseOf();
  place.hidden = !about || Boolean(play.edit);
  const key = about ? game.file.name + game.file.text : '';
  if (key === place.dataset.key && place.childElementCount) return;
  place.dataset.key = key;
  place.replaceChildren();
  if (!about) return;
  const searches = ['minimax', 'alphabeta'].includes(about.method) && !about.battle;
  place.append(el('h2', t('course.title')), el('p', { id: 'course-task' }, `${game.file.name}: ${t('format.' + about.format)}. ${taskWords(about)}`),
    el('div.row', el('button.strong', { id: 'course-answer', onclick: answerAsAsked }, t('course.answer')),
      el('button', { id: 'course-engine', onclick: answerAsEngine }, t('course.engine')),
      searches ? el('button', { id: 'course-explore', onclick: () => go('explore', [], { file: 1, method: about.method === 'minimax' ? 1 : 2, depth: about.depth }) }, t('course.explore')) : null),
    el('div', { id: 'course-files' }));
}

// The files the course expects, to look at and to save.
function fileBox(file) {
  const lines = file.text.split('\n');
  const shown = lines.length > 400 ? lines.slice(0, 400).join('\n') + '\n' + t('course.more', { count: lines.length - 400 }) : file.text;
  return el('details.file', { open: true, data: { name: file.name } }, el('summary', file.name),
    el('button', { onclick: () => downloadText(file.name, file.text) }, t('course.save')), el('pre', { tabindex: '0' }, shown));
}

async function answerAsAsked() {
  $('course-files').replaceChildren(el('p.soft', t('play.thinking')));
  const { file } = game;
  try {
    const answer = await play.engine.call('web_course_answer', file.text, []);
    if (answer.stopped || game.file !== file) return $('course-files').replaceChildren();
    $('course-files').replaceChildren(el('p', t('course.answered', { move: answer.move, nodes: countWords(answer.nodes) })), ...answer.files.map(fileBox));
    $('course-files').scrollIntoView({ block: 'nearest' });
  } catch (error) {
    $('course-files').replaceChildren(el('p.bad', error.message));
  }
}

async function answerAsEngine() {
  const { file } = game;
  const view = viewOf(game.start, []);
  $('course-files').replaceChildren(el('p.soft', t('play.thinking')));
  try {
    const { best } = await play.engine.think(askText(game.start, [], { time: 2 }));
    if (game.file !== file) return;
    $('course-files').replaceChildren(...(best ? [el('p', t('course.engineSays', { move: moveSaid(view, best.move), value: valueWords(view, best), depth: best.depth }))] : []));
  } catch (error) {
    $('course-files').replaceChildren(el('p.bad', error.message));
  }
}

// -- the ways a file comes in --

function chooseFile() {
  $('file').click();
}

function openPaste() {
  const text = el('textarea', { id: 'paste-text', rows: 12, cols: 40, spellcheck: 'false', 'aria-labelledby': 'paste-dialog-title' });
  const open = () => {
    $('paste-dialog').close();
    openText(t('file.pasted'), text.value);
  };
  openDialog('paste-dialog', t('share.pasteTitle'), text, el('div.row.end', el('button.strong', { id: 'paste-ok', onclick: open }, t('share.pasteOk'))));
  text.focus();
}

// Files are chosen, or dropped anywhere on the page.
function startFiles() {
  $('file').onchange = async () => {
    const file = $('file').files[0];
    if (!file) return;
    await openFile(file);
    $('file').value = ''; // so that the same file can be opened again
  };
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', async (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) openFile(file);
  });
}

export { startFiles, drawCourse, openText, openFile, chooseFile, openPaste };
