// Which nodes of a tree are drawn, and where. A tree of some hundreds of nodes is drawn whole; of a larger one the way
// to the current node, with as many brothers and sisters at each level as there is room for.
import { numberSign } from './gametree.js';

const SIZE = { gap: 58, wide: 76, level: 84, column: 86, row: 26, margin: 34 };
const TALLEST = 230; // levels are drawn apart this far where a wide tree leaves room above and below
const MOST_SHOWN = 450;
const MOST_LAYOUTS = 8; // kept of a tree, one a size of the view
const LEGIBLE = 0.7; // a tree that fits at this size has its leaves side by side
const VIEW = 900; // pixels that a view is about wide
const ROWS = [2, 3, 4, 5, 6, 8, 10, 13, 17, 24]; // leaves that may stand in a column

// What is drawn: {node, above (index of the item it hangs from), more (so many nodes that are not drawn), x, y}.
class Layout {
  // `tall`: so many leaves of a node stand in a column, `column` wide; 1: side by side.
  constructor(items, { tall = 1, column = SIZE.column, isPath = false, shape = 1 }) {
    Object.assign(this, { items, tall, column, isPath, level: SIZE.level });
    this.children = items.map(() => []);
    items.forEach((item, i) => item.above >= 0 && this.children[item.above].push(i));
    this.byNode = new Map();
    items.forEach((item, i) => item.more || this.byNode.set(item.node, i));
    if (isPath) this.arrangePath();
    else this.arrange();
    this.stretch(shape);
  }

  itemOf(node) {
    const at = this.byNode.get(node);
    return at === undefined ? null : this.items[at];
  }

  isStack(i) {
    const below = this.children[i];
    return this.tall > 1 && below.length > 1 && below.every((child) => this.children[child].length === 0 && !this.items[child].more);
  }

  // Leaves side by side, a node above the middle of its children.
  arrange() {
    let x = 0;
    const place = (i) => {
      const item = this.items[i];
      const below = this.children[i];
      if (this.isStack(i)) {
        x = this.stack(item, below, x);
      } else if (!below.length) {
        item.x = x + SIZE.gap / 2;
        x += SIZE.gap;
      } else {
        for (const child of below) place(child);
        item.x = (this.items[below[0]].x + this.items[below.at(-1)].x) / 2;
      }
    };
    place(0);
    this.left = 0;
    this.width = x;
  }

  // Each level has the children of one node alone: all stand around the same middle.
  arrangePath() {
    let widest = 0;
    for (const below of this.children) {
      below.forEach((child, k) => { this.items[child].x = (k - (below.length - 1) / 2) * SIZE.wide; });
      widest = Math.max(widest, below.length * SIZE.wide);
    }
    this.items[0].x = 0;
    this.left = -widest / 2;
    this.width = widest;
  }

  // Heights: levels further apart in a view that is higher, for its width, than the tree is (`shape`: height by width).
  stretch(shape) {
    const depth = Math.max(...this.items.map((item) => item.depth));
    const rows = Math.max(0, ...this.items.map((item) => item.row || 0));
    const fixed = 2 * SIZE.margin + 12 + rows * SIZE.row;
    const wanted = ((this.width + 2 * SIZE.margin) * shape - fixed) / Math.max(1, depth);
    this.level = Math.round(Math.max(SIZE.level, Math.min(TALLEST, wanted * 0.9)));
    for (const item of this.items) item.y = item.depth * this.level + (item.stacked ? item.row * SIZE.row - 12 : 0);
    this.box = { x: this.left - SIZE.margin, y: -SIZE.margin, width: this.width + 2 * SIZE.margin, height: depth * this.level + fixed };
  }

  // The leaves of one node in columns of a few rows.
  stack(item, below, x) {
    const columns = Math.ceil(below.length / this.tall);
    const rows = Math.ceil(below.length / columns);
    below.forEach((child, k) => {
      const leaf = this.items[child];
      leaf.stacked = true;
      leaf.row = k % rows;
      leaf.x = x + (Math.floor(k / rows) + 0.5) * this.column;
    });
    item.x = x + (columns * this.column) / 2;
    return x + columns * this.column + 10;
  }
}

// How wide the column of a leaf is that has its name and its value in it.
function columnOf(tree) {
  let most = 0;
  for (let node = 1; node < tree.nodes; node++) {
    if (tree.count[node] === 0) most = Math.max(most, tree.shortName(node).length + numberSign(tree.value[node]).length);
  }
  return Math.max(60, Math.min(SIZE.column, 25 + 9.5 * most)); // triangles stand above it
}

// The whole tree. Where it would be too small with its leaves side by side, those of a node stand in columns, as high as
// suits the view best.
function wholeLayout(tree, { shape, width }) {
  const items = () => Array.from({ length: tree.nodes }, (unused, node) => ({ node, depth: tree.depth[node], above: tree.parent[node], more: 0 }));
  const scale = ({ box }) => Math.min(width / box.width, (width * shape) / box.height);
  let best = new Layout(items(), { shape });
  if (!shape || scale(best) >= LEGIBLE) return best;
  const column = columnOf(tree);
  for (const tall of ROWS) {
    const other = new Layout(items(), { tall, column, shape });
    if (scale(other) > 1.1 * scale(best)) best = other;
  }
  return best;
}

// The way to the current node, and beyond it the best line known; `open` has the nodes of which all children are wanted.
function pathLayout(tree, trace, step, { room, open, shape }) {
  const node = trace.nodeAt(step);
  const path = tree.pathTo(node);
  for (let best = trace.bestAt(node, step); best >= 0; best = trace.bestAt(best, step)) path.push(best);
  const items = [{ node: 0, depth: 0, above: -1, more: 0 }];
  let above = 0;
  for (const [depth, each] of path.entries()) {
    if (tree.count[each] === 0) break;
    const shown = shownChildren(tree, trace, step, each, path[depth + 1], open.has(each) ? 400 : room);
    let next = -1;
    for (const entry of shown) {
      if (entry.node === path[depth + 1] && !entry.more) next = items.length;
      items.push({ ...entry, depth: depth + 1, above });
    }
    if (next < 0) break;
    above = next;
  }
  return new Layout(items, { isPath: true, shape });
}

// The children of a node that there is room for: those around the wanted one, the best one, and how many are left out.
function shownChildren(tree, trace, step, node, wanted, room) {
  const first = tree.first[node];
  const count = tree.count[node];
  const latest = () => {
    let last = 0;
    for (let i = 0; i < count; i++) if (trace.freshStateAt(first + i, step) >= 0) last = i;
    return last;
  };
  const middle = wanted === undefined ? latest() : wanted - first;
  const from = Math.max(0, Math.min(count - room, middle - Math.floor(room / 2)));
  const seen = new Set();
  for (let i = from; i < Math.min(count, from + room); i++) seen.add(i);
  const best = trace.bestAt(node, step);
  if (best >= 0) seen.add(best - first);
  const shown = [];
  let left = 0;
  for (let i = 0; i <= count; i++) {
    if (i < count && !seen.has(i)) {
      left++;
      continue;
    }
    if (left) shown.push({ node, more: left, from: first + i - left });
    left = 0;
    if (i < count) shown.push({ node: first + i, more: 0 });
  }
  return shown;
}

const isShownWhole = (tree) => tree.nodes <= MOST_SHOWN;

// The layout for a view: `room` for so many brothers and sisters, `open` as above, `shape` its height by its width in
// pixels. A tree that is small enough is shown whole unless `whole` is false.
function layoutFor(tree, trace, step, { room = 12, open = new Set(), shape = 0, width = VIEW, whole = true } = {}) {
  if (!whole || !isShownWhole(tree)) return pathLayout(tree, trace, step, { room, open, shape });
  const about = { shape: Math.round(shape * 20) / 20, width: Math.round(width / 20) * 20 };
  const key = Object.values(about).join();
  if (tree.layouts?.size > MOST_LAYOUTS) tree.layouts = null;
  tree.layouts ??= new Map();
  if (!tree.layouts.has(key)) tree.layouts.set(key, wholeLayout(tree, about));
  return tree.layouts.get(key);
}

export { layoutFor, isShownWhole, SIZE, MOST_SHOWN };
