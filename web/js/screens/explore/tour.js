// A short guided tour of alpha-beta on a tiny board, for students and for a projector. Its stations are found in the
// steps of the search itself.
import { $ } from '../../core/dom.js';
import { make } from '../../core/dialogs.js';
import { t } from '../../core/texts.js';
import { STEP, KIND, numberSign } from './tree.js';
import { explorer, explore, goToStep } from './explorer.js';

const BOARD = 'war sneak 2 X\n9 2\n3 4\n..\n..\n';

const tour = { at: -1, stations: [] };

// The first step from `from` on that fits.
function find(from, fits) {
  const { tree } = explorer;
  for (let s = from; s < tree.count; s++) {
    const step = Object.fromEntries(['kind', 'depth', 'value', 'alpha', 'beta'].map((name) => [name, tree.get(s, STEP[name])]));
    if (fits(step)) return s;
  }
  return -1;
}

function stations() {
  const last = explorer.tree.count - 1;
  const leaf = find(0, (step) => step.kind === KIND.leaf);
  const cut = find(0, (step) => step.kind === KIND.cut);
  const list = [
    ['root', 0],
    ['min', find(1, (step) => step.depth === 1)],
    ['leaf', leaf],
    ['return', find(leaf, (step) => step.kind === KIND.back && step.depth === 1)],
    ['alpha', find(leaf, (step) => step.kind === KIND.back && step.depth === 0)],
    ['inherit', find(find(leaf, (step) => step.kind === KIND.back && step.depth === 0), (step) => step.kind === KIND.enter)],
    ['cut', cut],
    ['end', last],
  ];
  return list.filter(([, step]) => step >= 0);
}

function showStation(at) {
  tour.at = at;
  const [name, step] = tour.stations[at];
  goToStep(step);
  const { tree } = explorer;
  const words = {
    value: numberSign(tree.get(step, STEP.value)), alpha: numberSign(tree.get(step, STEP.alpha)), beta: numberSign(tree.get(step, STEP.beta)),
    node: tree.nameOf(tree.get(step, STEP.node)), nodes: tree.nodes, all: explorer.counts.minimax || '…', move: explorer.answer.move,
  };
  const button = (text, run, strong) => {
    const element = make('button', text, strong ? 'strong' : '');
    element.type = 'button';
    element.onclick = run;
    return element;
  };
  const row = make('div', undefined, 'row');
  if (at > 0) row.append(button(t('tour.back'), () => showStation(at - 1)));
  if (at < tour.stations.length - 1) row.append(button(t('tour.next'), () => showStation(at + 1), true));
  row.append(button(t('tour.close'), closeTour));
  $('tour').replaceChildren(make('h2', `${at + 1} / ${tour.stations.length}: ${t('tour.' + name + '.title')}`), make('p', t('tour.' + name, words)), row);
  $('tour').hidden = false;
}

function closeTour() {
  $('tour').hidden = true;
  tour.at = -1;
}

async function beginTour() {
  await explore(2, 2, { start: BOARD, moves: [] });
  tour.stations = stations();
  showStation(0);
}

function startTour() {
  $('explore-tour').onclick = beginTour;
}

export { startTour, closeTour };
