// The page's texts: web/texts has a file a language, and all that are there are taken in (tools/web.sh lists them).
import { TEXTS } from 'languages';

const LANGUAGE = 'sortie.language';
let language = 'en';

// A text in the language of the page. Where the number in it, {count}, is 1, the text "name.one" is taken if there is one.
function t(name, words = {}) {
  const key = words.count === 1 && TEXTS.en[name + '.one'] ? name + '.one' : name;
  const text = TEXTS[language][key] ?? TEXTS.en[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, word) => (word in words ? words[word] : whole));
}

// Names of games, of their rule sets and sides: the page's own, or what the engine calls them. `each` is an entry of the
// engine's list of games, or the view of a position.
const nameOr = (name, usual) => TEXTS[language][name] ?? TEXTS.en[name] ?? usual;
const gameName = (each) => nameOr('game.' + each.game, each.title);
const sideName = (view, side) => nameOr(`side.${view.game}.${side}`, view.sides[side]);
function menuName(each, games) {
  const alone = games.filter(({ game }) => game === each.game).length === 1;
  return nameOr(`menu.${each.game}.${each.rules}`, alone ? gameName(each) : `${gameName(each)}: ${each.rules}`);
}

// The language kept, else the browser's, else English.
function findLanguage() {
  let kept = null;
  try {
    kept = localStorage.getItem(LANGUAGE);
  } catch {
    // A browser that keeps nothing.
  }
  const wanted = [kept, ...(navigator.languages || [])].map((each) => String(each).slice(0, 2));
  return wanted.find((each) => TEXTS[each]) || 'en';
}

const setLanguage = (wanted) => {
  language = TEXTS[wanted] ? wanted : 'en';
  document.documentElement.lang = language;
};

// Puts the texts into a part of the page: data-text is what it says, data-label its name.
function applyTexts(part) {
  for (const element of part.querySelectorAll('[data-text]')) element.textContent = t(element.dataset.text);
  for (const element of part.querySelectorAll('[data-label]')) {
    element.setAttribute('aria-label', t(element.dataset.label));
    if (element.matches('button')) element.title = t(element.dataset.label);
  }
}

function keepLanguage() {
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // A browser that keeps nothing.
  }
}

const currentLanguage = () => language;

export { t, gameName, menuName, sideName, TEXTS, findLanguage, setLanguage, applyTexts, keepLanguage, currentLanguage };
