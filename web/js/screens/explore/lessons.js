// The lessons: which searches run on a tree, one picture for each. `of` changes the tree's order of moves first.
const LESSONS = {
  minimax: [{ name: 'minimax', method: { bounds: false } }],
  alphabeta: [{ name: 'alphabeta', method: {} }],
  race: [{ name: 'minimax', method: { bounds: false } }, { name: 'alphabeta', method: {} }],
  order: [{ name: 'best', method: {}, of: (tree) => tree.orderBestFirst() }, { name: 'worst', method: {}, of: (tree) => tree.orderWorstFirst() }],
  deepening: [{ name: 'deepening', method: { deepening: true } }],
  table: [{ name: 'table', method: { table: true } }, { name: 'alphabeta', method: {} }],
};

// What the table of counts compares on every tree.
const COUNTS = [
  { name: 'minimax', method: { bounds: false } },
  { name: 'alphabeta', method: {} },
  { name: 'best', method: {}, of: (tree) => tree.orderBestFirst() },
  { name: 'worst', method: {}, of: (tree) => tree.orderWorstFirst() },
  { name: 'deepening', method: { deepening: true } },
  { name: 'table', method: { table: true } },
];

// Only this one can do with a tree of which alpha-beta's part alone is known.
const MAY_BE_PARTIAL = new Set(['alphabeta']);

export { LESSONS, COUNTS, MAY_BE_PARTIAL };
