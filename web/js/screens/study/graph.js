// The values over a line of play as a graph, and the value of the position as a bar with its number.
import { svg } from '../../core/dom.js';
import { t } from '../../core/texts.js';
import { markOf } from './treeview.js';

const WIDTH = 400;
const HEIGHT = 64;

// Draws the line through the position shown; a click goes to the move there.
function drawGraph(place, study, show) {
  const nodes = [study.root, ...study.line()];
  const known = nodes.map((node, ply) => ({ node, ply })).filter(({ node }) => node.value);
  place.hidden = known.length < 3;
  if (place.hidden) return place.replaceChildren();
  const x = (ply) => ((WIDTH * ply) / Math.max(1, nodes.length - 1)).toFixed(1);
  const y = ({ value }) => (HEIGHT * (1 - value.share)).toFixed(1);
  const points = known.map(({ node, ply }) => `${x(ply)},${y(node)}`).join(' ');
  const here = nodes.indexOf(study.at);
  const first = study.view(study.root).points ? ' stones' : '';
  const picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'img', class: first.trim(), 'aria-label': t('analysis.graph') },
    svg('polygon', { class: 'area', points: `${x(known[0].ply)},${HEIGHT} ${points} ${x(known.at(-1).ply)},${HEIGHT}` }),
    svg('path', { class: 'middle', d: `M0 ${HEIGHT / 2}H${WIDTH}` }), svg('polyline', { points }),
    here >= 0 && svg('path', { class: 'here', d: `M${x(here)} 0V${HEIGHT}` }));
  const dots = known.filter(({ node }) => markOf(node) && markOf(node)[2] !== 'slip').map(({ node, ply }) => {
    const dot = document.createElement('i');
    dot.className = 'dot mark-' + markOf(node)[2];
    dot.style.left = `${(100 * ply) / Math.max(1, nodes.length - 1)}%`;
    dot.style.top = `${100 * (1 - node.value.share)}%`;
    return dot;
  });
  picture.onclick = (event) => {
    const box = place.getBoundingClientRect();
    show(nodes[Math.max(0, Math.min(nodes.length - 1, Math.round(((nodes.length - 1) * (event.clientX - box.left)) / box.width)))]);
  };
  place.replaceChildren(picture, ...dots);
}

// The bar beside the board: how much speaks for the first side, and the number.
function drawGauge(gauge, view, value) {
  const [fill, number] = gauge.children;
  const share = value ? value.share : 0.5;
  fill.style.height = 100 * share + '%';
  gauge.classList.toggle('stones', view.points);
  gauge.classList.toggle('low', share < 0.5);
  number.textContent = value ? value.short.replace(/[!%+−]/g, '') : '';
  number.classList.toggle('long', number.textContent.length > 2);
  gauge.setAttribute('aria-label', value ? value.words : t('analysis.unknown'));
  gauge.title = value ? value.words : '';
}

export { drawGraph, drawGauge };
