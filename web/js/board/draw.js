// The drawing of boards, as a module: board.js is a plain script because the reports of matches use it too.
import '../../board.js';

const Board = globalThis.SortieBoard;

export { Board };
