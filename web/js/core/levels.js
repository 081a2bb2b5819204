// Playing strengths. Each is a mixture of two things, chosen for each game so that every level beats the one before it
// by 150 Elo and more (docs/notes has the matches, tests/web/levels.js plays them):
//   wild    how often it plays any move at all, in Gomoku one near the stones
//   nodes   how far it looks otherwise
// "full" makes no slips and has no limit of its own: the time, depth or nodes set beside it count. In Laser Checkmate
// less lies between any move and the best one, so there are fewer levels.
const NAMES = ['first', 'beginner', 'casual', 'club', 'strong', 'full'];

const plan = (wild, nodes) => ({ wild, nodes });

const PLANS = {
  war: { first: plan(0.8, 100), beginner: plan(0.55, 300), casual: plan(0.37, 1000), club: plan(0.23, 3000), strong: plan(0.1, 10000) },
  laser: { first: plan(0.95, 50), casual: plan(0.66, 200), strong: plan(0.34, 1000) },
  gomoku: { first: plan(0.6, 60), beginner: plan(0.42, 150), casual: plan(0.28, 400), club: plan(0.16, 1500), strong: plan(0.06, 6000) },
};

const isLevel = (name) => NAMES.includes(name);

const plansOf = (view) => PLANS[view.game] || (view.margin ? PLANS.war : PLANS.gomoku);

// The levels of a game, the easiest first.
const levelsOf = (view) => NAMES.filter((name) => name === 'full' || plansOf(view)[name]);

// How a level plays a position's game; null for full strength. A level the game has not is the next one above it.
function planOf(name, view) {
  const plans = plansOf(view);
  const there = NAMES.slice(NAMES.indexOf(name)).find((each) => plans[each]);
  return name !== 'full' && there ? plans[there] : null;
}

// What to ask of the engine at a level; `own` are the user's limits, for full strength.
const levelLimits = (plan, own) => (plan ? { nodes: plan.nodes } : own);

const pick = (list, chance) => list[Math.min(list.length - 1, Math.floor(chance * list.length))];

// A move without thought where the level is due for one, else null.
function wildMove(plan, view, random) {
  if (!plan || random() >= plan.wild) return null;
  return pick(view.points ? movesNear(view) : view.moves, random());
}

// On a board of stones: the moves at most two squares from a stone; all where there is none.
function movesNear(view) {
  const near = new Set();
  view.cells.forEach(([ink], i) => {
    if (ink === '.') return;
    const [row, column] = [Math.floor(i / view.columns), i % view.columns];
    for (let r = Math.max(0, row - 2); r <= Math.min(view.rows - 1, row + 2); r++) {
      for (let c = Math.max(0, column - 2); c <= Math.min(view.columns - 1, column + 2); c++) near.add(String.fromCharCode(65 + c) + (r + 1));
    }
  });
  const moves = view.moves.filter((move) => near.has(move));
  return moves.length ? moves : view.moves;
}

export { NAMES, isLevel, levelsOf, planOf, levelLimits, wildMove };
