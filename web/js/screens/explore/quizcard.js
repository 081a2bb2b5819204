// The quiz on the page: a card with the question, its choices, and the score.
import { el } from '../../core/dom.js';
import { t } from '../../core/texts.js';
import { explorer, activePane, localStep } from './explorer.js';
import { questionAt } from './quiz.js';
import { numberSign } from './gametree.js';
import { nodeName, whoMoves } from './words.js';
import { returnAt } from './code.js';

const quiz = { on: false, step: -1, question: null, given: null, asked: new Set(), right: 0 };

function endQuiz() {
  Object.assign(quiz, { on: false, step: -1, question: null, given: null, asked: new Set(), right: 0 });
}

function toggleQuiz() {
  const on = !quiz.on;
  endQuiz();
  quiz.on = on;
}

// True when a step must wait for an answer; the question is on the page then.
function askBefore(step, redraw) {
  if (!quiz.on || explorer.panes.length !== 1) return false;
  if (quiz.question && quiz.given === null) return true;
  if (quiz.asked.has(step)) {
    quiz.question = null;
    return false;
  }
  const question = questionAt(activePane().trace, step);
  if (!question) {
    quiz.question = null;
    return false;
  }
  Object.assign(quiz, { question, step, given: null });
  redraw();
  return true;
}

function answer(choice, redraw) {
  if (quiz.given !== null) return;
  quiz.given = choice;
  quiz.asked.add(quiz.step);
  if (choice === quiz.question.right) quiz.right++;
  redraw();
}

// The number keys choose; true when the key was one of them.
function answerByKey(key, redraw) {
  const choice = quiz.question && quiz.given === null ? quiz.question.choices[Number(key) - 1] : undefined;
  if (choice === undefined) return false;
  answer(choice, redraw);
  return true;
}

const choiceText = (question, choice) => (question.kind === 'cut' ? t(choice ? 'quiz.yes' : 'quiz.no') : numberSign(choice));

function questionWords({ kind, node }) {
  const { trace } = activePane();
  const back = returnAt(trace, quiz.step);
  return t(kind === 'cut' ? 'quiz.cut' : 'quiz.value', {
    node: nodeName(trace.tree, node), who: whoMoves(trace.tree, node), child: nodeName(trace.tree, back.child), given: numberSign(back.given),
    had: numberSign(back.had), alpha: numberSign(back.alpha), beta: numberSign(back.beta),
  });
}

function drawQuiz(place, redraw) {
  place.hidden = !quiz.on;
  document.getElementById('explore-quiz').setAttribute('aria-pressed', String(quiz.on));
  if (!quiz.on) return;
  const { question, given } = quiz;
  const score = el('p.score', { id: 'quiz-score' }, t('quiz.score', { right: quiz.right, count: quiz.asked.size }));
  if (!question || (given !== null && localStep(activePane()) >= quiz.step)) {
    const over = localStep(activePane()) === activePane().trace.count - 1;
    place.replaceChildren(el('h2', null, t('quiz.title')), el('p', null, t(over ? 'quiz.over' : 'quiz.go')), score);
    return;
  }
  const names = (choice) => (given === null ? '' : choice === question.right ? '.right' : choice === given ? '.wrong' : '');
  const buttons = question.choices.map((choice) => el('button' + names(choice), { data: { choice }, disabled: given !== null, onclick: () => answer(choice, redraw) }, choiceText(question, choice)));
  const said = given === null ? [] : [el('p', { id: 'quiz-said' }, t(given === question.right ? 'quiz.right' : 'quiz.wrong', { right: choiceText(question, question.right) }))];
  place.replaceChildren(el('h2', null, t('quiz.title')), el('p', null, questionWords(question)), el('div.row.choices', null, buttons), ...said, score);
}

export { quiz, drawQuiz, askBefore, toggleQuiz, endQuiz, answerByKey };
