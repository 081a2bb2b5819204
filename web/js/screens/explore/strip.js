// A large tree as a strip: a row a depth, from the first leaf to the last; what was seen, what was cut, where we are.
const ROW = 9;

// Colours by name, as the style of the page has them.
function colours(element) {
  const style = getComputedStyle(element);
  return Object.fromEntries(['line', 'max', 'min', 'soft', 'ink'].map((name) => [name, style.getPropertyValue('--' + name)]));
}

// Draws on a canvas as wide as its place. Nodes narrower than a pixel are not told apart.
function drawStrip(canvas, { tree, trace, step }) {
  const width = canvas.clientWidth;
  const rows = Math.min(tree.deepest, 12) + 1;
  if (!width) return;
  canvas.width = width;
  canvas.height = rows * ROW;
  const context = canvas.getContext('2d');
  const colour = colours(canvas);
  const scale = width / tree.leaves[0];
  const draw = (node, pruned) => {
    const from = tree.place[node] * scale;
    const wide = Math.max(0.6, tree.leaves[node] * scale - (tree.leaves[node] * scale > 3 ? 1 : 0));
    const state = trace.freshStateAt(node, step);
    context.globalAlpha = state >= 0 ? 0.85 : pruned ? 0.5 : 0.25;
    context.fillStyle = state >= 0 ? (tree.isMax(node) ? colour.max : colour.min) : pruned ? colour.soft : colour.line;
    context.fillRect(from, tree.depth[node] * ROW, wide, ROW - 2);
    if (tree.depth[node] + 1 >= rows) return;
    const cut = pruned || trace.wasCutAt(node, step);
    let painted = -1;
    for (let i = 0, child = tree.first[node]; i < tree.count[node]; i++, child++) {
      const pixel = Math.floor(tree.place[child] * scale);
      if (pixel === painted && tree.leaves[child] * scale < 1) continue;
      painted = pixel;
      draw(child, cut);
    }
  };
  draw(0, false);
  context.globalAlpha = 1;
  context.fillStyle = colour.ink;
  for (const node of tree.pathTo(trace.nodeAt(step))) {
    context.fillRect(tree.place[node] * scale, tree.depth[node] * ROW, Math.max(2, tree.leaves[node] * scale - 1), 2);
  }
}

// The node of a place on the strip.
function nodeOnStrip(canvas, tree, x, y) {
  const leaf = Math.floor((x / canvas.clientWidth) * tree.leaves[0]);
  const depth = Math.floor((y / canvas.clientHeight) * (Math.min(tree.deepest, 12) + 1));
  let node = 0;
  while (tree.depth[node] < depth && tree.count[node]) {
    node = tree.childrenOf(node).findLast((child) => tree.place[child] <= leaf);
  }
  return node;
}

export { drawStrip, nodeOnStrip };
