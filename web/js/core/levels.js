// Playing strengths: each a fixed mixture of a node limit and slips. With the chance `slip` the engine plays any of its
// `lines` best moves instead of the best. "full" has no limit of its own: the time, depth or nodes set beside it count.
const LEVELS = [
  { name: 'beginner', nodes: 40, lines: 12, slip: 0.8 },
  { name: 'casual', nodes: 200, lines: 8, slip: 0.45 },
  { name: 'club', nodes: 1500, lines: 4, slip: 0.2 },
  { name: 'strong', nodes: 12000, lines: 1, slip: 0 },
  { name: 'expert', nodes: 150000, lines: 1, slip: 0 },
  { name: 'full' },
];

const levelNamed = (name) => LEVELS.find((level) => level.name === name) || LEVELS[LEVELS.length - 1];

// What to ask of the engine at a level; `limits` are the user's own, for "full".
function levelLimits(level, limits) {
  return level.nodes ? { nodes: level.nodes, lines: level.slip ? level.lines : 0 } : limits;
}

// The move of a level out of the engine's lines, best first; `chance` is a number from 0 to 1.
function levelMove(level, lines, chance) {
  if (!level.slip || chance >= level.slip) return lines[0].move;
  return lines[Math.floor((chance / level.slip) * lines.length)].move;
}

export { LEVELS, levelNamed, levelLimits, levelMove };
