// A review: every position of a line gets a value, and every move what it cost.
import { askText, proofOf } from '../../core/rules.js';
import { shareOfFirst, valueWords, valueShort, resultWords, isExact } from '../../core/values.js';
import { t } from '../../core/texts.js';

const NODES = 40000;

// What is kept of an answer: for the bar and the graph (`share` of the first side), in words, and the best move.
function valueOf(view, info) {
  return { share: shareOfFirst(view, info.value), words: valueWords(view, info), short: valueShort(view, info),
    exact: isExact(info), first: view.toMove === 0 ? info.value : -info.value, move: info.move, line: info.moves.slice(0, 8) };
}

const valueOfEnd = (view) => ({ share: view.score > 0 ? 1 : view.score < 0 ? 0 : 0.5, words: resultWords(view), short: view.margin ? String(Math.abs(view.score)) : '', exact: true, first: view.score * (view.margin ? 1 : 30000), move: '', line: [] });

// What a move cost, from the values before and after it: its share for the graph, and in words.
function judge(node, before, after, side, view) {
  const sign = side === 0 ? 1 : -1;
  if (!before.value || !after || before.value.move === node.move) return Object.assign(node, { cost: 0, better: null });
  const lost = Math.max(0, sign * (before.value.share - after.share));
  const points = sign * (before.value.first - after.first);
  const wins = !view.margin && sign * before.value.first >= 29000;
  const why = wins && sign * after.first < 29000 ? t('review.win', { value: before.value.words })
    : view.margin ? t('review.points', { points }) : t('review.share', { percent: Math.round(100 * lost) });
  return Object.assign(node, { cost: lost, better: lost > 0 ? { move: before.value.move, line: before.value.line, why } : null });
}

class Review {
  constructor(engine) {
    this.engine = engine;
    this.running = null;
  }

  // Looks at a study's line through where it is; `tell(done, all)` hears of each position. Ends early when stopped.
  async run(study, tell) {
    const mine = (this.running = {});
    const line = study.line();
    const nodes = [study.root, ...line];
    for (let i = 0; i < nodes.length && this.running === mine; i++) {
      const moves = line.slice(0, i).map((each) => each.move);
      const view = study.view(nodes[i]);
      const value = view.over ? valueOfEnd(view) : await this.valueAt(study.start, moves, view);
      if (!value || this.running !== mine) break;
      nodes[i].value = value;
      if (i > 0) judge(nodes[i], nodes[i - 1], value, study.view(nodes[i - 1]).toMove, view);
      tell(i + 1, nodes.length);
    }
    const whole = this.running === mine;
    if (whole) this.running = null;
    return whole;
  }

  async valueAt(start, moves, view) {
    const proved = proofOf(start, moves);
    if (proved) return valueOf(view, proved);
    const { best, stopped } = await this.engine.think(askText(start, moves, { nodes: NODES }));
    return best && !stopped ? valueOf(view, best) : null;
  }

  stop() {
    if (!this.running) return;
    this.running = null;
    this.engine.stop();
  }
}

export { Review, valueOf, valueOfEnd };
