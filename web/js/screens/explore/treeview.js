// Draws the part of the search tree around one step: the way from the root and, at each level, the brothers and sisters.
// Only what fits is drawn, so that a tree of any size stays smooth.
import { t } from '../../core/texts.js';
import { viewOf } from '../../core/rules.js';
import { STEP, KIND, numberSign } from './tree.js';
import { Board } from '../../board/draw.js';

const BOX = { width: 124, height: 58, gap: 8, level: 96 };

// The moves of a node that were not entered up to now: still to come, or cut away.
function unvisited(explorer, node, visited) {
  const view = viewOf(explorer.start, [...explorer.moves, ...explorer.tree.movesTo(node)]);
  return view.moves.slice(visited);
}

// What stands on one level: the children of `node`, as {name, node or -1, cut}.
function level(explorer, node) {
  const { tree, step } = explorer;
  const entered = tree.childrenOf(node).filter((child) => tree.first[child] <= step);
  const cut = tree.cutOf(node) >= 0 && tree.cutOf(node) <= step;
  const rest = unvisited(explorer, node, entered.length).map((name) => ({ name, node: -1, cut }));
  return [...entered.map((child) => ({ name: tree.nameOf(child), node: child, cut: false })), ...rest];
}

// The part of a level that fits, around the box `at`.
function windowOf(boxes, at, room) {
  const from = Math.max(0, Math.min(boxes.length - room, at - Math.floor(room / 2)));
  return { from, boxes: boxes.slice(from, from + room) };
}

const text = (x, y, names, words) => `<text x="${x}" y="${y}" class="${names}">${Board.escape(words)}</text>`;

function box(explorer, entry, x, y, here, onPath) {
  const { tree, step } = explorer;
  const state = entry.node >= 0 ? tree.stateAt(entry.node, step) : -1;
  const depth = entry.depth;
  const names = ['node', depth % 2 === 0 ? 'max' : 'min', entry.cut ? 'cut' : '', state < 0 ? 'coming' : '', onPath ? 'path' : '', here ? 'here' : ''].join(' ');
  const out = [`<g class="${names}"${entry.node >= 0 ? ` data-node="${entry.node}"` : ''}>`];
  out.push(`<rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="7"/>`);
  out.push(text(x + 8, y + 17, 'move', entry.name || t('explore.root')));
  if (state >= 0) {
    out.push(text(x + BOX.width - 8, y + 17, 'value', numberSign(tree.get(state, STEP.value))));
    if (tree.bounds) out.push(text(x + 8, y + 35, 'bound', 'α ' + numberSign(tree.get(state, STEP.alpha))), text(x + 8, y + 50, 'bound', 'β ' + numberSign(tree.get(state, STEP.beta))));
    const kind = tree.get(state, STEP.kind);
    if (kind === KIND.cut) out.push(text(x + BOX.width - 8, y + 50, 'scissors', '✂'));
    else if (kind === KIND.leaf) out.push(text(x + BOX.width - 8, y + 50, 'leaf', t('explore.leaf')));
  } else if (entry.cut) {
    out.push(`<path class="strike" d="M${x + 6} ${y + BOX.height - 8}L${x + BOX.width - 6} ${y + 8}"/>`);
  }
  out.push('</g>');
  return out.join('');
}

// Why the rest of a level was not looked at, with the numbers.
function reason(explorer, node) {
  const { tree } = explorer;
  const at = tree.cutOf(node);
  const max = tree.depthOf(node) % 2 === 0;
  const value = numberSign(tree.get(at, STEP.value));
  return max ? t('cut.max', { value, beta: numberSign(tree.get(at, STEP.beta)) }) : t('cut.min', { value, alpha: numberSign(tree.get(at, STEP.alpha)) });
}

// The levels from the root to one below the current node.
function levelsOf(explorer) {
  const { tree, step } = explorer;
  const node = tree.get(step, STEP.node);
  const path = tree.pathTo(node);
  const levels = [{ boxes: [{ name: '', node: 0, cut: false, depth: 0 }], at: 0, above: -1 }];
  path.forEach((each, depth) => {
    if (tree.isLeaf(each)) return;
    const boxes = level(explorer, each).map((entry) => ({ ...entry, depth: depth + 1 }));
    const next = path[depth + 1];
    const latest = boxes.reduce((last, entry, i) => (entry.node >= 0 ? i : last), 0);
    levels.push({ boxes, at: next === undefined ? latest : tree.ordinal[next], above: each });
  });
  return { levels, path };
}

function drawTree(place, explorer, goToStep) {
  const { tree, step } = explorer;
  const { levels, path } = levelsOf(explorer);
  const width = Math.max(320, place.clientWidth - 4);
  const room = Math.max(2, Math.floor((width - 60) / (BOX.width + BOX.gap)));
  const out = [];
  let from = width / 2; // where the box above hangs
  levels.forEach((row, depth) => {
    const seen = windowOf(row.boxes, row.at, room);
    const y = 8 + depth * BOX.level;
    const span = seen.boxes.length * (BOX.width + BOX.gap) - BOX.gap;
    const left = (width - span) / 2;
    let hanging = from;
    seen.boxes.forEach((entry, i) => {
      const x = left + i * (BOX.width + BOX.gap);
      const onPath = entry.node >= 0 && path[depth] === entry.node;
      if (depth > 0) out.push(`<path class="edge${entry.cut ? ' cut' : onPath ? ' path' : ''}" d="M${hanging} ${y - BOX.level + BOX.height}L${x + BOX.width / 2} ${y}"/>`);
      if (onPath) from = x + BOX.width / 2;
      out.push(box(explorer, entry, x, y, onPath && depth === path.length - 1, onPath));
    });
    if (seen.from > 0) out.push(text(4, y + BOX.height / 2, 'more', '+' + seen.from));
    const after = row.boxes.length - seen.from - seen.boxes.length;
    if (after > 0) out.push(text(width - 4, y + BOX.height / 2, 'more end', '+' + after));
    if (row.above >= 0 && tree.cutOf(row.above) >= 0 && tree.cutOf(row.above) <= step) {
      out.push(text(width / 2, y + BOX.height + 16, 'reason', reason(explorer, row.above)));
    }
  });
  const height = 8 + (levels.length - 1) * BOX.level + BOX.height + 26;
  place.innerHTML = `<svg class="search-tree" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${Board.escape(t('explore.tree'))}">${out.join('')}</svg>`;
  place.firstElementChild.onclick = (event) => {
    const group = event.target.closest('[data-node]');
    if (group) goToStep(tree.stateAt(Number(group.dataset.node), tree.count - 1));
  };
}

export { drawTree };
