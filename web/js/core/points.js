// What each side has on the board, where a game is decided by a margin.

// The points of both sides: values of their squares on a war board, squares covered in Laser Checkmate.
function pointsOf(view) {
  const points = [0, 0];
  for (const [ink, label] of view.cells) {
    const worth = view.numbers ? 1 : Number(label) || 0;
    if (ink === 'a' || ink === 'p' || ink === 'r') points[0] += worth;
    if (ink === 'b' || ink === 'q' || ink === 'r') points[1] += worth;
  }
  return points;
}

export { pointsOf };
