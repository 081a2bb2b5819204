// The picture of a search at one step, as the text of an SVG: triangles up for MAX, down for MIN, as textbooks draw
// them, squares for leaves, grey shadows for what was cut away.
import { KIND, STEP } from './search.js';
import { numberSign } from './gametree.js';

const SHAPE = { up: 'M0 -27L33 20H-33Z', down: 'M0 27L33 -20H-33Z' };
const LOW_ROW = 44; // pixels; lower rows have no room for the side's name below MAX and MIN
const escape = (text) => String(text).replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
const place = (number) => Math.round(number * 10) / 10;
const text = (x, y, names, words) => `<text x="${place(x)}" y="${place(y)}" class="${names}">${escape(words)}</text>`;

// What a node is at a step: {state (the step that tells, or -1), kind, value (a text), ...flags}.
function lookOf(scene, node) {
  const { tree, trace, step } = scene;
  const state = trace.freshStateAt(node, step);
  const look = { state, shown: '', ghost: false, old: false, pruned: false };
  if (state >= 0) {
    look.kind = trace.kindAt(state);
    look.shown = numberSign(trace.get(state, STEP.value));
    return look;
  }
  look.pruned = trace.prunedBy(node, step) >= 0;
  const before = trace.stateAt(node, step);
  if (before >= 0 && !look.pruned) {
    look.old = true;
    look.shown = numberSign(trace.get(before, STEP.value));
  } else if (look.pruned && scene.shadows && tree.truth) {
    look.ghost = true;
    look.shown = numberSign(tree.truth[node]);
  } else if (scene.leafValues && tree.known[node] && isLeafOf(scene, node)) {
    look.ghost = true;
    look.shown = numberSign(tree.value[node]);
  }
  return look;
}

const isLeafOf = ({ tree }, node) => tree.count[node] === 0;

// The names of the style of a node.
function namesOf(scene, item, look) {
  const { tree, trace, step } = scene;
  const node = item.node;
  const names = ['node', isBox(scene, item, look) ? 'leaf' : '', tree.isMax(node) ? 'max' : 'min'];
  if (look.pruned) names.push('pruned');
  else if (look.old) names.push('old');
  else if (look.state < 0) names.push('coming');
  if (look.kind === KIND.cut) names.push('cutter');
  if (look.kind === KIND.hit) names.push('hit');
  if (scene.onPath.has(node)) names.push('path');
  if (scene.onLine.has(node)) names.push('line');
  if (trace.nodeAt(step) === node) names.push('here');
  if (scene.picked === node) names.push('picked');
  return names.filter(Boolean).join(' ');
}

// Leaves are boxes; so is an inner node where this iteration stops.
function isBox(scene, item, look) {
  return isLeafOf(scene, item.node) || look.kind === KIND.leaf;
}

function shapeOf(scene, item, look) {
  const { tree } = scene;
  const { x, y, node } = item;
  if (item.stacked) {
    const name = tree.shortName(node);
    const tight = name.length + look.shown.length > 7 ? ' tight' : '';
    const half = scene.layout.column / 2;
    return `<rect x="${place(x - half + 2)}" y="${place(y - 11.5)}" width="${2 * half - 4}" height="23" rx="3"/>` +
      text(x - half + 7, y + 5.5, 'move' + tight, name + ' ') + text(x + half - 7, y + 5.5, 'value end' + tight + (look.ghost ? ' ghost' : ''), look.shown);
  }
  if (isBox(scene, item, look)) {
    return `<rect x="${place(x - 24)}" y="${place(y - 18)}" width="48" height="36" rx="3"/>` + text(x, y + 7, sizeName('value', look), look.shown);
  }
  const up = tree.isMax(node);
  return `<path class="shape" d="${up ? SHAPE.up : SHAPE.down}" transform="translate(${place(x)} ${place(y)})"/>` +
    text(x, y + (up ? 14 : 1), sizeName('value', look), look.shown);
}

// Long numbers are written smaller, so that they stay inside.
function sizeName(name, look) {
  return name + (look.ghost ? ' ghost' : '') + (look.shown.length > 5 ? ' tiny' : look.shown.length > 3 ? ' small' : '');
}

// Alpha and beta beside a node, and what stands beside it for a moment: why it was cut, that the table knew it.
function besideOf(scene, item, look) {
  const { trace, step } = scene;
  if (look.state < 0 || item.stacked) return '';
  const out = [];
  const here = trace.nodeAt(step) === item.node;
  const x = item.x + (isBox(scene, item, look) ? 29 : 36);
  if (trace.bounds && scene.onPath.has(item.node) && !(look.kind === KIND.leaf && item.depth > 0)) {
    out.push(text(x, item.y - 8, 'bound', 'α ' + numberSign(trace.get(look.state, STEP.alpha))), text(x, item.y + 8, 'bound', 'β ' + numberSign(trace.get(look.state, STEP.beta))));
  }
  if (look.kind === KIND.cut && here) out.push(text(x, item.y + 25, 'reason', '✂ ' + scene.words.cut(look.state)));
  else if (look.kind === KIND.cut) out.push(text(x - 12, item.y + 25, 'scissors', '✂'));
  if (look.kind === KIND.hit) out.push(text(item.x, item.y + 40, 'known centred', scene.words.hit(look.state)));
  return out.join('');
}

// What a leaf in a column is called: what is seen of it, in its order.
function titleInColumn({ tree, words }, item, look) {
  const state = look.pruned ? words.pruned('') : look.state < 0 ? words.coming : '';
  return [`${tree.shortName(item.node)} ${look.shown}`, words.leaf, state].filter(Boolean).join(', ');
}

function titleOf(scene, item, look) {
  if (item.stacked) return titleInColumn(scene, item, look);
  const { tree } = scene;
  const who = isBox(scene, item, look) ? scene.words.leaf : tree.isMax(item.node) ? 'MAX' : 'MIN';
  const name = tree.saidOf(item.node) || scene.words.root;
  const value = look.pruned ? scene.words.pruned(look.shown) : look.shown ? scene.words.value(look.shown) : scene.words.coming;
  return `${name}, ${who}, ${value}`;
}

function drawItem(scene, item, look) {
  const { tree } = scene;
  const hidden = tree.count[item.node] > 0 && !scene.layout.children[scene.layout.byNode.get(item.node)].length;
  const wedge = hidden ? `<path class="wedge" d="M${place(item.x)} ${place(item.y + 22)}l-17 17h34z"/>` : '';
  const level = ` role="treeitem" id="${scene.id}-${item.node}" aria-level="${item.depth + 1}" aria-selected="${scene.trace.nodeAt(scene.step) === item.node}"`;
  return `<g class="${namesOf(scene, item, look)}" data-node="${item.node}"${scene.still ? '' : level} aria-label="${escape(titleOf(scene, item, look))}">` +
    `${wedge}${shapeOf(scene, item, look)}</g>`;
}

// The edge from the node above, bold on the way to the current node and on the best line, struck through where cut; and
// the name of its move, which lies over all edges.
function drawEdge(scene, item, above, look) {
  const { tree } = scene;
  if (item.stacked && item.row > 0) return [drawStackedCut(scene, item, above, look), ''];
  const names = ['edge', look.pruned ? 'pruned' : '', scene.onLine.has(item.node) ? 'line' : '', scene.onPath.has(item.node) ? 'path' : ''].filter(Boolean).join(' ');
  const from = above.y + (tree.isMax(above.node) ? 20 : 24);
  const to = item.y - (item.stacked ? 11 : isBox(scene, item, look) ? 18 : tree.isMax(item.node) ? 24 : 20);
  const edge = `<path class="${names}" d="M${place(above.x)} ${place(from)}L${place(item.x)} ${place(to)}"/>`;
  const at = (share) => [above.x + (item.x - above.x) * share, from + (to - from) * share];
  const [x, y] = at(0.66);
  const name = item.stacked ? '' : text(x, y + 4, 'move centred' + (look.pruned ? ' ghost' : ''), tree.shortName(item.node));
  return [edge, (scene.trace.wasCutAt(above.node, scene.step) && look.pruned ? slash(...at(0.4)) : '') + name];
}

// In a column of leaves the strokes stand between the last that was looked at and the first that was cut.
function drawStackedCut(scene, item, above, look) {
  if (!look.pruned || !scene.trace.wasCutAt(above.node, scene.step) || scene.trace.prunedBy(item.node - 1, scene.step) >= 0) return '';
  return slash(item.x + scene.layout.column / 2 + 3, item.y - 14);
}

// Two strokes through an edge, where a branch was cut.
const slash = (x, y) => `<path class="slash" d="M${place(x - 8)} ${place(y + 3)}l12 -9M${place(x - 4)} ${place(y + 7)}l12 -9"/>`;

// A number of nodes that there is no room for; a click shows them.
function drawMore(scene, item) {
  const above = scene.layout.items[item.above];
  const to = item.y - 14;
  const from = above.y + 22;
  const isCut = scene.trace.wasCutAt(above.node, scene.step) && scene.trace.prunedBy(item.from + item.more - 1, scene.step) >= 0;
  return `<path class="edge more" d="M${place(above.x)} ${place(from)}L${place(item.x)} ${place(to)}"/>` +
    (isCut ? slash(above.x + (item.x - above.x) * 0.4, from + (to - from) * 0.4) : '') +
    `<g class="more${isCut ? ' pruned' : ''}" data-more="${item.node}"><rect x="${place(item.x - 26)}" y="${place(to)}" width="52" height="28" rx="14"/>` +
    `${text(item.x, item.y + 5, 'centred', '+' + item.more)}</g>`;
}

// Everything in the tree's own coordinates.
function drawScene(scene) {
  const { layout, trace, step, tree } = scene;
  scene.onPath = new Set(tree.pathTo(trace.nodeAt(step)));
  scene.onLine = new Set(step === trace.count - 1 || trace.nodeAt(step) === 0 ? trace.lineAt(step).slice(1) : []);
  const edges = [];
  const names = [];
  const shapes = [];
  const beside = [];
  for (const item of layout.items) {
    if (item.more) {
      shapes.push(drawMore(scene, item));
      continue;
    }
    const look = lookOf(scene, item.node);
    if (item.above >= 0) {
      const [edge, name] = drawEdge(scene, item, layout.items[item.above], look);
      edges.push(edge);
      names.push(name);
    }
    shapes.push(drawItem(scene, item, look));
    beside.push(besideOf(scene, item, look));
  }
  const answer = step === trace.count - 1 ? drawAnswer(scene) : '';
  return edges.join('') + names.join('') + shapes.join('') + answer + beside.join('');
}

// At the end: a ring around the best move of the root.
function drawAnswer(scene) {
  const best = scene.trace.bestAt(0, scene.step);
  const item = best >= 0 && scene.layout.itemOf(best);
  if (!item) return '';
  const y = item.stacked ? item.y : item.y - 1;
  return `<ellipse class="answer" cx="${place(item.x)}" cy="${place(y)}" rx="${item.stacked ? 42 : 44}" ry="${item.stacked ? 16 : 38}"/>`;
}

// The rows of the picture: lines to lie under the tree, and at its left edge whose move it is at each level.
function drawRows(scene, yOf, width, left) {
  const { tree, layout } = scene;
  const lines = [];
  const names = [`<rect class="row-ground" x="0" y="0" width="${left}" height="100%"/>`];
  const depths = new Set(layout.items.map((item) => item.depth));
  for (const depth of depths) {
    if (layout.items.every((item) => item.depth !== depth || (!item.more && tree.count[item.node] === 0))) continue;
    const y = place(yOf(depth * layout.level));
    const max = (depth % 2 === 0) === tree.rootIsMax;
    const isLow = yOf(layout.level) - yOf(0) < LOW_ROW;
    const under = Math.max(y, 20); // in sight, however near the edge
    lines.push(`<path class="row-line" d="M${left} ${y}H${place(width)}"/>`);
    names.push(`<g class="row-name ${max ? 'max' : 'min'}">${text(6, isLow ? under + 5 : under - 5, 'row-who', max ? 'MAX' : 'MIN')}${isLow ? '' : text(6, under + 15, 'whose', scene.words.side(max))}</g>`);
  }
  return { lines: lines.join(''), names: names.join('') };
}

export { drawScene, drawRows, lookOf, escape };
