// What the browser keeps between visits: one small value a name. A browser that keeps nothing is no fault: then a value
// lives as long as the page.
const PREFIX = 'sortie.';
const kept = new Map();
const listeners = new Map();

// The value of a name, or `usual` where none was kept, or one of another kind than `usual`.
function recall(name, usual = null) {
  if (kept.has(name)) return kept.get(name);
  let value = null;
  try {
    value = JSON.parse(localStorage.getItem(PREFIX + name));
  } catch {
    // Nothing kept, or nothing that makes sense.
  }
  const fits = value !== null && (usual === null || (typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual)));
  return fits ? value : usual;
}

function keep(name, value) {
  kept.set(name, value);
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // The page remembers it.
  }
  for (const listener of listeners.get(name) || []) listener(value);
}

// Calls `listener(value)` whenever the value of a name is kept anew.
function watch(name, listener) {
  listeners.set(name, [...(listeners.get(name) || []), listener]);
}

export { recall, keep, watch };
