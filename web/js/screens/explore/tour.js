// A short guided tour of alpha-beta on a tiny board, for students and for a projector. Its stations are found in the
// steps of the search itself. It stands beside the tree, never over it.
import { el } from '../../core/dom.js';
import { t } from '../../core/texts.js';
import { KIND, STEP } from './search.js';
import { numberSign } from './gametree.js';
import { explorer, load, goToStep } from './explorer.js';
import { sourceOf } from './examples.js';

const tour = { at: -1, stations: [] };

function stationsOf(trace) {
  const find = (from, fits) => {
    for (let s = from; s >= 0 && s < trace.count; s++) if (fits(trace.kindAt(s), trace.depthAt(s))) return s;
    return -1;
  };
  const leaf = find(0, (kind) => kind === KIND.leaf);
  const alpha = find(leaf, (kind, depth) => kind === KIND.back && depth === 0);
  const list = [
    ['root', 0],
    ['min', find(1, (kind, depth) => depth === 1)],
    ['leaf', leaf],
    ['return', find(leaf, (kind, depth) => kind === KIND.back && depth === 1)],
    ['alpha', alpha],
    ['inherit', find(alpha, (kind) => kind === KIND.enter)],
    ['cut', find(0, (kind) => kind === KIND.cut)],
    ['end', trace.count - 1],
  ];
  return list.filter(([, step]) => step >= 0);
}

// Begins the tour, or goes on with it, at a station.
async function beginTour(at = 0) {
  if (!(await load({ source: sourceOf('squares'), lesson: 'alphabeta', depth: 2 }))) return;
  tour.stations = stationsOf(explorer.panes[0].trace);
  showStation(Math.min(at, tour.stations.length - 1));
}

function showStation(at) {
  tour.at = at;
  goToStep(tour.stations[at][1]);
}

// The card of the station shown; null when there is no tour.
function drawTour(place, close) {
  place.hidden = tour.at < 0;
  if (tour.at < 0) return;
  const { at, stations } = tour;
  const [name, step] = stations[at];
  const { trace } = explorer.panes[0];
  const words = {
    value: numberSign(trace.get(step, STEP.value)), alpha: numberSign(trace.get(step, STEP.alpha)), beta: numberSign(trace.get(step, STEP.beta)),
    node: trace.tree.nameOf(trace.nodeAt(step)), nodes: trace.totals.nodes, all: trace.tree.nodes, move: trace.tree.nameOf(trace.bestAt(0, trace.count - 1)),
  };
  place.replaceChildren(
    el('h2', null, `${at + 1} / ${stations.length}: ${t(`tour.${name}.title`)}`), el('p', null, t('tour.' + name, words)),
    el('div.row', null, at > 0 && el('button', { onclick: () => showStation(at - 1) }, t('tour.back')),
      at < stations.length - 1 && el('button.strong', { onclick: () => showStation(at + 1) }, t('tour.next')),
      el('button', { onclick: close }, t('tour.close'))));
}

// Steps walked by other means leave the tour where it is, as long as they are steps of its search.
function endTour() {
  tour.at = -1;
  tour.stations = [];
}

export { tour, beginTour, drawTour, endTour };
