// The searches of the textbook on a tree, a step at a time: minimax or alpha-beta, with a transposition table, and by
// iterative deepening. The steps of the plain ones are the lines of the course's traversal log.
import { INFINITE, numberText } from './gametree.js';

const KIND = { enter: 0, leaf: 1, back: 2, cut: 3, hit: 4 };
const STEP = { kind: 0, node: 1, value: 2, alpha: 3, beta: 4, best: 5, previous: 6, width: 7 };
const PERIOD = 2048; // steps between two sums of what was counted
const COUNTED = ['nodes', 'leaves', 'cuts', 'hits', 'saved'];

// What a search did, step by step; numbers in one array that grows.
class Trace {
  constructor(tree, method) {
    Object.assign(this, { tree, method, count: 0, done: false, bounds: method.bounds !== false });
    this.data = new Int32Array(STEP.width * 1024);
    this.first = new Int32Array(tree.nodes).fill(-1); // the step that entered a node first
    this.latest = new Int32Array(tree.nodes).fill(-1); // the last step about it
    this.iterations = []; // steps that enter the root
    this.totals = { nodes: 0, leaves: 0, cuts: 0, hits: 0, saved: 0 };
    this.sums = []; // totals before every step whose number is a multiple of PERIOD
    this.saved = new Map(); // by step of a hit: nodes that it saved
  }

  add(kind, node, value, alpha, beta, best) {
    if ((this.count + 1) * STEP.width > this.data.length) {
      const larger = new Int32Array(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    if (this.count % PERIOD === 0) this.sums.push({ ...this.totals });
    const step = this.count++;
    this.data.set([kind, node, value, alpha, beta, best, this.latest[node]], step * STEP.width);
    if (this.first[node] < 0) this.first[node] = step;
    this.latest[node] = step;
    if (node === 0 && (kind === KIND.enter || kind === KIND.leaf)) this.iterations.push(step);
    this.tally(this.totals, kind, step);
  }

  tally(totals, kind, step) {
    if (kind === KIND.cut) totals.cuts++;
    if (kind === KIND.back || kind === KIND.cut) return;
    totals.nodes++;
    if (kind === KIND.leaf) totals.leaves++;
    if (kind === KIND.hit) {
      totals.hits++;
      totals.saved += this.saved.get(step) || 0;
    }
  }

  get(step, field) {
    return this.data[step * STEP.width + field];
  }

  kindAt(step) {
    return this.get(step, STEP.kind);
  }

  nodeAt(step) {
    return this.get(step, STEP.node);
  }

  depthAt(step) {
    return this.tree.depth[this.nodeAt(step)];
  }

  // Nodes, leaves, cuts and table hits up to a step and with it.
  countsAt(step) {
    const from = Math.floor(step / PERIOD);
    const totals = { ...this.sums[from] };
    for (let s = from * PERIOD; s <= step; s++) this.tally(totals, this.kindAt(s), s);
    return totals;
  }

  // Which iteration of iterative deepening a step belongs to, from 0.
  iterationAt(step) {
    let at = this.iterations.length - 1;
    while (at > 0 && this.iterations[at] > step) at--;
    return at;
  }

  // The last step about a node up to step `s`, or -1 when it was not entered yet.
  stateAt(node, s) {
    if (this.first[node] < 0 || this.first[node] > s) return -1;
    let at = this.latest[node];
    while (at > s) at = this.get(at, STEP.previous);
    return at;
  }

  // The same within the iteration under way.
  freshStateAt(node, s) {
    const at = this.stateAt(node, s);
    return at >= this.iterations[this.iterationAt(s)] ? at : -1;
  }

  wasCutAt(node, s) {
    const at = this.freshStateAt(node, s);
    return at >= 0 && this.kindAt(at) === KIND.cut;
  }

  // A node that was not looked at because of a cut above it, or of a table hit: the node where that happened, else -1.
  prunedBy(node, s) {
    if (this.freshStateAt(node, s) >= 0) return -1;
    for (let above = this.tree.parent[node]; above >= 0; above = this.tree.parent[above]) {
      const at = this.freshStateAt(above, s);
      if (at < 0) continue;
      const kind = this.kindAt(at);
      return kind === KIND.cut || kind === KIND.hit ? above : -1;
    }
    return -1;
  }

  // How many children of a node were entered up to a step.
  enteredAt(node, s) {
    let entered = 0;
    for (const child of this.tree.childrenOf(node)) if (this.freshStateAt(child, s) >= 0) entered++;
    return entered;
  }

  // The best child of a node by what is known at a step, -1 when nothing is.
  bestAt(node, s) {
    const at = this.freshStateAt(node, s);
    return at < 0 ? -1 : this.get(at, STEP.best);
  }

  // The best line as known at a step, from the root on.
  lineAt(s) {
    const line = [0];
    for (let best = this.bestAt(0, s); best >= 0; best = this.bestAt(best, s)) line.push(best);
    return line;
  }

  // The step with which a node is left, or the last one of its iteration.
  stepOver(s) {
    const parent = this.tree.parent[this.nodeAt(s)];
    if (parent < 0) return this.endOfIteration(s);
    for (let at = s + 1; at < this.count; at++) if (this.nodeAt(at) === parent) return at;
    return this.count - 1;
  }

  endOfIteration(s) {
    const next = this.iterations[this.iterationAt(s) + 1];
    return next > s + 1 ? next - 1 : this.count - 1;
  }

  // The next step after `s` of a kind; -1 when there is none.
  next(s, ...kinds) {
    for (let at = s + 1; at < this.count; at++) if (kinds.includes(this.kindAt(at))) return at;
    return -1;
  }

  // The line of the traversal log for a step, and the log's first line.
  logLine(s) {
    const name = this.tree.nameOf(this.nodeAt(s)).replace(/ (Raid|Stake|Sneak)$/, '') || 'root';
    const fields = [name, this.depthAt(s), numberText(this.get(s, STEP.value))];
    if (this.bounds) fields.push(numberText(this.get(s, STEP.alpha)), numberText(this.get(s, STEP.beta)));
    return fields.join(',');
  }

  logHeader() {
    return this.bounds ? 'Node,Depth,Value,Alpha,Beta' : 'Node,Depth,Value';
  }
}

// A search that can be carried on: `method` has bounds (false: minimax), table, deepening and depth (of the leaves).
class Search {
  constructor(tree, method = {}) {
    this.tree = tree;
    this.method = method;
    this.trace = new Trace(tree, method);
    this.most = Math.max(1, Math.min(method.depth || tree.deepest, tree.deepest));
    this.limit = method.deepening ? 1 : this.most;
    this.table = method.table ? new Map() : null;
    this.hints = method.deepening ? new Int32Array(tree.nodes).fill(-1) : null; // the best child of the last iteration
    this.frames = [];
    this.entering = 0;
    this.result = null; // of the child just done: {node, value}
  }

  // Goes on for at most so many steps; true when the search is over.
  advance(steps = Infinity) {
    const end = this.trace.count + steps;
    while (!this.trace.done && this.trace.count < end) {
      if (this.entering >= 0) this.enter(this.entering);
      else this.goOn();
    }
    return this.trace.done;
  }

  enter(node) {
    const { tree, trace, frames } = this;
    const above = frames.at(-1);
    const alpha = above ? above.alpha : -INFINITE;
    const beta = above ? above.beta : INFINITE;
    this.entering = -1;
    if (tree.count[node] === 0 || tree.depth[node] === this.limit) {
      trace.add(KIND.leaf, node, tree.value[node], alpha, beta, -1);
      return this.leave(node, tree.value[node]);
    }
    const known = this.table && this.table.get(this.keyOf(node));
    if (known && known.limit - known.depth >= this.limit - tree.depth[node] && usable(known, alpha, beta)) {
      trace.saved.set(trace.count, known.nodes - 1);
      trace.add(KIND.hit, node, known.value, alpha, beta, -1);
      return this.leave(node, known.value);
    }
    const max = tree.isMax(node);
    const value = max ? -INFINITE : INFINITE;
    frames.push({ node, max, value, alpha, beta, alphaIn: alpha, betaIn: beta, next: 0, best: -1, from: trace.totals.nodes });
    trace.add(KIND.enter, node, value, alpha, beta, -1);
  }

  // The next move of the node in hand, or the way back from it.
  goOn() {
    const frame = this.frames.at(-1);
    if (this.result && this.hear(frame, this.result)) return this.close(frame);
    this.result = null;
    if (frame.next === this.tree.count[frame.node]) return this.close(frame);
    this.entering = this.child(frame.node, frame.next++);
  }

  // Child number `i` in the order of the search: the best of the last iteration comes first.
  child(node, i) {
    const first = this.tree.first[node];
    const hint = this.hints ? this.hints[node] : -1;
    if (hint < 0) return first + i;
    return i === 0 ? hint : first + i <= hint ? first + i - 1 : first + i;
  }

  // A child's value reaches its parent; true when the rest of the parent's moves is cut.
  hear(frame, { node, value }) {
    if (frame.max ? value > frame.value : value < frame.value) {
      frame.value = value;
      frame.best = node;
    }
    const cut = this.trace.bounds && (frame.max ? frame.value >= frame.beta : frame.value <= frame.alpha);
    if (!cut && this.trace.bounds) {
      if (frame.max) frame.alpha = Math.max(frame.alpha, frame.value);
      else frame.beta = Math.min(frame.beta, frame.value);
    }
    this.trace.add(cut ? KIND.cut : KIND.back, frame.node, frame.value, frame.alpha, frame.beta, frame.best);
    return cut;
  }

  close(frame) {
    this.frames.pop();
    if (this.hints) this.hints[frame.node] = frame.best;
    if (this.table) {
      const bound = frame.value >= frame.betaIn ? 1 : frame.value <= frame.alphaIn ? -1 : 0;
      const { depth } = this.tree;
      this.table.set(this.keyOf(frame.node), { value: frame.value, bound, depth: depth[frame.node], limit: this.limit, nodes: this.trace.totals.nodes - frame.from });
    }
    this.leave(frame.node, frame.value);
  }

  // The table's key of a node: the position and whose move it is.
  keyOf(node) {
    return this.tree.isMax(node) ? this.tree.key[node] : -1 - this.tree.key[node];
  }

  leave(node, value) {
    this.result = { node, value };
    if (this.frames.length) return;
    this.result = null;
    if (this.limit < this.most) {
      this.limit++;
      this.entering = 0;
    } else this.trace.done = true;
  }
}

// Whether what the table knows of a position answers the window: exact, at least beta, or at most alpha.
function usable({ value, bound }, alpha, beta) {
  return bound === 0 || (bound === 1 && value >= beta) || (bound === -1 && value <= alpha);
}

// The whole search at once, for small trees and for tests.
function runSearch(tree, method) {
  const search = new Search(tree, method);
  search.advance();
  return search.trace;
}

// The same in parts, for finishInSlices.
function* searchInParts(tree, method, tell = () => {}) {
  const search = new Search(tree, method);
  while (!search.advance(1500)) {
    tell(search.trace.totals.nodes);
    yield;
  }
  return search.trace;
}

export { Trace, Search, KIND, STEP, runSearch, searchInParts };
