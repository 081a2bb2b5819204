// The searches in the textbook's words, and which lines of them a step is about.
import { KIND, STEP } from './search.js';

// A line: [name, depth of indentation, text]; the names are what steps are about.
const side = (max, bounds) => {
  const [name, fn, first, call] = max ? ['max', 'max', '−∞', 'MAX'] : ['min', 'min', '∞', 'MIN'];
  const inside = bounds ? 'alphabeta(child, α, β)' : 'minimax(child)';
  const lines = [
    [null, 1, max ? `if ${call} is to move` : `else (${call} is to move)`],
    [name + 'Enter', 2, `v ← ${first}`],
    [name + 'Loop', 2, 'for each child'],
    [name + 'Back', 3, `v ← ${fn}(v, ${inside})`],
  ];
  if (bounds) lines.push([name + 'Cut', 3, max ? 'if v ≥ β: return v' : 'if v ≤ α: return v'], [name + 'Bound', 3, max ? 'α ← max(α, v)' : 'β ← min(β, v)']);
  return lines;
};

function codeOf({ bounds = true, table = false, deepening = false }) {
  const name = bounds ? 'alphabeta(node, α, β)' : 'minimax(node)';
  return [
    ...(deepening ? [['limit', 0, 'for limit ← 1, 2, 3, …'], ['limit', 1, 'alphabeta(root, −∞, ∞)']] : []),
    [null, 0, name],
    ['leaf', 1, deepening ? 'if node is at the limit or a leaf' : 'if node is a leaf'],
    ['leaf', 2, 'return its evaluation'],
    ...(table ? [['hit', 1, 'if the table answers for (node, α, β)'], ['hit', 2, 'return its value']] : []),
    ...(deepening ? [['sort', 1, 'children: the last limit’s best first']] : []),
    ...side(true, bounds),
    ...side(false, bounds),
    ...(table ? [['store', 1, 'table[node] ← v: exact, ≤ or ≥']] : []),
    ['end', 1, 'return v'],
  ];
}

// The names of the lines that run at a step.
function linesAt(trace, step) {
  const kind = trace.kindAt(step);
  const node = trace.nodeAt(step);
  if (kind === KIND.leaf) return ['leaf'];
  if (kind === KIND.hit) return ['hit'];
  const name = trace.tree.isMax(node) ? 'max' : 'min';
  if (kind === KIND.enter) return [name + 'Enter', ...(trace.method.deepening && node === 0 ? ['limit'] : []), ...(trace.method.deepening ? ['sort'] : [])];
  if (kind === KIND.cut) return [name + 'Back', name + 'Cut'];
  const isOver = step === trace.count - 1 || trace.nodeAt(step + 1) === trace.tree.parent[node];
  return [name + 'Back', name + 'Bound', ...(isOver ? ['end', 'store'] : [])];
}

// The variables of the call that runs at a step, as numbers.
function variablesAt(trace, step) {
  return {
    node: trace.nodeAt(step), depth: trace.depthAt(step), value: trace.get(step, STEP.value), best: trace.get(step, STEP.best),
    alpha: trace.get(step, STEP.alpha), beta: trace.get(step, STEP.beta),
  };
}

// The child that has just come back, and what its parent had before: null for steps that enter.
function returnAt(trace, step) {
  const kind = trace.kindAt(step);
  if (kind !== KIND.back && kind !== KIND.cut) return null;
  const before = trace.get(step, STEP.previous);
  return { child: trace.nodeAt(step - 1), given: trace.get(step - 1, STEP.value), before, had: trace.get(before, STEP.value),
    alpha: trace.get(before, STEP.alpha), beta: trace.get(before, STEP.beta) };
}

export { codeOf, linesAt, variablesAt, returnAt };
