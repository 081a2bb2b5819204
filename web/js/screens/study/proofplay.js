// Playing White against the proof that Black wins: it answers at once, and the moves to its end are counted down.
import { el } from '../../core/dom.js';
import { t } from '../../core/texts.js';
import { toast } from '../../core/dialogs.js';
import { Oracle } from './proof.js';
import { Study } from './model.js';
import { state, openStudy, openKept, keptStudies } from './state.js';

const START = 'gomoku freestyle 15\n';
const CENTRE = 'H8';
const WIN = 30000;

class ProofPlay {
  // `hooks`: show(node), play(move), changed() of the screen.
  constructor(app, hooks) {
    Object.assign(this, { oracle: new Oracle(app), hooks, on: false, left: null, message: '', busy: false });
  }

  // Opens the study that is played in, and looks for a certificate.
  async begin() {
    this.on = true;
    const name = t('proof.study');
    if (keptStudies()[name] ? !openKept(name) : true) openStudy(new Study(START), name);
    if (state.study.start.trim() !== START.trim()) openStudy(new Study(START), name);
    this.left = null;
    this.message = '';
    if (await this.oracle.find().catch(() => false)) await this.answer();
  }

  leave() {
    this.on = false;
  }

  mayPlay(view) {
    return !this.on || !this.oracle.ready || view.toMove === 1;
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
    this.hooks.changed();
    if (this.oracle.ready) await this.answer();
  }

  // The proof's move where it is Black's turn; the count in any case.
  async answer() {
    if (!this.on || !this.oracle.ready) return;
    const { study } = state;
    const { at } = study;
    const view = study.view();
    if (view.over) {
      this.left = 0;
      return this.hooks.changed();
    }
    if (view.toMove === 0 && !at.parent) return this.follow(study, at, CENTRE);
    const known = await this.oracle.ask(study.start, study.moves()).catch((error) => toast(error.message));
    if (!this.on || state.study !== study || study.at !== at) return;
    this.left = known ? Math.ceil((WIN - Math.abs(known.value)) / 2) : null;
    if (known && view.toMove === 0) return this.follow(study, at, known.move);
    this.hooks.changed();
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
    const shown = view.over ? t(view.score > 0 ? 'proof.done' : 'proof.lost') : this.left === null ? t('proof.outside') : t('proof.left', { count: this.left });
    place.replaceChildren(el('p.proof-count', { 'aria-live': 'polite' }, this.left !== null && !view.over ? el('b', String(this.left)) : null, ' ', shown),
      el('p.soft', t('proof.how')), el('button.proof-again', { onclick: () => this.again() }, t('proof.again')));
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
