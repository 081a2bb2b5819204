// The tree a textbook search walked, from its steps. A step is seven numbers, as web/explore.c writes them.
const STEP = { kind: 0, node: 1, name: 2, depth: 3, value: 4, alpha: 5, beta: 6, width: 7 };
const KIND = { enter: 0, leaf: 1, back: 2, cut: 3 };
const INFINITE = 1070000000;

class SearchTree {
  constructor(buffer, names, bounds) {
    this.data = new Int32Array(buffer);
    this.names = names;
    this.bounds = bounds; // alpha-beta: with alpha and beta
    this.count = this.data.length / STEP.width;
    let nodes = 0;
    for (let s = 0; s < this.count; s++) nodes = Math.max(nodes, this.get(s, STEP.node) + 1);
    this.nodes = nodes;
    this.parent = new Int32Array(nodes).fill(-1);
    this.ordinal = new Int32Array(nodes); // which child of its parent
    this.first = new Int32Array(nodes); // the step that entered it
    this.latest = new Int32Array(nodes); // the last step about it
    this.children = new Int32Array(nodes);
    this.nextSibling = new Int32Array(nodes).fill(-1);
    this.firstChild = new Int32Array(nodes).fill(-1);
    this.lastChild = new Int32Array(nodes).fill(-1);
    this.previous = new Int32Array(this.count).fill(-1); // the step before about the same node
    this.link();
  }

  link() {
    const path = [];
    let entered = -1;
    for (let s = 0; s < this.count; s++) {
      const node = this.get(s, STEP.node);
      if (node > entered) {
        entered = node;
        const depth = this.get(s, STEP.depth);
        this.first[node] = s;
        path[depth] = node;
        if (depth > 0) this.adopt(path[depth - 1], node);
      } else {
        this.previous[s] = this.latest[node];
      }
      this.latest[node] = s;
    }
  }

  adopt(parent, node) {
    this.parent[node] = parent;
    this.ordinal[node] = this.children[parent]++;
    if (this.lastChild[parent] >= 0) this.nextSibling[this.lastChild[parent]] = node;
    else this.firstChild[parent] = node;
    this.lastChild[parent] = node;
  }

  get(step, field) {
    return this.data[step * STEP.width + field];
  }

  nameOf(node) {
    const name = this.get(this.first[node], STEP.name);
    return name < 0 ? '' : this.names[name];
  }

  depthOf(node) {
    return this.get(this.first[node], STEP.depth);
  }

  // From the root down to the node.
  pathTo(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.parent[at]) path.unshift(at);
    return path;
  }

  movesTo(node) {
    return this.pathTo(node).slice(1).map((each) => this.nameOf(each));
  }

  // The last step about a node up to step `s`, or -1 when it was not entered yet.
  stateAt(node, s) {
    if (this.first[node] > s) return -1;
    let at = this.latest[node];
    while (at > s) at = this.previous[at];
    return at;
  }

  // The step of `node` that cut, or -1.
  cutOf(node) {
    return this.get(this.latest[node], STEP.kind) === KIND.cut ? this.latest[node] : -1;
  }

  childrenOf(node) {
    const list = [];
    for (let child = this.firstChild[node]; child >= 0; child = this.nextSibling[child]) list.push(child);
    return list;
  }

  isLeaf(node) {
    return this.get(this.first[node], STEP.kind) === KIND.leaf;
  }

  // The line of the traversal log for a step.
  logLine(s) {
    const name = this.get(s, STEP.name);
    const square = name < 0 ? 'root' : this.names[name].replace(/ (Raid|Stake|Sneak)$/, '');
    const fields = [square, this.get(s, STEP.depth), numberText(this.get(s, STEP.value))];
    if (this.bounds) fields.push(numberText(this.get(s, STEP.alpha)), numberText(this.get(s, STEP.beta)));
    return fields.join(',');
  }

  logHeader() {
    return this.bounds ? 'Node,Depth,Value,Alpha,Beta' : 'Node,Depth,Value';
  }

  // The next step after `s` with a cut; -1 when there is none.
  nextCut(s) {
    for (let at = s + 1; at < this.count; at++) if (this.get(at, STEP.kind) === KIND.cut) return at;
    return -1;
  }

  // The step after everything below the current node is done: the parent hears of it.
  stepOver(s) {
    const parent = this.parent[this.get(s, STEP.node)];
    if (parent < 0) return this.count - 1;
    for (let at = s + 1; at < this.count; at++) if (this.get(at, STEP.node) === parent) return at;
    return this.count - 1;
  }
}

const numberText = (value) => (value === INFINITE ? 'Infinity' : value === -INFINITE ? '-Infinity' : String(value));
const numberSign = (value) => (value === INFINITE ? '∞' : value === -INFINITE ? '−∞' : String(value).replace('-', '−'));

export { SearchTree, STEP, KIND, INFINITE, numberSign };
