// The engine beside a study: it thinks about the position shown, starts over when that changes, and rests where everything
// is proved.
import { askText, proofOf } from '../../core/rules.js';
import { isExact, countShort } from '../../core/values.js';
import { recall, keep } from '../../core/store.js';
import { t } from '../../core/texts.js';
import { valueOf } from './review.js';
import { distinctLines } from './lines.js';

const LINES = 3;
const LEAST = 1000; // nodes below which a finished search is nothing to speak of
// In games of margins each move is searched on its own, so the time is given in growing portions.
const PORTIONS = { margin: [0.4, 1, 3, 10, 30, 100, 300], wins: [600] };

class Thinker {
  constructor(engine, changed) {
    Object.assign(this, { engine, changed, wanted: recall('studyEngine', true), known: [], key: '', running: false, failed: '', waits: false });
  }

  get on() {
    return this.wanted;
  }

  set on(wanted) {
    this.wanted = wanted;
    keep('studyEngine', wanted);
  }

  get lines() {
    return distinctLines(this.known);
  }

  get value() {
    const [best] = this.lines;
    return best ? valueOf(this.view, best) : null;
  }

  follow(study, view, busy) {
    const key = [study.start, ...study.moves()].join('\n');
    if (!this.on || view.over || busy) {
      this.stop();
      this.known = [];
      return;
    }
    if (key !== this.key) this.run(study.start, study.moves(), view, key);
  }

  stop() {
    if (this.running) this.engine.stop();
    this.running = false;
    this.key = '';
  }

  async run(start, moves, view, key) {
    Object.assign(this, { key, view, running: true, known: [], failed: '' });
    const proved = proofOf(start, moves);
    if (proved) {
      this.known = [proved];
      this.running = false;
      return;
    }
    try {
      for (const time of PORTIONS[view.margin ? 'margin' : 'wins']) {
        const { stopped } = await this.engine.think(askText(start, moves, { time, lines: LINES }), (info) => this.take(key, info));
        if (this.key !== key) return;
        if (stopped || (this.known.length && this.known.every(isExact))) break;
      }
    } catch (error) {
      if (this.key === key) this.failed = t('play.failed', { reason: error.message });
    }
    this.running = false;
    this.changed();
  }

  // Keeps a report, unless an earlier portion of time saw further already; says so at most ten times a second.
  take(key, info) {
    const known = this.known[info.line];
    if (this.key !== key || (known && info.depth < known.depth && !isExact(info))) return;
    this.known[info.line] = info;
    if (this.waits) return;
    this.waits = true;
    setTimeout(() => requestAnimationFrame(() => {
      this.waits = false;
      if (this.key === key) this.changed();
    }), 100);
  }

  // "Depth 12 · 340K nodes · 900K/s", or what else is to be said.
  words() {
    if (!this.on) return '';
    if (this.failed) return this.failed;
    const [best] = this.lines;
    if (!best) return this.running ? t('play.thinking') : '';
    if (best.proof) return t('analysis.byProof');
    if (!this.running && this.known.every(isExact)) return t('study.settled');
    if (!this.running && best.nodes < LEAST) return '';
    const speed = best.seconds > 0.01 ? countShort(Math.round(best.nodes / best.seconds)) : '–';
    return t('study.thinking', { depth: best.depth, nodes: countShort(best.nodes), speed });
  }
}

export { Thinker };
