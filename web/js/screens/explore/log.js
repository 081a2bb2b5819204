// The traversal log beside the tree: a list of any length of which only the visible lines are in the page.
import { el } from '../../core/dom.js';
import { t } from '../../core/texts.js';

const LINE = 20;

class LogView {
  constructor(choose) {
    this.room = el('div', { id: 'log-room' });
    this.place = el('div', { id: 'log', tabindex: '0', role: 'group', 'aria-label': t('explore.log') }, this.room);
    this.place.onscroll = () => this.fill();
    this.place.onclick = (event) => {
      const line = event.target.closest('[data-step]');
      if (line) choose(Number(line.dataset.step));
    };
  }

  // Shows the log around a step; scrolls only when the step is out of sight. A log that is folded away waits.
  show(trace, step, isOpen) {
    if (!isOpen) return;
    if (trace !== this.trace) this.room.style.height = (trace.count + 1) * LINE + 'px';
    Object.assign(this, { trace, step });
    const top = (step + 1) * LINE;
    const { scrollTop, clientHeight } = this.place;
    if (top < scrollTop + LINE || top > scrollTop + clientHeight - 2 * LINE) this.place.scrollTop = Math.max(0, top - clientHeight / 2);
    this.fill();
  }

  fill() {
    const { trace, step, place } = this;
    if (!trace) return;
    const first = Math.max(0, Math.floor(place.scrollTop / LINE) - 5);
    const last = Math.min(trace.count, first + Math.ceil(place.clientHeight / LINE) + 10);
    const lines = [];
    for (let line = first; line <= last; line++) {
      const element = el(line - 1 === step ? 'div.now' : 'div', null, line === 0 ? trace.logHeader() : trace.logLine(line - 1));
      element.style.top = line * LINE + 'px';
      if (line > 0) element.dataset.step = line - 1;
      lines.push(element);
    }
    this.room.replaceChildren(...lines);
  }
}

export { LogView };
