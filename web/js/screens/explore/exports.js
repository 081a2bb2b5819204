// Pictures of steps that stand by themselves: one as SVG, many as a page of slides that needs nothing else.
import { $ } from '../../core/dom.js';
import { t, currentLanguage } from '../../core/texts.js';
import { drawScene, drawRows, escape } from './picture.js';
import { layoutFor } from './layout.js';
import { stepWords, pictureWords } from './words.js';
import { codeOf, linesAt } from './code.js';
import { explorer, boardAt } from './explorer.js';
import { sidesOf } from './side.js';

const MOST_SLIDES = 400;
const ROWS_WIDTH = 110;

// The picture's own style, in the light: what css/explore.css says for the page, for a file.
const style = () => {
  const [max, min] = explorer.source.kind === 'board' && boardAt(0).view.toMove === 1 ? ['#b9402a', '#2761ad'] : ['#2761ad', '#b9402a'];
  return `text{font:20px Inter,system-ui,sans-serif;fill:#26241f}.centred,.value{text-anchor:middle}.value{font-weight:700}.value.end{text-anchor:end}
.leaf .end,.leaf rect~.move{font-size:16px}.leaf rect~.tight{font-size:12px}.small{font-size:16px}.tiny{font-size:12px}.move{font-size:15px;fill:#686256;paint-order:stroke;stroke:#fff;stroke-width:4px}.bound{font-size:15px;paint-order:stroke;stroke:#fff;stroke-width:4px}
.shape,.node rect{fill:#fff;stroke-width:2.5}.max .shape,.max rect{stroke:${max}}.min .shape,.min rect{stroke:${min}}
.leaf rect{stroke:#686256}.path .shape,.path rect{stroke-width:4}.here .shape,.here rect{fill:#fff0c4;stroke-width:5}
.node.coming .shape,.node.coming rect,.node.old .shape{stroke:#c9c2b4;stroke-dasharray:4 3}.node.pruned .shape,.node.pruned rect{fill:#eeebe4;stroke:#c9c2b4}
.ghost{fill:#a49d90!important;font-style:italic}.edge{stroke:#b5ad9d;stroke-width:2;fill:none}.edge.path{stroke:#26241f;stroke-width:3.5}
.edge.line{stroke:#1c6b66;stroke-width:5}.edge.pruned{stroke:#ddd6c9;stroke-dasharray:3 5}.slash{stroke:#ae3522;stroke-width:2.5;fill:none}
.reason,.scissors{fill:#ae3522;font-weight:700;paint-order:stroke;stroke:#fff;stroke-width:5px}.known{fill:#1c6b66;font-weight:700;font-size:15px}
.answer{fill:none;stroke:#1c6b66;stroke-width:4}.wedge{fill:#ddd6c9}.more rect{fill:#fff;stroke:#b5ad9d}.row-line{stroke:#eeebe4}.row-who{font-weight:700;font-size:16px}
.row-name.max .row-who{fill:${max}}.row-name.min .row-who{fill:${min}}`;
};

// The picture of a step as the inside of an SVG, with its size; `shape` is the height by the width of where it will stand.
function drawing(pane, step, shape) {
  const layout = layoutFor(pane.tree, pane.trace, step, { shape });
  const scene = {
    tree: pane.tree, trace: pane.trace, step, layout, words: pictureWords(pane.trace, sidesOf()), still: true, id: 's', picked: -1,
    shadows: $('shadows').checked, leafValues: $('leaf-values').checked && explorer.source.kind === 'typed',
  };
  const { box } = layout;
  const width = box.width + ROWS_WIDTH + 60;
  const { lines, names } = drawRows(scene, (row) => row - box.y, width, 0);
  const inside = `${lines}${names}<g transform="translate(${ROWS_WIDTH - box.x} ${-box.y})">${drawScene(scene)}</g>`;
  return { inside, width, height: box.height };
}

function pictureOfStep(pane, step) {
  const { inside, width, height } = drawing(pane, step, 0.4);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><title>${escape(stepWords(pane.trace, step))}</title>` +
    `<style>${style()}</style><rect width="${width}" height="${height}" fill="#ffffff" stroke="none"/>${inside}</svg>\n`;
}

const slide = (pane, step, i) => {
  const { inside, width, height } = drawing(pane, step, 0.7);
  const { trace, name } = pane;
  const counts = trace.countsAt(step);
  const head = [t('lesson.pane.' + name), t('explore.at', { step: step + 1, count: trace.count }), t('tally.nodes', { count: counts.nodes }), trace.bounds && t('tally.cuts', { count: counts.cuts })];
  const now = linesAt(pane.trace, step);
  const code = codeOf(pane.trace.method).map(([name, indent, text]) => `<span${now.includes(name) ? ' class="now"' : ''}>${'  '.repeat(indent)}${escape(text)}</span>`).join('\n');
  return `<section${i ? '' : ' class="on"'}><h2>${escape(head.filter(Boolean).join(' · '))}</h2><svg viewBox="0 0 ${width} ${height}">${inside}</svg><pre>${code}</pre><p>${escape(stepWords(pane.trace, step))}</p></section>`;
};

const SLIDE_STYLE = `body{margin:0;background:#fff;color:#26241f;font:22px system-ui,sans-serif}section{display:none;grid:"head head" auto "tree code" 1fr "words words" auto/1fr auto;gap:12px;height:100vh;padding:16px;box-sizing:border-box;break-after:page}
section.on{display:grid}section>h2{grid-area:head;margin:0;font-size:17px;font-weight:600;color:#686256}section>svg{grid-area:tree;width:100%;height:100%;min-height:0}section>pre{grid-area:code;font-size:17px;align-self:center;margin:0}pre .now{background:#fff0c4;font-weight:700}
section>p{grid-area:words;margin:0;min-height:3em}@media print{@page{size:landscape}section{display:grid}}`;
const SLIDE_SCRIPT = `const all=[...document.querySelectorAll('section')];let at=0;const go=n=>{all[at].classList.remove('on');at=Math.max(0,Math.min(all.length-1,n));all[at].classList.add('on')};
addEventListener('keydown',e=>{const by={ArrowRight:1,PageDown:1,' ':1,ArrowLeft:-1,PageUp:-1}[e.key];if(by)e.preventDefault(),go(at+by);if(e.key==='Home')go(0);if(e.key==='End')go(all.length-1)});addEventListener('click',e=>go(at+(e.clientX<innerWidth/3?-1:1)));`;

// All steps as one page: arrows and clicks walk, printing gives a sheet a step. Of many steps those around the one shown.
async function slidesOf(pane, step) {
  const count = Math.min(MOST_SLIDES, pane.trace.count);
  const from = Math.max(0, Math.min(pane.trace.count - count, step - Math.floor(count / 2)));
  const slides = [];
  let begun = performance.now();
  for (let i = 0; i < count; i++) {
    slides.push(slide(pane, from + i, i));
    if (performance.now() - begun < 12) continue;
    await new Promise((resolve) => setTimeout(resolve));
    begun = performance.now();
  }
  const html = `<!doctype html>\n<html lang="${currentLanguage()}"><head><meta charset="utf-8"><title>${escape(t('screen.explore'))}</title><style>${style()}\n${SLIDE_STYLE}</style></head>` +
    `<body>\n${slides.join('\n')}\n<script>${SLIDE_SCRIPT}</script></body></html>\n`;
  return { html, from, count };
}

export { pictureOfStep, slidesOf };
