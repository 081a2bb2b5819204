// The study that is open, and those that are kept in the browser by name.
import { recall, keep } from '../../core/store.js';
import { StudyFault, readStudy, studyOf, Study, FIRST_LINE } from './model.js';
import { rules, viewOf, readFile, startText } from '../../core/rules.js';
import { t } from '../../core/texts.js';

const STORE = 'studies';
const MOST_FILE = 1 << 20;

const state = { study: null, name: '' };

// The kept studies by name: { text, at, values }.
const keptStudies = () => recall(STORE, {});
const studyNames = () => Object.keys(keptStudies()).sort((one, two) => one.localeCompare(two));

// A name that no kept study has.
function freshName(wanted) {
  const names = new Set(studyNames());
  for (let i = 1; ; i++) {
    const name = i === 1 ? wanted : `${wanted} ${i}`;
    if (!names.has(name)) return name;
  }
}

function keepStudy() {
  const { study, name } = state;
  if (!study) return;
  study.title = name;
  const values = [...study.all()].map(({ value, better, cost }) => (value || better ? { value, better, cost } : 0));
  keep(STORE, { ...keptStudies(), [name]: { text: study.toText(), at: study.moves(), values } });
  keep('study', name);
}

function openStudy(study, name) {
  state.study = study;
  state.name = name;
  keepStudy();
}

// Opens a kept study; false where it makes no sense any more.
function openKept(name) {
  const kept = keptStudies()[name];
  if (!kept) return false;
  try {
    const study = readStudy(kept.text, true);
    viewOf(study.start, kept.at);
    study.at = kept.at.reduce((node, move) => node.children.find((each) => each.move === move) || node, study.root);
    [...study.all()].forEach((node, i) => kept.values?.[i] && Object.assign(node, kept.values[i]));
    state.study = study;
    state.name = name;
    keep('study', name);
    return true;
  } catch {
    return false;
  }
}

function renameStudy(name) {
  const studies = { ...keptStudies() };
  delete studies[state.name];
  keep(STORE, studies);
  state.name = freshName(name);
  keepStudy();
}

function removeStudy() {
  const studies = { ...keptStudies() };
  delete studies[state.name];
  keep(STORE, studies);
  state.study = null;
}

// The study kept last, any other, or an empty board of Gomoku.
function openLast() {
  const last = recall('study', '');
  if (openKept(last) || studyNames().some(openKept)) return;
  const gomoku = Math.max(0, rules.games.findIndex((each) => each.game === 'gomoku'));
  openStudy(new Study(startText(gomoku, rules.games[gomoku].usual, 1)), freshName(t('study.first')));
}

// A study out of a file of any kind: a study's text, a record of a game, a position or a course's file. Gives it with how
// many games the file has. What is wrong with the file is thrown as a plain line.
function readAny(text) {
  if (text.length > MOST_FILE) throw new StudyFault(t('study.large'));
  if (text.trimStart().startsWith(FIRST_LINE)) return { study: readStudy(text.trimStart()), games: 1 };
  let record;
  try {
    record = rules.engine.call('web_study', text, 0);
  } catch (error) {
    if (text.trimStart()[0] === '(') throw error; // an SGF, and this is what is wrong with it
    return { study: studyOf(readFile(text).start, []), games: 1 };
  }
  const found = /# game \d+ of (\d+)\s*$/.exec(record);
  return { study: readStudy(record, true), games: found ? Number(found[1]) : 1 };
}

const sgfOfStudy = (study) => rules.engine.call('web_study_sgf', study.toText());

export { state, keptStudies, studyNames, freshName, keepStudy, openStudy, openKept, renameStudy, removeStudy, openLast, readAny, sgfOfStudy };
