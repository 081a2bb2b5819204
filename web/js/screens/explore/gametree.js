// A game tree as it stands, before anybody searches it: nodes by number, the children of one side by side, a parent
// before its children. It comes from the engine, which plays a board's moves, or from brackets somebody typed.
const INFINITE = 1070000000; // as the engine has it

// Words a node as the engine writes it (web/explore.c).
const WORDS = { parent: 0, first: 1, count: 2, name: 3, value: 4, low: 5, high: 6, known: 7, width: 8 };

const SLICE_TIME = 12; // milliseconds
const SLICE = 8192; // nodes between two chances to pause

class GameTree {
  // Arrays by node: parent (-1 at the root), first child (-1 where none is known), count of children, index into names
  // (-1: none), value (of the evaluation), key (equal positions have equal keys) and known (0: never looked at, so that
  // what is below it is not here). Work on all nodes is done by generators, so that the page can pause in it.
  constructor({ parent, first, count, name, value, key, known, names, rootIsMax = true }) {
    Object.assign(this, { parent, first, count, name, value, key, known, names, rootIsMax });
    this.nodes = parent.length;
    this.say = null; // (name of a move): how people say it, where that is something else
    this.complete = !known.includes(0);
    this.depth = new Uint8Array(this.nodes);
    this.deepest = 0;
    this.size = new Int32Array(this.nodes).fill(1); // nodes of every subtree
    this.leaves = new Int32Array(this.nodes); // its leaves
    this.place = new Int32Array(this.nodes); // its first leaf, counted from the left
    this.truth = this.complete ? new Int32Array(this.nodes) : null; // the value of plain minimax
  }

  static fromEngine(buffer, names) {
    return finish(GameTree.grow(buffer, names));
  }

  // From the words that the engine writes.
  static* grow(buffer, names) {
    const words = new Int32Array(buffer);
    const nodes = words.length / WORDS.width;
    const ints = () => new Int32Array(nodes);
    const arrays = { parent: ints(), first: ints(), count: ints(), name: ints(), value: ints(), known: new Uint8Array(nodes), key: new Float64Array(nodes), names };
    for (let node = 0, at = 0; node < nodes; node++, at += WORDS.width) {
      if (node % SLICE === 0) yield;
      for (const word of ['parent', 'first', 'count', 'name', 'value', 'known']) arrays[word][node] = words[at + WORDS[word]];
      arrays.key[node] = (words[at + WORDS.high] & 0x1fffff) * 2 ** 32 + (words[at + WORDS.low] >>> 0); // 53 bits of the position's 64
    }
    return yield* new GameTree(arrays).prepare();
  }

  // Finds depths, sizes, places and values; gives the tree itself.
  *prepare() {
    for (let node = 1; node < this.nodes; node++) {
      if (node % SLICE === 0) yield;
      this.depth[node] = this.depth[this.parent[node]] + 1;
      if (this.depth[node] > this.deepest) this.deepest = this.depth[node];
    }
    for (let node = this.nodes - 1; node >= 0; node--) {
      if (node % SLICE === 0) yield;
      if (this.count[node] === 0) {
        this.leaves[node] = 1;
        if (this.truth) this.truth[node] = this.value[node];
      }
      if (node > 0) this.addToParent(node, this.parent[node]);
    }
    for (let node = 0; node < this.nodes; node++) {
      if (node % SLICE === 0) yield;
      let at = this.place[node];
      for (let i = 0, child = this.first[node]; i < this.count[node]; i++, child++) {
        this.place[child] = at;
        at += this.leaves[child];
      }
    }
    return this;
  }

  addToParent(node, parent) {
    this.size[parent] += this.size[node];
    this.leaves[parent] += this.leaves[node];
    if (!this.truth) return;
    const [value, best] = [this.truth[node], this.truth[parent]];
    const isLast = this.first[parent] + this.count[parent] - 1 === node; // the first that is seen here
    if (isLast || (this.isMax(parent) ? value > best : value < best)) this.truth[parent] = value;
  }

  isMax(node) {
    return (this.depth[node] % 2 === 0) === this.rootIsMax;
  }

  nameOf(node) {
    return this.name[node] < 0 ? '' : this.names[this.name[node]];
  }

  // The name as people read it: "C5 (4 2)" where the course calls the square "4 2".
  saidOf(node) {
    const name = this.nameOf(node);
    return name && this.say ? this.say(name) : name;
  }

  // The name in a few characters: "A1" for "A1 Sneak" where only one kind of move leads to a square, "C5" for "4 2".
  shortName(node) {
    if (this.say) return this.saidOf(node).split(' ')[0];
    this.kinds ??= kindsMatter(this.names);
    const [square, ...kind] = this.nameOf(node).split(' ');
    if (!kind.length || !/^[A-Z]\d+$/.test(square)) return this.nameOf(node);
    return this.kinds ? square + kind[0][0].toLowerCase() : square;
  }

  childrenOf(node) {
    return Array.from({ length: this.count[node] }, (unused, i) => this.first[node] + i);
  }

  ordinal(node) {
    return node - this.first[this.parent[node]];
  }

  pathTo(node) {
    const path = [];
    for (let at = node; at >= 0; at = this.parent[at]) path.unshift(at);
    return path;
  }

  movesTo(node) {
    return this.pathTo(node).slice(1).map((each) => this.nameOf(each));
  }

  // Whether `node` is `above` or lies below it.
  isBelow(node, above) {
    while (this.depth[node] > this.depth[above]) node = this.parent[node];
    return node === above;
  }

  // The first of the children with the best value.
  bestChild(node) {
    return this.childrenOf(node).find((child) => this.truth[child] === this.truth[node]);
  }

  // The same tree with the children of every node in another order; `compare` orders two nodes with the same parent.
  *reorder(compare) {
    const from = new Int32Array(this.nodes); // by new number, the old one
    const first = new Int32Array(this.nodes).fill(-1);
    const parent = new Int32Array(this.nodes).fill(-1);
    let used = 1;
    for (let node = 0; node < used; node++) {
      if (node % 512 === 0) yield;
      const old = from[node];
      if (this.first[old] < 0) continue;
      first[node] = used;
      for (const child of this.childrenOf(old).sort(compare)) {
        parent[used] = node;
        from[used++] = child;
      }
    }
    const column = (array) => array.map((unused, node) => array[from[node]]);
    const arrays = { parent, first, names: this.names, rootIsMax: this.rootIsMax };
    for (const name of ['count', 'name', 'value', 'key', 'known']) {
      arrays[name] = column(this[name]);
      yield;
    }
    const tree = new GameTree(arrays);
    tree.say = this.say;
    return yield* tree.prepare();
  }

  // The best move first at every node, by the values of plain minimax; moves of equal value keep their order.
  orderBestFirst() {
    return this.reorder((a, b) => this.gain(b) - this.gain(a) || a - b);
  }

  orderWorstFirst() {
    return this.reorder((a, b) => this.gain(a) - this.gain(b) || a - b);
  }

  // What a node is worth to the side that chose it.
  gain(node) {
    return this.isMax(this.parent[node]) ? this.truth[node] : -this.truth[node];
  }
}

// Work in parts, all at once.
function finish(parts) {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

// The same in slices of some milliseconds, so that the page stays awake; null when `stopped` says so.
async function finishInSlices(parts, stopped = () => false) {
  let from = performance.now();
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
    if (performance.now() - from < SLICE_TIME) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (stopped()) return null;
    from = performance.now();
  }
}

// Whether one square can be reached by moves of more than one kind.
function kindsMatter(names) {
  const kinds = new Map();
  for (const name of names) {
    const [square, kind] = name.split(' ');
    if (kinds.has(square) && kinds.get(square) !== kind) return true;
    kinds.set(square, kind);
  }
  return false;
}

const numberText = (value) => (value === INFINITE ? 'Infinity' : value === -INFINITE ? '-Infinity' : String(value));
const numberSign = (value) => (value === INFINITE ? '∞' : value === -INFINITE ? '−∞' : String(value).replace('-', '−'));

export { GameTree, INFINITE, numberText, numberSign, finish, finishInSlices };
