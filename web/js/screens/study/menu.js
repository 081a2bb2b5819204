// What can be done with studies: open another, begin one, rename, remove, import, export.
import { el } from '../../core/dom.js';
import { t, menuName } from '../../core/texts.js';
import { choose, confirmLoss, downloadText, toast, warn } from '../../core/dialogs.js';
import { rules, startText } from '../../core/rules.js';
import { game } from '../../core/game.js';
import { Study } from './model.js';
import { state, studyNames, freshName, openStudy, openKept, renameStudy, removeStudy, readAny, sgfOfStudy } from './state.js';

// Builds the menu; `changed` is called when another study is open or this one has another name.
function buildMenu(place, { changed, takeGame, proof }) {
  const names = studyNames();
  const select = el('select.study-select', { 'aria-label': t('study.which') }, names.map((name) => el('option', { value: name, selected: name === state.name }, name)));
  select.onchange = () => {
    openKept(select.value);
    changed();
  };
  const file = el('input.study-file', { type: 'file', hidden: true });
  file.onchange = async () => {
    const [chosen] = file.files;
    file.value = '';
    if (chosen) await importFile(chosen, changed);
  };
  const item = (name, run) => el('button', { class: 'study-' + name, onclick: () => {
    details.open = false;
    run();
  } }, t('study.' + name));
  const details = el('details.study-more', {}, el('summary', { 'aria-label': t('study.more'), title: t('study.more') }, '⋯'),
    el('div.study-items', {}, item('new', () => beginStudy(changed)), game.moves.length ? item('take', takeGame) : null, item('proofPlay', proof),
      item('import', () => file.click()), item('rename', () => rename(changed)), item('export', exportStudy), item('delete', () => forget(changed))));
  details.onkeydown = (event) => {
    if (event.key !== 'Escape') return;
    details.open = false;
    details.firstElementChild.focus();
  };
  place.replaceChildren(select, details, file);
}

async function beginStudy(changed) {
  const games = rules.games.map((each, i) => ({ value: String(i), text: menuName(each, rules.games) }));
  const chosen = await choose(t('study.whichGame'), games);
  if (chosen === '') return;
  const each = rules.games[Number(chosen)];
  openStudy(new Study(startText(Number(chosen), each.usual, Math.floor(Math.random() * 2 ** 31))), freshName(menuName(each, rules.games)));
  changed();
}

// A file becomes a study of its own, or a line says what is wrong with it.
async function importFile(file, changed) {
  try {
    if (file.size > 1 << 20) throw new Error(t('study.large'));
    importText(file.name, await file.text(), changed);
  } catch (error) {
    warn(`${file.name}: ${error.message}`);
  }
}

function importText(name, text, changed) {
  const { study, games } = readAny(text);
  openStudy(study, freshName(study.title || name.replace(/\.[^.]*$/, '')));
  if (games > 1) toast(t('study.several', { count: games }));
  changed();
}

async function exportStudy() {
  const gomoku = state.study.view(state.study.root).game === 'gomoku';
  const kind = gomoku ? await choose(t('study.exportAs'), [{ value: 'sgf', text: 'SGF', strong: true }, { value: 'txt', text: t('study.text') }]) : 'txt';
  if (!kind) return;
  const name = state.name.replace(/[^\p{L}\p{N} ._-]/gu, '').trim() || 'study';
  downloadText(`${name}.${kind}`, kind === 'sgf' ? sgfOfStudy(state.study) : state.study.toText());
}

// A line of text is asked for.
async function rename(changed) {
  const dialog = document.getElementById('choice');
  const input = el('input', { value: state.name, 'aria-label': t('study.name'), maxlength: 80 });
  const form = el('form', { method: 'dialog' }, el('p', t('study.name')), input, el('div.row', {}, el('button.strong', { type: 'submit', value: 'yes' }, t('study.rename'))));
  dialog.replaceChildren(form);
  dialog.returnValue = '';
  dialog.onclick = (event) => event.target === dialog && dialog.close('');
  dialog.onclose = () => {
    const name = input.value.trim();
    if (dialog.returnValue !== 'yes' || !name || name === state.name) return;
    renameStudy(name);
    changed();
  };
  dialog.showModal();
  input.select();
}

async function forget(changed) {
  if (!(await confirmLoss(t('study.deletes', { name: state.name })))) return;
  removeStudy();
  changed();
}

export { buildMenu, importFile, importText };
