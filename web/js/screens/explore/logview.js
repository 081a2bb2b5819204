// The traversal log beside the tree: a list of any length of which only the visible lines are in the page.
import { $ } from '../../core/dom.js';
import { make } from '../../core/dialogs.js';

const LINE = 20;

const log = { tree: null, step: 0, choose: null };

function startLog(choose) {
  log.choose = choose;
  $('log').onscroll = () => fillLog();
  $('log').onclick = (event) => {
    const line = event.target.closest('[data-step]');
    if (line) choose(Number(line.dataset.step));
  };
}

// Shows the log around a step; scrolls only when the step is out of sight.
function drawLog(tree, step) {
  const fresh = tree !== log.tree;
  Object.assign(log, { tree, step });
  const place = $('log');
  if (fresh) $('log-room').style.height = (tree.count + 1) * LINE + 'px';
  const top = (step + 1) * LINE;
  if (top < place.scrollTop + LINE || top > place.scrollTop + place.clientHeight - 2 * LINE) {
    place.scrollTop = Math.max(0, top - place.clientHeight / 2);
  }
  fillLog();
}

function fillLog() {
  const { tree, step } = log;
  if (!tree) return;
  const place = $('log');
  const first = Math.max(0, Math.floor(place.scrollTop / LINE) - 5);
  const last = Math.min(tree.count, first + Math.ceil(place.clientHeight / LINE) + 10);
  const lines = [];
  for (let line = first; line <= last; line++) {
    const element = make('div', line === 0 ? tree.logHeader() : tree.logLine(line - 1), line - 1 === step ? 'now' : '');
    element.style.top = line * LINE + 'px';
    if (line > 0) element.dataset.step = line - 1;
    lines.push(element);
  }
  $('log-room').replaceChildren(...lines);
}

export { startLog, drawLog };
