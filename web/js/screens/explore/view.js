// One tree in its frame: drawn, moved, made larger and smaller, with a small map where it does not fit.
import { el, svg } from '../../core/dom.js';
import { t } from '../../core/texts.js';
import { drawScene, drawRows } from './picture.js';
import { SIZE } from './layout.js';
import { icon } from './parts.js';

const READABLE = 0.4; // a tree that fits at this scale is shown whole
const MOST_FIT = 2; // a small tree is not blown up beyond this
const LEAST = 0.02;
const MOST = 2.2;
const CLICK = 6; // pixels that a pointer may move and still click

class TreeView {
  // `choose(node)` and `open(node)` are called for clicks on nodes and on "+12", `resized()` when there is more or less room.
  constructor(id, { choose, open, resized }) {
    Object.assign(this, { id, choose, open, follows: true, camera: { x: 0, y: 0, k: 1 }, scene: null, pointers: new Map(), pressed: {} });
    this.lines = svg('g', { 'aria-hidden': 'true' });
    this.rows = svg('g', { class: 'rows', 'aria-hidden': 'true' });
    this.world = svg('g', { class: 'world', role: 'presentation' });
    this.svg = svg('svg', { class: 'search-tree', id: 'tree-' + id, role: 'tree', tabindex: '0' }, this.lines, this.world, this.rows);
    this.map = svg('svg', { class: 'map', 'aria-hidden': 'true', hidden: true });
    const button = (name, sign, onclick) => el('button', { class: name, 'aria-label': t('explore.' + name), title: t('explore.' + name), onclick }, sign);
    this.element = el('div.tree', null, this.svg, this.map, el('div.zoom', { role: 'group', 'aria-label': t('explore.zoom') },
      button('larger', '+', () => this.zoom(1.3)), button('smaller', '−', () => this.zoom(1 / 1.3)), button('whole', icon('whole'), () => this.showWhole())));
    this.listen(resized);
  }

  listen(resized) {
    this.svg.onwheel = (event) => {
      event.preventDefault();
      const box = this.svg.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 500), event.clientX - box.left, event.clientY - box.top);
    };
    this.svg.onpointerdown = (event) => {
      this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.moved = this.pointers.size > 1 ? CLICK + 1 : 0;
      this.pressed = { ...event.target.closest('[data-node], [data-more]')?.dataset };
    };
    this.svg.onpointermove = (event) => this.pointers.has(event.pointerId) && this.drag(event);
    const end = (event) => this.pointers.delete(event.pointerId);
    this.svg.onpointerup = end;
    this.svg.onpointercancel = end;
    this.svg.onclick = (event) => {
      if (this.moved > CLICK) return;
      // The picture may have been drawn anew between the press and the click; what was pressed counts.
      const { node, more } = event.detail ? this.pressed : { ...event.target.closest('[data-node], [data-more]')?.dataset };
      if (node !== undefined) this.choose(Number(node));
      else if (more !== undefined) this.open(Number(more));
    };
    this.map.onpointerdown = (event) => this.jump(event);
    this.map.onpointermove = (event) => event.buttons && this.jump(event);
    this.watcher = new ResizeObserver(() => {
      const [width, height] = [this.width, this.height];
      this.measure();
      if (this.scene && (width !== this.width || height !== this.height)) resized();
    });
    this.watcher.observe(this.element);
  }

  end() {
    this.watcher.disconnect();
  }

  // One pointer moves the tree, two make it larger and smaller.
  drag(event) {
    const before = this.pointers.get(event.pointerId);
    const now = { x: event.clientX, y: event.clientY };
    const others = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    this.pointers.set(event.pointerId, now);
    this.moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (this.moved <= CLICK) return;
    if (!this.svg.hasPointerCapture(event.pointerId)) this.svg.setPointerCapture(event.pointerId);
    if (others.length) {
      const box = this.svg.getBoundingClientRect();
      const apart = (place) => Math.hypot(place.x - others[0].x, place.y - others[0].y) || 1;
      this.zoom(apart(now) / apart(before), (now.x + others[0].x) / 2 - box.left, (now.y + others[0].y) / 2 - box.top);
    } else this.pan(now.x - before.x, now.y - before.y);
  }

  // Draws a scene (picture.js) and looks at what matters in it.
  show(scene) {
    const fresh = !this.scene || this.scene.layout.box.width !== scene.layout.box.width || this.scene.layout.items.length !== scene.layout.items.length;
    this.scene = { ...scene, id: this.id };
    this.world.innerHTML = drawScene(this.scene);
    const here = `${this.id}-${scene.trace.nodeAt(scene.step)}`;
    this.svg.setAttribute('aria-label', scene.title);
    this.svg.setAttribute('aria-activedescendant', here);
    if (fresh) {
      this.mapped = null;
      this.follows ||= !scene.keepsCamera;
    }
    this.look();
  }

  // Measured once and when it changes: asking at every step would lay out the whole page every time.
  measure() {
    this.width = this.svg.clientWidth || 320;
    this.height = this.svg.clientHeight || 320;
  }

  // Where the tree may stand: beside the names of the rows.
  get left() {
    const longest = this.scene ? Math.max(3, this.scene.words.side(true).length, this.scene.words.side(false).length) : 3;
    return this.width < 500 ? 34 : 20 + 11 * longest;
  }

  get room() {
    return this.width - this.left;
  }

  // What a layout is made for.
  measures() {
    return { shape: this.height / this.room, width: this.room };
  }

  // How large a box can be shown whole.
  scaleOf(box) {
    return Math.min(this.room / box.width, this.height / box.height);
  }

  // Whether it can then still be read: otherwise it is shown whole only where that is wished.
  isReadable(box) {
    return this.scaleOf(box) >= READABLE;
  }

  // Moves the camera to what matters, unless the user has taken it.
  look() {
    if (this.follows) {
      const { box } = this.scene.layout;
      const whole = this.scaleOf(box);
      if (whole >= READABLE || this.scene.fits) this.frame(box, Math.min(whole, MOST_FIT));
      else this.followStep(box, whole);
    }
    this.place();
  }

  // The current node, where it hangs and what hangs from it.
  followStep(box, whole) {
    const { layout, tree, trace, step } = this.scene;
    const node = trace.nodeAt(step);
    const at = layout.byNode.get(node);
    const indices = [at, layout.items[at].above, ...layout.children[at]].filter((i) => i >= 0);
    const near = indices.map((i) => layout.items[i]);
    const left = Math.min(...near.map((item) => item.x)) - 60;
    const right = Math.max(...near.map((item) => item.x)) + 90;
    const top = Math.min(...near.map((item) => item.y)) - 50;
    const low = Math.max(...near.map((item) => item.y)) + 50;
    const scale = Math.max(whole, Math.min(1, this.room / (right - left), this.height / (low - top)));
    this.frame({ x: left, y: top, width: right - left, height: low - top }, scale);
    if (tree.nodes) this.hold(box);
  }

  // Puts the middle of a box into the middle of the view.
  frame(box, k) {
    this.camera = { k, x: this.left + this.room / 2 - (box.x + box.width / 2) * k, y: this.height / 2 - (box.y + box.height / 2) * k };
  }

  // Leaves no empty room beside the tree where there is more of it on the other side.
  hold(box) {
    const { camera } = this;
    const clamp = (at, from, size, room) => (size * camera.k <= room ? (room - size * camera.k) / 2 - from * camera.k : Math.min(-from * camera.k, Math.max(room - (from + size) * camera.k, at)));
    camera.x = this.left + clamp(camera.x - this.left, box.x, box.width, this.room);
    camera.y = clamp(camera.y, box.y, box.height, this.height);
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const k = Math.max(LEAST, Math.min(MOST, this.camera.k * factor));
    const ratio = k / this.camera.k;
    this.camera = { k, x: x - (x - this.camera.x) * ratio, y: y - (y - this.camera.y) * ratio };
    this.follows = false;
    this.place();
  }

  pan(x, y) {
    this.camera.x += x;
    this.camera.y += y;
    this.follows = false;
    this.place();
  }

  showWhole() {
    const { box } = this.scene.layout;
    this.frame(box, Math.min(this.scaleOf(box), MOST_FIT));
    this.follows = false;
    this.place();
  }

  // The user's camera is given back: the view follows the steps again.
  follow() {
    this.follows = true;
    if (this.scene) this.look();
  }

  place() {
    const { x, y, k } = this.camera;
    this.world.style.transform = `translate(${x}px, ${y}px) scale(${k})`;
    const { lines, names } = drawRows(this.scene, (row) => row * k + y, this.width, this.left - 4);
    this.lines.innerHTML = lines;
    this.rows.innerHTML = names;
    this.drawMap();
  }

  // The small map: every node a dot, and a frame around what is seen.
  drawMap() {
    const { box, items } = this.scene.layout;
    const { x, y, k } = this.camera;
    const seen = { x: -x / k, y: -y / k, width: this.width / k, height: this.height / k };
    const all = seen.x <= box.x + SIZE.margin && seen.y <= box.y + SIZE.margin && seen.x + seen.width >= box.x + box.width - SIZE.margin && seen.y + seen.height >= box.y + box.height - SIZE.margin;
    const hidden = all || (this.follows && this.width < 500); // on a phone it would cover what it is about
    this.map.toggleAttribute('hidden', hidden);
    if (hidden) return;
    const dot = Math.max(box.width / 70, 10);
    this.mapped ??= items.map((item) => `M${Math.round(item.x - dot / 2)} ${Math.round(item.y)}h${Math.round(dot)}`).join('');
    const here = this.scene.layout.itemOf(this.scene.trace.nodeAt(this.scene.step));
    this.map.setAttribute('viewBox', [box.x, box.y, box.width, box.height].join(' '));
    this.map.setAttribute('preserveAspectRatio', 'none');
    this.map.innerHTML = `<path class="dots" d="${this.mapped}"/>` +
      (here ? `<path class="at" d="M${here.x - dot} ${here.y}h${2 * dot}"/>` : '') +
      `<rect class="frame" x="${seen.x}" y="${seen.y}" width="${seen.width}" height="${seen.height}"/>`;
  }

  jump(event) {
    const { box } = this.scene.layout;
    const frame = this.map.getBoundingClientRect();
    const x = box.x + ((event.clientX - frame.left) / frame.width) * box.width;
    const y = box.y + ((event.clientY - frame.top) / frame.height) * box.height;
    this.camera.x = this.width / 2 - x * this.camera.k;
    this.camera.y = this.height / 2 - y * this.camera.k;
    this.follows = false;
    this.place();
  }
}

export { TreeView };
