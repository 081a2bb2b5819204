// What there is to look at before anybody has brought a tree of their own. Names and words are texts `example.NAME`.
const EXAMPLES = {
  textbook: { text: '((3 12 8) (2 4 6) (14 5 2))' },
  deeper: { text: '(((4 7) (9 3)) ((2 6) (8 1)) ((7 5) (6 9)))' },
  minFirst: { text: 'min ((6 9 4) (7 2 11) (3 10 5))' },
  wide: { text: '(((1 6 7) (8 7 4) (9 5 4)) ((8 1 5) (5 9 1) (9 4 5)) ((4 6 1) (7 1 5) (8 4 7)))' },
  again: { text: '((T:(6 9 7) (8 5 9)) (T (4 12 11)) (U:(3 8 2) T) (U (9 7 6)))' },
  estimates: { text: '(((2 3 5)@4 (9 1 4)@5 (6 7 2)@3) ((8 9 7)@7 (6 8 9)@9 (7 9 8)@8) ((4 1 2)@2 (5 6 3)@4 (3 2 9)@6))' },
  squares: { start: 'war sneak 2 X\n9 2\n3 4\n..\n..\n', depth: 2 },
  war: { start: 'war stake 3 O\n12 70 61\n8 22 63\n14 88 49\nX..\n.O.\n..X\n', depth: 2 },
  laser: { start: 'laser 4 1\n0003\n0000\n0300\n0000\n', depth: 2 },
  gomoku: { start: 'gomoku freestyle 15\nH8 H9\n', depth: 1 },
};

// The example that shows what a lesson is about.
const OF_LESSON = { minimax: 'textbook', alphabeta: 'textbook', race: 'wide', order: 'wide', deepening: 'estimates', table: 'again' };

// A tree of nobody's: so many children at each depth, leaves from 1 to 15. `random(n)`: a whole number below n.
const SHAPES = [[3, 3], [4, 3], [2, 2, 2], [2, 3, 2], [3, 2, 2], [2, 2, 2, 2]];
function randomTree(random = (below) => Math.floor(Math.random() * below)) {
  const shape = SHAPES[random(SHAPES.length)];
  const node = (depth) => (depth === shape.length ? String(1 + random(15)) : `(${Array.from({ length: shape[depth] }, () => node(depth + 1)).join(' ')})`);
  return node(0);
}

const sourceOf = (name) => {
  const { text, start } = EXAMPLES[name];
  return text ? { kind: 'typed', text, example: name } : { kind: 'board', start, moves: [], example: name };
};

export { EXAMPLES, OF_LESSON, sourceOf, randomTree };
