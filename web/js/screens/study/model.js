// A study: a position, what was tried from it as a tree of moves, remarks. Its text is that of
// src/formats/records/study.h, for every game.
import { viewOf } from '../../core/rules.js';

const FIRST_LINE = 'sortie study';
const MOST_MOVES = 20000;
const MOST_TRIED = 2000; // moves of a text of ours that are tried by the rules one by one

const newNode = (move, parent) => ({ move, parent, children: [], comment: '', value: null, better: null, cost: null });

class Study {
  constructor(start, title = '') {
    this.start = start;
    this.title = title;
    this.root = newNode('', null);
    this.at = this.root;
  }

  // From the root down to a node, without the root.
  path(node = this.at) {
    const path = [];
    for (let each = node; each.parent; each = each.parent) path.unshift(each);
    return path;
  }

  moves(node = this.at) {
    return this.path(node).map((each) => each.move);
  }

  view(node = this.at) {
    return viewOf(this.start, this.moves(node));
  }

  // The line of first moves through a node to its end.
  line(node = this.at) {
    const line = this.path(node);
    for (let each = node; each.children.length; each = each.children[0]) line.push(each.children[0]);
    return line;
  }

  // The node of a move behind another; made where there is none. Throws where the move is not legal.
  add(move, parent = this.at) {
    const known = parent.children.find((each) => each.move === move);
    if (known) return known;
    viewOf(this.start, [...this.moves(parent), move]);
    const node = newNode(move, parent);
    parent.children.push(node);
    return node;
  }

  remove(node) {
    if (!node.parent) return;
    if (this.path().includes(node)) this.at = node.parent;
    node.parent.children = node.parent.children.filter((each) => each !== node);
  }

  // Makes a node's variation the first one, all the way up.
  promote(node) {
    for (let each = node; each.parent; each = each.parent) {
      const { children } = each.parent;
      children.splice(children.indexOf(each), 1);
      children.unshift(each);
    }
  }

  // Every node in the order of its text.
  *all() {
    const stack = [this.root];
    while (stack.length) {
      const node = stack.pop();
      yield node;
      for (let i = node.children.length - 1; i >= 0; i--) stack.push(node.children[i]);
    }
  }

  toText() {
    const marked = (mark, text) => (text ? text.replace(/\r\n?/g, '\n').split('\n').map((line) => `${mark} ${line}`) : []);
    const lines = [FIRST_LINE, ...marked('=', this.title.replaceAll('\n', ' ')), ...marked('|', this.start.trimEnd())];
    const depths = new Map();
    for (const node of this.all()) {
      const depth = node.parent ? depths.get(node.parent) + 1 : 0;
      depths.set(node, depth);
      if (node.parent) lines.push(`${depth} ${node.move}`);
      lines.push(...marked('>', node.comment));
    }
    return lines.join('\n') + '\n';
  }
}

// What is wrong with a study's text: where, and what was expected.
class StudyFault extends Error {}

const fault = (line, expected) => new StudyFault(`line ${line}: expected ${expected}`);

// A study out of its text. `trusted`: the engine has tried the moves already.
function readStudy(text, trusted = false) {
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  if (lines[0].trim() !== FIRST_LINE) throw fault(1, FIRST_LINE);
  const head = { title: '', position: [], line: 0 };
  let study = null;
  let path = [];
  let remark = [];
  let moves = 0;
  const begin = (at) => {
    if (!head.position.length) throw fault(at, 'a position in lines that begin with |');
    study = new Study(head.position.join('\n') + '\n', head.title);
    try {
      viewOf(study.start, []);
    } catch (error) {
      throw new StudyFault(`line ${head.line}: ${error.message}`);
    }
    path = [study.root];
  };
  const endRemark = () => {
    if (remark.length) path.at(-1).comment = remark.join('\n');
    remark = [];
  };
  lines.forEach((line, i) => {
    const rest = line.slice(line[1] === ' ' ? 2 : 1);
    if (i === 0 || !line.trim() || line[0] === '#') return;
    if (line[0] === '>') return remark.push(rest);
    if (line[0] === '=' && !study) return (head.title = rest);
    if (line[0] === '|' && !study) {
      head.line ||= i + 1;
      return head.position.push(rest);
    }
    if (!study) begin(i + 1);
    endRemark();
    const found = /^(\d{1,5}) (\S.*?)\s*$/.exec(line);
    const depth = found ? Number(found[1]) : 0;
    if (!found || depth < 1 || depth > path.length) throw fault(i + 1, 'a number of moves, one more than before at most, and a move');
    if (++moves > (trusted ? MOST_MOVES : MOST_TRIED)) throw fault(i + 1, `at most ${trusted ? MOST_MOVES : MOST_TRIED} moves`);
    path.length = depth;
    path.push(addRead(study, path.at(-1), found[2], trusted, i + 1));
  });
  if (!study) begin(lines.length);
  endRemark();
  study.at = study.root;
  return study;
}

function addRead(study, parent, move, trusted, line) {
  const known = parent.children.find((each) => each.move === move);
  if (known) return known;
  if (trusted) {
    const node = newNode(move, parent);
    parent.children.push(node);
    return node;
  }
  try {
    return study.add(move, parent);
  } catch (error) {
    throw new StudyFault(`line ${line}: ${error.message}`);
  }
}

// A study of a game that was played.
function studyOf(start, moves, title = '') {
  const study = new Study(start, title);
  for (const move of moves) study.at = study.add(move);
  return study;
}

export { Study, StudyFault, readStudy, studyOf, FIRST_LINE };
