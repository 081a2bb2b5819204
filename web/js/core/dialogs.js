// Small conversations: a choice, a question before something is lost, a line that goes away by itself, a download.
import { $, el } from './dom.js';
import { t } from './texts.js';
import { icon } from './icons.js';

function make(tag, text, names) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (names) element.className = names;
  return element;
}

// One of the options {value, text}, or '' when the dialog is left.
function choose(question, options) {
  return new Promise((resolve) => {
    const dialog = $('choice');
    const row = make('div', undefined, 'row');
    for (const option of options) {
      const button = make('button', option.text, option.strong ? 'strong' : '');
      button.type = 'button';
      button.onclick = () => dialog.close(option.value);
      row.append(button);
    }
    const title = make('p', question);
    title.id = 'choice-title';
    dialog.setAttribute('aria-labelledby', title.id);
    dialog.replaceChildren(title, row);
    dialog.returnValue = '';
    dialog.onclose = () => resolve(dialog.returnValue);
    dialog.onclick = (event) => {
      if (event.target === dialog) dialog.close('');
    };
    dialog.showModal();
    row.querySelector('.strong')?.focus();
  });
}

const confirmLoss = async (question) =>
  (await choose(question, [{ value: 'yes', text: t('dialog.yes'), strong: true }, { value: '', text: t('dialog.cancel') }])) === 'yes';

let toastTimer;

// A line beside the way to the screens, at the bottom where the window is narrow, with one thing to do about it if there is any.
function toast(text, action, run, bad = false) {
  const place = $('toast');
  place.classList.toggle('bad', bad);
  place.replaceChildren(make('span', text));
  if (action) {
    const button = make('button', action);
    button.type = 'button';
    button.onclick = () => {
      place.replaceChildren();
      run();
    };
    place.append(button);
  }
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => place.replaceChildren(), action || bad ? 15000 : 6000);
}

// What went wrong, where it cannot be overlooked; it stays until it is put away or a while has passed.
function warn(text) {
  toast(text, t('dialog.close'), () => {}, true);
  announce(text);
}

// A dialog of a screen's own: heading, content, and how to leave it. Gives the dialog, opened; it goes when it is closed.
function openDialog(name, title, ...content) {
  document.getElementById(name)?.remove();
  const close = el('button.quiet.close', { 'aria-label': t('dialog.close'), title: t('dialog.close') }, icon('close'));
  const dialog = el('dialog.sheet', { id: name, 'aria-labelledby': name + '-title' },
    el('div.sheet-head', el('h2', { id: name + '-title' }, title), close), content);
  close.onclick = () => dialog.close();
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close(); // outside of it
  };
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function download(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Says a line to a screen reader.
const announce = (text) => { $('announcer').textContent = text; };

const downloadText = (name, text) => download(name, new Blob([text], { type: 'text/plain' }));

// The number in a field, brought into its range and to its step; the field is corrected to it.
function numberIn(input) {
  const [least, most, step] = [Number(input.min), Number(input.max), Number(input.step) || 1];
  const given = Number(input.value);
  const known = Number.isFinite(given) && input.value !== '' ? given : Number(input.defaultValue) || least;
  const rounded = least + Math.round((Math.min(most, Math.max(least, known)) - least) / step) * step;
  const value = Number(Math.min(most, Math.max(least, rounded)).toFixed(3));
  if (String(value) !== input.value) input.value = value;
  return value;
}

export { make, choose, confirmLoss, toast, warn, openDialog, download, downloadText, numberIn, announce };
