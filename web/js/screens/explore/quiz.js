// The quiz: before a step that can be worked out, it is asked for. Will the rest be cut? What will the value be?
import { KIND, STEP } from './search.js';
import { INFINITE } from './gametree.js';
import { returnAt } from './code.js';

const MOST_CHOICES = 4;

// The question about what step `step` will bring: {kind: 'cut' | 'value', node, right, choices}, or null when the step
// is nothing to ask about. Choices of 'cut' are 1 (yes) and 0 (no).
function questionAt(trace, step) {
  const back = step > 0 && step < trace.count ? returnAt(trace, step) : null;
  if (!back) return null;
  const { tree } = trace;
  const node = trace.nodeAt(step);
  const bound = tree.isMax(node) ? back.beta : back.alpha;
  const left = tree.count[node] - trace.enteredAt(node, step);
  if (trace.bounds && left > 0 && Math.abs(bound) < INFINITE) {
    return { kind: 'cut', node, child: back.child, right: trace.kindAt(step) === KIND.cut ? 1 : 0, choices: [1, 0] };
  }
  if (Math.abs(back.had) >= INFINITE || left > 0) return null;
  const right = trace.get(step, STEP.value);
  const choices = wrongOnes(trace, node, step, back, right);
  return choices.length < 2 ? null : { kind: 'value', node, child: back.child, right, choices };
}

// The right value among values that somebody might take for it.
function wrongOnes(trace, node, step, back, right) {
  const seen = new Set([right, back.given, back.had]);
  for (const child of trace.tree.childrenOf(node)) {
    const at = trace.freshStateAt(child, step);
    if (at >= 0) seen.add(trace.get(at, STEP.value));
  }
  for (const bound of [back.alpha, back.beta]) if (Math.abs(bound) < INFINITE) seen.add(bound);
  return [...seen].slice(0, MOST_CHOICES).sort((a, b) => a - b);
}

export { questionAt };
