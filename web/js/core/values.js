// Values in words and as parts of a bar. The engine's values are from the view of the side to move.
import { t, sideName } from './texts.js';

const WIN = 30000;

// How far the value speaks for the first side: 0 to 1.
function shareOfFirst(view, value) {
  const own = view.toMove === 0 ? value : -value;
  if (!view.margin) return Math.abs(own) >= WIN - 1000 ? (own > 0 ? 1 : 0) : 1 / (1 + Math.exp(-own / 200));
  const most = view.cells.reduce((sum, [, label]) => sum + (Number(label) || 1), 0);
  return 0.5 + 0.5 * Math.tanh((6 * own) / most);
}

const isExact = (info) => info.lower !== undefined && info.lower === info.upper;

// "X wins by 23" where it is proved, "X +12" where it is thought, "Black wins in 9", "Black 61%".
function valueWords(view, info) {
  const own = view.toMove === 0 ? info.value : -info.value;
  const side = sideName(view, own < 0 ? 1 : 0);
  if (!view.margin && Math.abs(own) >= WIN - 1000) {
    return t('value.winsIn', { side, moves: Math.max(1, Math.ceil((WIN - Math.abs(own)) / 2)) });
  }
  if (!view.margin) return isExact(info) && own === 0 ? t('value.draw') : t('value.chance', { side: sideName(view, 0), percent: Math.round(100 * shareOfFirst(view, info.value)) });
  if (isExact(info)) return own === 0 ? t('value.draw') : t('value.winsBy', { side, margin: Math.abs(own) });
  return own === 0 ? t('value.even') : `${side} +${Math.abs(own)}`;
}

// The same where everything is seen from the first side: what is thought of a margin keeps its sign, "X −143".
function valueSeen(view, info) {
  if (!view.margin || isExact(info) || info.value === 0) return valueWords(view, info);
  return `${sideName(view, 0)} ${valueShort(view, info)}`;
}

// The same in a few characters, for a square: like everything else from the first side's view.
function valueShort(view, info) {
  const own = view.toMove === 0 ? info.value : -info.value;
  if (!view.margin && Math.abs(own) >= WIN - 1000) {
    return (own > 0 ? '#' : '−#') + Math.max(1, Math.ceil((WIN - Math.abs(own)) / 2));
  }
  if (!view.margin) return Math.round(100 * shareOfFirst(view, info.value)) + '%';
  const sign = own > 0 ? '+' : own < 0 ? '−' : '';
  return sign + Math.abs(own) + (isExact(info) ? '!' : '');
}

// The result of a game that is over.
function resultWords(view) {
  const side = sideName(view, view.score < 0 ? 1 : 0);
  if (view.score === 0) return t('result.draw');
  return view.margin ? t('result.winsBy', { side, margin: Math.abs(view.score) }) : t('result.wins', { side });
}

function statusWords(view) {
  if (view.over) return resultWords(view);
  const turn = t('status.toMove', { side: sideName(view, view.toMove) });
  if (!view.margin || view.score === 0) return turn;
  return turn + ', ' + t('status.leads', { side: sideName(view, view.score < 0 ? 1 : 0), margin: Math.abs(view.score) });
}

const countWords = (number) => number.toLocaleString(document.documentElement.lang);

// "204K": a large number where there is little room.
const countShort = (number) => number.toLocaleString(document.documentElement.lang, { notation: 'compact', maximumSignificantDigits: 3 });

export { shareOfFirst, valueWords, valueSeen, valueShort, resultWords, statusWords, isExact, countWords, countShort };
