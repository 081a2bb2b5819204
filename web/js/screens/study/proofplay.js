// Playing against a proof: that Black wins on 15x15, or whatever a certificate proves. It answers at once, and the moves to
// its end are counted down.
import { el } from '../../core/dom.js';
import { t, sideName } from '../../core/texts.js';
import { toast } from '../../core/dialogs.js';
import { askText } from '../../core/rules.js';
import { Oracle } from './proof.js';
import { Study } from './model.js';
import { state, openStudy, openKept, keptStudies } from './state.js';

const START = 'gomoku freestyle 15\n';

const WIN = 30000;
const NODES = 200000; // for a win by threats that a certificate leaves to whoever plays it

class ProofPlay {
  // `hooks`: show(node), play(move), changed() of the screen.
  constructor(app, hooks) {
    Object.assign(this, { oracle: new Oracle(app), hooks, on: false, winner: 0, left: null, message: '', busy: false });
  }

  // Opens the study that is played in, and looks for a certificate.
  async begin() {
    this.on = true;
    Object.assign(this, { left: null, message: '' });
    this.openBoard(this.oracle.start || START);
    if (await this.oracle.find().catch(() => false)) await this.answer();
  }

  // The study of the position that the certificate is about.
  openBoard(start) {
    const name = t('proof.study');
    if (!keptStudies()[name] || !openKept(name) || state.study.start.trim() !== start.trim()) openStudy(new Study(start), name);
  }

  leave() {
    this.on = false;
  }

  mayPlay(view) {
    return !this.on || !this.oracle.ready || view.toMove !== this.winner;
  }

  async openFile(file) {
    this.busy = true;
    this.hooks.changed();
    try {
      await this.oracle.open(file);
      this.message = '';
    } catch (error) {
      this.message = `${file.name}: ${error.message}`;
    }
    this.busy = false;
    if (this.oracle.ready) this.openBoard(this.oracle.start);
    this.hooks.changed();
    if (this.oracle.ready) await this.answer();
  }

  // The proof's move where it is its turn; the count in any case.
  async answer() {
    if (!this.on || !this.oracle.ready) return;
    const { study } = state;
    const { at } = study;
    const view = study.view();
    if (view.over) {
      this.left = 0;
      return this.hooks.changed();
    }
    const known = await this.known(study).catch((error) => toast(error.message));
    if (!this.on || state.study !== study || study.at !== at) return;
    this.left = known ? Math.ceil((WIN - Math.abs(known.value)) / 2) : null;
    if (!known) return this.hooks.changed();
    this.winner = known.value > 0 ? view.toMove : 1 - view.toMove;
    if (view.toMove === this.winner) return this.follow(study, at, known.move);
    this.hooks.changed();
  }

  // What is proved of the position: by the certificate, or, inside a win by threats that it does not write out for every
  // reply, by the engine's search for them.
  async known(study) {
    const found = await this.oracle.ask(study.start, study.moves());
    if (found) return found;
    const { best } = await this.oracle.app.engine.think(askText(study.start, study.moves(), { nodes: NODES }));
    return best && Math.abs(best.value) >= WIN - 1000 ? best : null;
  }

  async follow(study, at, move) {
    this.hooks.play(move);
    await this.answer();
  }

  // The line above the board's panel.
  draw(place, view) {
    place.hidden = !this.on;
    if (!this.on) return place.replaceChildren();
    if (this.busy) return place.replaceChildren(el('p', t('proof.reading')));
    if (!this.oracle.ready) return place.replaceChildren(...this.invitation());
    const side = sideName(view, this.winner);
    const shown = view.over ? t('proof.done', { side }) : this.left === null ? t('proof.outside') : t(this.left === 1 ? 'proof.leftOne' : 'proof.left', { side });
    place.replaceChildren(el('p.proof-count', { 'aria-live': 'polite' }, this.left !== null && !view.over ? el('b', String(this.left)) : null, ' ', shown),
      el('p.soft', t('proof.how', { side: sideName(view, 1 - this.winner) })), el('button.proof-again', { onclick: () => this.again() }, t('proof.again')));
  }

  again() {
    this.hooks.show(state.study.root);
    this.answer();
  }

  // What to do where no certificate is at hand.
  invitation() {
    const file = el('input.proof-file', { type: 'file', hidden: true });
    file.onchange = () => file.files[0] && this.openFile(file.files[0]);
    return [el('p', t('proof.invite')), el('button.strong.proof-open', { onclick: () => file.click() }, t('proof.open')), file,
      this.message ? el('p.proof-fault', { role: 'alert' }, this.message) : null].filter(Boolean);
  }
}

export { ProofPlay };
