// Course files: what the file asks for, the answer exactly as `sortie move` writes it, and what the engine would play.
import { $ } from '../../core/dom.js';
import { make, confirmLoss, downloadText, announce } from '../../core/dialogs.js';
import { t } from '../../core/texts.js';
import { game, setGame } from '../../core/game.js';
import { readFile, openProof, askText } from '../../core/rules.js';
import { valueWords, countWords } from '../../core/values.js';
import { viewOf } from '../../core/rules.js';
import { play, refresh, say, stopThinking } from './play.js';

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
  play.hint = null;
  say(about.warning ? `${name}: ${about.warning}` : t('file.opened', { name }));
  announce($('report').textContent);
  refresh();
  showCourse();
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
    showCourse();
  }
  say(t('proof.opened', { name, count: countWords(proof.count) }));
  announce($('report').textContent);
  refresh();
  return true;
}

// A file from the disk, of any kind.
async function openFile(file) {
  const isProof = (await file.slice(0, PROOF_HEAD.length).text()) === PROOF_HEAD;
  if (file.size > (isProof ? MOST_PROOF : MOST_FILE)) return complain(t(isProof ? 'proof.large' : 'file.large', { name: file.name }));
  return isProof ? openCertificate(file.name, new Uint8Array(await file.arrayBuffer())) : openText(file.name, await file.text());
}

function complain(text) {
  say(text);
  announce(text);
  return false;
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

// Shows the panel for the file the game came from; hides it where there is none.
function showCourse() {
  const about = courseOf();
  $('course').hidden = !about;
  $('course-files').replaceChildren();
  if (!about) return;
  $('course').open = true;
  $('course-task').textContent = `${game.file.name}: ${t('format.' + about.format)}. ${taskWords(about)}`;
  $('course-explore').hidden = !['minimax', 'alphabeta'].includes(about.method) || about.battle;
}

// The files the course expects, to look at and to save.
function fileBox(file) {
  const box = make('details', undefined, 'file');
  const save = make('button', t('course.save'));
  save.type = 'button';
  save.onclick = () => downloadText(file.name, file.text);
  const lines = file.text.split('\n');
  const shown = make('pre', lines.length > 400 ? lines.slice(0, 400).join('\n') + '\n' + t('course.more', { count: countWords(lines.length - 400) }) : file.text);
  shown.tabIndex = 0;
  box.append(make('summary', file.name), save, shown);
  box.open = true;
  box.dataset.name = file.name;
  return box;
}

async function answerAsAsked() {
  $('course-files').replaceChildren(make('p', t('play.thinking'), 'soft'));
  const { file } = game;
  try {
    const answer = await play.engine.call('web_course_answer', file.text, []);
    if (answer.stopped || game.file !== file) return $('course-files').replaceChildren();
    $('course-files').replaceChildren(make('p', t('course.answered', { move: answer.move, nodes: countWords(answer.nodes) })), ...answer.files.map(fileBox));
  } catch (error) {
    $('course-files').replaceChildren(make('p', error.message));
  }
}

async function answerAsEngine() {
  const { file } = game;
  const view = viewOf(game.start, []);
  $('course-files').replaceChildren(make('p', t('play.thinking'), 'soft'));
  try {
    const { best } = await play.engine.think(askText(game.start, [], { time: 2 }));
    if (game.file !== file) return;
    $('course-files').replaceChildren(...(best ? [make('p', t('course.engineSays', { move: best.move, value: valueWords(view, best), depth: best.depth }))] : []));
  } catch (error) {
    $('course-files').replaceChildren(make('p', error.message));
  }
}

function startCourse(explore) {
  $('course-answer').onclick = answerAsAsked;
  $('course-engine').onclick = answerAsEngine;
  $('course-explore').onclick = () => {
    const about = courseOf();
    explore(about.method === 'minimax' ? 1 : 2, about.depth);
  };
  $('open').onclick = () => $('file').click();
  $('file').onchange = async () => {
    const file = $('file').files[0];
    if (!file) return;
    await openFile(file);
    $('file').value = ''; // so that the same file can be opened again
  };
  $('paste').onclick = () => $('paste-dialog').showModal();
  $('paste-cancel').onclick = () => $('paste-dialog').close();
  $('paste-ok').onclick = () => {
    const text = $('paste-text').value;
    $('paste-dialog').close();
    openText(t('file.pasted'), text);
  };
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', async (event) => {
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (file) openFile(file);
  });
}

export { startCourse, showCourse, openText };
