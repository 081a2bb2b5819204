// The lessons: five steps a game, and exercises. A step is a position and what is to be done in it: `done(before, after,
// move)` says whether a move does it. An exercise has a solution that the engine judges: 'best', no other move is worth
// as much, or 'win', after it the game is won. Positions are in sortie's own text.
import { pointsOf } from '../../core/points.js';
import { squareOf } from '../../core/rules.js';

const GOMOKU = 'gomoku freestyle 9\n';

const pieces = (view, ink) => view.cells.filter(([each]) => each === ink).length;
const lead = (view) => pointsOf(view)[0] - pointsOf(view)[1];

// The longest row of a side through a square, and whether both its ends are free.
function rowThrough(view, index, ink) {
  const [row, column] = [Math.floor(index / view.columns), index % view.columns];
  const rows = [[0, 1], [1, 0], [1, 1], [1, -1]].map(([down, right]) => {
    let length = 1;
    let open = 0;
    for (const way of [1, -1]) {
      let [r, c] = [row + way * down, column + way * right];
      const at = () => (r >= 0 && c >= 0 && r < view.rows && c < view.columns ? view.cells[r * view.columns + c][0] : '#');
      for (; at() === ink; r += way * down, c += way * right) length++;
      if (at() === '.') open++;
    }
    return { length, open };
  });
  return rows;
}

const makes = (length, open, count = 1) => (before, after, move) => rowThrough(after, squareOf(before, move), 'a').filter((row) => row.length === length && row.open >= open).length >= count;

const LESSONS = {
  war: {
    steps: [
      { start: 'war stake 3 X\n4 7 2\n9 1 5\n3 8 6\n...\n...\n...\n', done: (before, after) => lead(after) === 9 },
      { start: 'war stake 3 X\n5 2 3\n1 8 4\n6 2 9\nX..\n...\n..O\n', done: (before, after) => lead(after) > 0 },
      { start: 'war stake 3 X\n4 2 3\n5 9 4\n6 2 1\nX..\n.O.\n...\n', done: (before, after) => pieces(after, 'b') === 0 },
      { start: 'war stake 4 X\n3 2 8 1\n2 6 4 9\n5 3 7 2\n1 4 2 6\n..O.\n.X.O\n..O.\n....\n', done: (before, after) => pieces(before, 'b') - pieces(after, 'b') >= 3 },
      { start: 'war stake 3 X\n7 5 3\n2 4 8\n6 1 9\nXOX\nOXO\nXO.\n', done: (before, after) => after.over && after.score > 0 },
    ],
    exercises: [
      { start: 'war stake 4 X\n17 63 96 57\n78 67 72 43\n56 45 5 42\n10 55 63 15\nX.OX\nOOOX\nXOXO\nOXO.\n', goal: 'best' },
      { start: 'war stake 4 X\n30 49 87 29\n68 28 77 94\n96 21 40 55\n59 47 70 33\nX.OO\n..XO\nOXXX\n.OOX\n', goal: 'best' },
      { start: 'war stake 4 X\n14 33 25 98\n84 59 20 25\n18 98 85 78\n5 56 50 37\nO.OX\nX.OO\nO...\n.XXO\n', goal: 'best' },
    ],
  },
  laser: {
    steps: [
      { start: 'laser 7 1\n0000000\n0000000\n0000000\n0000000\n0000000\n0000000\n0000000\n', done: () => true },
      { start: 'laser 7 1\n0000300\n0000000\n0000030\n0000000\n0000000\n0000000\n0030000\n', done: (before, after) => lead(after) >= 20 },
      { start: 'laser 7 1\n0000000\n0020000\n0000000\n0000000\n0000000\n0000000\n0000000\n', done: (before, after) => pointsOf(after)[0] >= 12 },
      { start: 'laser 7 1\n0000000\n0000000\n0000000\n0002000\n0000000\n0000000\n0000000\n', done: (before, after) => pieces(after, 'r') >= 9 },
      { start: 'laser 6 1\n000000\n020000\n000300\n100000\n003002\n010030\n', done: (before, after) => after.over && after.score > 0 },
    ],
    exercises: [
      { start: 'laser 6 1\n000000\n000020\n001000\n100300\n000002\n000000\n', goal: 'best' },
      { start: 'laser 6 1\n000010\n000000\n300002\n000000\n100000\n000200\n', goal: 'best' },
      { start: 'laser 6 1\n300003\n002000\n000003\n000000\n000000\n000001\n', goal: 'best' },
    ],
  },
  gomoku: {
    steps: [
      { start: GOMOKU, done: (before, after, move) => ['D', 'E', 'F'].includes(move[0]) && ['4', '5', '6'].includes(move.slice(1)) },
      { start: GOMOKU + 'C5 C3 D5 D3 E5 G7 F5 B5\n', done: (before, after) => after.over && after.score > 0 },
      { start: GOMOKU + 'E5 C3 B3 D3 G7 E3 H5 F3\n', done: (before, after, move) => move === 'G3' },
      { start: GOMOKU + 'D5 C3 E5 G7 F5 H2\n', done: makes(4, 2) },
      { start: GOMOKU + 'D5 C2 E5 H8 F4 B8 F3 H2\n', done: makes(3, 2, 2) },
    ],
    exercises: [
      { start: GOMOKU + 'C5 B5 D5 F1 E5 C8 F2 D8 F3 E8 F4 H2\n', goal: 'win' },
      { start: 'gomoku freestyle 15\nH8 F6 G9 J9 K10 H6 H10 C11 C8 G6 I6 I7 G11 G4 G8 G7 B7\n', goal: 'win' },
      { start: 'gomoku freestyle 15\nH8 H5 H11 E8 H9 H7 F7 E5 H10 H12 G9 F5 G5 D3 F10 E4 G6 E6\n', goal: 'win' },
    ],
  },
};

export { LESSONS };
