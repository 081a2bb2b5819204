// The moves of a study: the first line in numbered pairs, other lines indented below the move they leave, remarks where
// they belong.
import { el } from '../../core/dom.js';
import { t } from '../../core/texts.js';
import { shortMove } from './lines.js';

const MARKS = [[0.3, '??', 'blunder'], [0.15, '?', 'mistake'], [0.07, '?!', 'slip']];

// How bad a move was: [least cost, sign, name], or nothing.
const markOf = (node) => (node.cost === null ? undefined : MARKS.find(([least]) => node.cost >= least));

class TreeView {
  constructor(place, onChoose) {
    Object.assign(this, { place, onChoose, nodes: [] });
    place.onclick = (event) => {
      const button = event.target.closest('[data-node]');
      if (button) onChoose(this.nodes[Number(button.dataset.node)]);
    };
    new ResizeObserver(() => this.reveal()).observe(place); // a verdict or a longer line leaves less room
  }

  draw(study, firstSide) {
    this.nodes = [];
    this.study = study;
    this.firstSide = firstSide;
    this.view = study.view(study.root);
    const path = new Set(study.path());
    this.path = path;
    const parts = [];
    if (study.root.comment) parts.push(el('p.remark', study.root.comment));
    this.addLine(study.root, 0, parts);
    this.place.replaceChildren(...(parts.length ? parts : [el('span.soft', t('study.empty'))]));
  }

  // Brings the move that is shown into sight; to be called when all around has its size.
  reveal() {
    const now = this.place.querySelector('.now');
    if (!now) return;
    const [inner, outer] = [now.getBoundingClientRect(), this.place.getBoundingClientRect()];
    if (inner.top < outer.top + 8 || inner.bottom > outer.bottom - 8) this.place.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
  }

  // The moves below a node into `parts`: its first child and on; the others as lines of their own.
  addLine(from, ply, parts) {
    let numbered = true; // the next move shows its number
    for (let node = from; node.children.length; ) {
      const [first, ...others] = node.children;
      parts.push(this.move(first, ply, numbered));
      numbered = false;
      if (first.comment) {
        parts.push(el('p.remark', first.comment));
        numbered = true;
      }
      for (const other of others) {
        const inner = [this.move(other, ply, true)];
        if (other.comment) inner.push(el('p.remark', other.comment));
        this.addLine(other, ply + 1, inner);
        parts.push(el('div.branch', inner));
        numbered = true;
      }
      node = first;
      ply++;
    }
  }

  move(node, ply, numbered) {
    const index = this.nodes.push(node) - 1;
    const side = (ply + this.firstSide) % 2;
    const number = Math.floor((ply + this.firstSide) / 2) + 1;
    const mark = markOf(node);
    const button = el('button', { tabindex: -1, data: { node: index }, class: [node === this.study.at ? 'now' : '', this.path.has(node) ? 'on' : ''].join(' ') }, shortMove(this.view, node.move),
      mark ? el('span', { class: 'mark-' + mark[2] }, mark[1]) : null);
    if (node === this.study.at) button.setAttribute('aria-current', 'true');
    if (side === 0) return el('span.pair', el('span.number', `${number}.`), button);
    return numbered ? el('span.pair', el('span.number', `${number}…`), button) : button;
  }
}

export { TreeView, markOf };
