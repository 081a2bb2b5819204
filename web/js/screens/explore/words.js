// A step in a sentence, in the language of the page.
import { t } from '../../core/texts.js';
import { countWords } from '../../core/values.js';
import { KIND, STEP } from './search.js';
import { numberSign } from './gametree.js';
import { returnAt } from './code.js';

// In sentences "C5" alone; the board at the node has the numbers of a course beside the letters.
const nodeName = (tree, node) => (tree.say ? tree.shortName(node) : tree.nameOf(node)) || t('explore.root');
const whoMoves = (tree, node) => (tree.isMax(node) ? 'MAX' : 'MIN');

function stepWords(trace, step) {
  const { tree } = trace;
  const node = trace.nodeAt(step);
  const words = {
    node: nodeName(tree, node), depth: tree.depth[node], who: whoMoves(tree, node), value: numberSign(trace.get(step, STEP.value)),
    alpha: numberSign(trace.get(step, STEP.alpha)), beta: numberSign(trace.get(step, STEP.beta)), limit: trace.iterationAt(step) + 1,
  };
  const kind = trace.kindAt(step);
  if (kind === KIND.leaf) return t(tree.count[node] ? 'step.limit' : 'step.leaf', words);
  if (kind === KIND.hit) return t('step.hit', { ...words, saved: countWords(trace.saved.get(step)) });
  if (kind === KIND.enter) return enterWords(trace, step, words);
  return returnWords(trace, step, words);
}

function enterWords(trace, step, words) {
  const begins = trace.method.deepening && trace.nodeAt(step) === 0 ? t('step.iteration', words) + ' ' : '';
  return begins + t(trace.bounds ? 'step.enter' : 'step.enter.plain', words);
}

function returnWords(trace, step, words) {
  const { tree } = trace;
  const node = trace.nodeAt(step);
  const back = returnAt(trace, step);
  Object.assign(words, { child: nodeName(tree, back.child), given: numberSign(back.given), had: numberSign(back.had), fn: tree.isMax(node) ? 'max' : 'min' });
  if (trace.kindAt(step) === KIND.cut) {
    const left = tree.count[node] - trace.enteredAt(node, step);
    const why = t(tree.isMax(node) ? 'step.cutMax' : 'step.cutMin', words);
    return `${t('step.back', words)} ${why} ${left ? t(left === 1 ? 'step.cutOne' : 'step.cutMany', { left }) : t('step.cutNone')}`;
  }
  if (step === trace.count - 1) return `${t('step.back', words)} ${endWords(trace)}`;
  const change = trace.get(step, STEP.alpha) !== back.alpha ? t('step.alpha', words) : trace.get(step, STEP.beta) !== back.beta ? t('step.beta', words) : '';
  return t('step.back', words) + (change ? ' ' + change : '');
}

const endWords = (trace) => {
  const best = trace.bestAt(0, trace.count - 1);
  return t('step.end', { move: best < 0 ? '–' : trace.tree.saidOf(best), value: numberSign(trace.get(trace.count - 1, STEP.value)) });
};

// The words that the picture needs (picture.js).
function pictureWords(trace, sides) {
  const { tree } = trace;
  return {
    root: t('explore.root'), leaf: t('explore.leaf'), coming: t('explore.coming'),
    value: (value) => t('explore.valueIs', { value }),
    pruned: (value) => (value ? t('explore.prunedValue', { value }) : t('explore.pruned')),
    side: (max) => (sides ? sides[max === tree.rootIsMax ? 0 : 1] : ''),
    cut: (step) => {
      const value = numberSign(trace.get(step, STEP.value));
      return tree.isMax(trace.nodeAt(step)) ? `${value} ≥ β ${numberSign(trace.get(step, STEP.beta))}` : `${value} ≤ α ${numberSign(trace.get(step, STEP.alpha))}`;
    },
    hit: (step) => t('explore.fromTable', { saved: countWords(trace.saved.get(step)) }),
  };
}

export { stepWords, endWords, pictureWords, nodeName, whoMoves };
