// Every text of the page, in its languages. {name} is filled in by the caller.
const TEXTS = {
  en: {
    'language': 'English',
    'nav.views': 'Views', 'nav.board': 'Board', 'nav.explorer': 'Search explorer', 'nav.language': 'Language',
    'stage.label': 'Board', 'panel.label': 'Game', 'panel.actions': 'What to do',
    'game.war': 'War board', 'game.laser': 'Laser Checkmate', 'game.gomoku': 'Gomoku',
    'menu.war.stake': 'War board: Stake-Raid', 'menu.war.sneak': 'War board: Sneak-Raid', 'menu.laser.standard': 'Laser Checkmate',
    'menu.gomoku.freestyle': 'Gomoku: five or more', 'menu.gomoku.exact': 'Gomoku: exactly five',
    'side.war.0': 'X', 'side.war.1': 'O', 'side.laser.0': 'Player 1', 'side.laser.1': 'Player 2', 'side.gomoku.0': 'Black', 'side.gomoku.1': 'White',
    'board.label': '{title}, board', 'board.block': 'block', 'board.empty': 'empty', 'board.covered': 'covered by {side}', 'board.coveredBoth': 'covered by both', 'board.last': 'last move',
    'status.toMove': '{side} to move', 'status.leads': '{side} leads by {margin}',
    'result.draw': 'Game over: a draw', 'result.wins': 'Game over: {side} wins', 'result.winsBy': 'Game over: {side} wins by {margin}',
    'value.winsIn': '{side} wins in {moves}', 'value.winsBy': '{side} wins by {margin}', 'value.draw': 'a draw', 'value.even': 'even', 'value.chance': '{side} {percent}%',
    'player.human': 'you', 'player.engine': 'engine, {level}', 'player.humanOption': 'Human', 'player.engineOption': 'Engine: {level}',
    'level.beginner': 'beginner', 'level.casual': 'casual', 'level.club': 'club player', 'level.strong': 'strong', 'level.expert': 'expert', 'level.full': 'full strength',
    'clock.out': 'out of time',
    'play.undo': 'Take back', 'play.redo': 'Redo', 'play.hint': 'Hint', 'play.go': 'Engine move', 'play.stop': 'Stop', 'play.swap': 'Swap: take this stone',
    'play.which': 'Which move?', 'play.thinking': 'Thinking…', 'play.failed': 'That did not work: {reason}',
    'play.plays': 'The engine plays {move}: {value} (depth {depth}, {nodes} nodes)', 'play.hinted': 'Hint: {move}, {value}', 'play.proved': 'The engine plays {move}: {value}, proved',
    'swap.engine': 'The engine swaps: the stone is now its own, and you move again.', 'swap.human': 'Swapped: the stone is yours, the other side moves again.',
    'said.played': '{side} plays {move}', 'said.at': 'Move {ply}: {move}', 'said.start': 'The start',
    'moves.label': 'Moves', 'moves.slider': 'Move shown', 'moves.at': 'move {ply} of {count}', 'moves.none': 'No move yet.', 'moves.replaced': 'The earlier continuation was replaced.', 'moves.restore': 'Bring it back',
    'analysis.title': 'Analysis', 'analysis.on': 'analyse', 'analysis.lines': 'Lines', 'analysis.notes': 'values on the board', 'analysis.review': 'Review the game',
    'analysis.thinking': 'Depth {depth}, {nodes} nodes, {speed} thousand a second, {time} s', 'analysis.unknown': 'No value yet', 'analysis.graph': 'Values over the game', 'analysis.reviewing': 'Reviewing: {ply} of {count}', 'analysis.proved': 'proved', 'analysis.byProof': 'Proved: the whole proof is in the certificate that was opened.',
    'course.title': 'Course file', 'course.answer': 'Answer as the course asks', 'course.engine': 'What the engine would play', 'course.explore': 'See the search', 'course.save': 'Save',
    'course.battle': 'The file asks for a battle: both players move until the board is full.', 'course.methodDepth': 'The file asks for {method}, depth {depth}.', 'course.competition': 'The file asks for a competition move, {seconds} CPU seconds left.', 'course.free': 'Any move counts; the usual time is {seconds} s.',
    'course.answered': 'Answer: {move} ({nodes} nodes)', 'course.engineSays': 'The engine would play {move}: {value} (depth {depth}).', 'course.more': '… and {count} more lines; save the file to see them all.',
    'method.greedy': 'The file asks for greedy best-first.', 'method.minimax': 'minimax', 'method.alphabeta': 'alpha-beta', 'method.engine': 'the engine',
    'format.stake': 'Stake-Raid course file', 'format.sneak': 'Sneak-Raid course file', 'format.laser': 'Laser Checkmate course file',
    'setup.title': 'New game', 'setup.game': 'Game', 'setup.size': 'Size', 'setup.new': 'New board', 'setup.limit': 'Full strength thinks', 'setup.seconds': 'seconds', 'setup.depth': 'plies deep', 'setup.nodes': 'nodes', 'setup.limitValue': 'How much', 'setup.minutes': 'Minutes a side (0: no limit)', 'setup.swap': 'with the swap', 'setup.replace': 'Begin a new game and give up this one?', 'setup.native': 'native engine, {threads} threads',
    'edit.title': 'Edit the position', 'edit.brush': 'What a click puts', 'edit.value': 'Value', 'edit.turn': 'To move', 'edit.clear': 'Clear', 'edit.done': 'Use this position', 'edit.cancel': 'Cancel', 'edit.replace': 'Use this position and give up the game?',
    'brush.empty': 'empty', 'brush.block': 'block', 'brush.value': 'value',
    'share.title': 'Open, save, share', 'share.open': 'Open a file', 'share.paste': 'Paste', 'share.pasteTitle': 'Paste a course file, a position or an SGF', 'share.pasteOk': 'Open', 'share.link': 'Copy a link', 'share.text': 'Text', 'share.print': 'Print', 'share.copied': 'The link is copied.', 'share.inAddress': 'The link is in the address bar.',
    'file.large': '{name} is larger than 1 MiB: that is no position.', 'file.replace': 'Open {name} and give up the game on the board?', 'file.opened': '{name} is open.', 'file.pasted': 'pasted text', 'proof.opened': '{name}: {count} proved positions. The engine plays them at once, and the analysis shows them.', 'proof.large': '{name} is larger than 64 MiB.',
    'link.bad': 'The link holds no game: {reason}', 'link.replace': 'Open the game of the link and give up the one on the board?',
    'dialog.yes': 'Yes', 'dialog.cancel': 'Cancel',
    'explore.method': 'Method', 'explore.alphabeta': 'Alpha-beta', 'explore.minimax': 'Minimax', 'explore.depth': 'Depth', 'explore.run': 'Search this position', 'explore.tour': 'Guided tour', 'explore.link': 'Copy a link to this step',
    'explore.steps': 'Steps', 'explore.first': 'First step', 'explore.back': 'One step back', 'explore.play': 'Play the steps', 'explore.next': 'One step on', 'explore.last': 'Last step', 'explore.nextCut': 'To the next cut', 'explore.over': 'Over this subtree', 'explore.speed': 'Speed', 'explore.position': 'Step shown', 'explore.at': 'step {step} of {count}',
    'explore.tree': 'Search tree', 'explore.log': 'Traversal log', 'explore.root': 'root', 'explore.leaf': 'leaf', 'explore.boardAt': 'The board at this node', 'explore.noCut': 'No cut after this step.',
    'explore.over.game': 'The game is over here: there is nothing to search.', 'explore.short': 'The tree is larger than {count} nodes; only its beginning is shown. Choose a smaller depth.', 'explore.done': 'The answer is {move}, value {value}, after {nodes} nodes.',
    'step.enter': 'Enter {node} ({who}, depth {depth}) with α = {alpha}, β = {beta}.', 'step.leaf': 'Leaf {node}: its evaluation is {value}.', 'step.back': 'Back in {node} ({who}): the value is {value}; α = {alpha}, β = {beta}.',
    'step.enter.plain': 'Enter {node} ({who}, depth {depth}).', 'step.leaf.plain': 'Leaf {node}: its evaluation is {value}.', 'step.back.plain': 'Back in {node} ({who}): the value is {value}.',
    'step.cutMax': 'Cut in {node} (MAX): value {value} ≥ β = {beta}. {left} moves are not looked at.', 'step.cutMin': 'Cut in {node} (MIN): value {value} ≤ α = {alpha}. {left} moves are not looked at.',
    'cut.max': '✂ {value} ≥ β {beta}: MIN above has better already', 'cut.min': '✂ {value} ≤ α {alpha}: MAX above has better already',
    'count.title': 'Nodes to this depth', 'count.minimax': 'without pruning', 'count.alphabeta': 'alpha-beta', 'count.ordered': 'with the best move order',
    'tour.next': 'Next', 'tour.back': 'Back', 'tour.close': 'Close',
    'tour.root.title': 'The root', 'tour.root': 'X is to move and wants the greatest value: a MAX node. Nothing is known yet, so its value is −∞. Alpha, the best MAX is sure of, is −∞; beta, the best MIN is sure of, is ∞.',
    'tour.min.title': 'The answer of the other side', 'tour.min': 'X has taken {node}. Now O chooses, and wants the smallest value: a MIN node. It begins at ∞.',
    'tour.leaf.title': 'A leaf', 'tour.leaf': 'At depth 2 the search stops and counts: the squares of X minus the squares of O are {value}.',
    'tour.return.title': 'Back to MIN', 'tour.return': 'The first answer is worth {value}; O would take it for now. Beta, the best MIN is sure of, becomes {beta}.',
    'tour.alpha.title': 'Back to the root', 'tour.alpha': 'All answers to the first move are known: it is worth {value}. MAX is sure of that much now: alpha becomes {alpha}.',
    'tour.inherit.title': 'The next move', 'tour.inherit': 'The next move is entered with alpha = {alpha}. If O finds an answer that is no better for X than that, the rest does not matter.',
    'tour.cut.title': 'A cut', 'tour.cut': 'Here it happens: the value fell to {value}, and alpha is {alpha}. X would never choose {node}, so the grey moves are not looked at. That is alpha-beta.',
    'tour.end.title': 'The answer', 'tour.end': 'The answer is {move}, the same as minimax finds. Alpha-beta looked at {nodes} nodes; without cuts there are {all}.',
  },
  de: {
    'language': 'Deutsch',
    'nav.views': 'Ansichten', 'nav.board': 'Brett', 'nav.explorer': 'Suche ansehen', 'nav.language': 'Sprache',
    'stage.label': 'Brett', 'panel.label': 'Partie', 'panel.actions': 'Was zu tun ist',
    'game.war': 'Kriegsbrett', 'game.laser': 'Laser-Schachmatt', 'game.gomoku': 'Gomoku',
    'menu.war.stake': 'Kriegsbrett: Stake-Raid', 'menu.war.sneak': 'Kriegsbrett: Sneak-Raid', 'menu.laser.standard': 'Laser-Schachmatt',
    'menu.gomoku.freestyle': 'Gomoku: fünf oder mehr', 'menu.gomoku.exact': 'Gomoku: genau fünf',
    'side.war.0': 'X', 'side.war.1': 'O', 'side.laser.0': 'Spieler 1', 'side.laser.1': 'Spieler 2', 'side.gomoku.0': 'Schwarz', 'side.gomoku.1': 'Weiß',
    'board.label': '{title}, Brett', 'board.block': 'Hindernis', 'board.empty': 'leer', 'board.covered': 'von {side} gedeckt', 'board.coveredBoth': 'von beiden gedeckt', 'board.last': 'letzter Zug',
    'status.toMove': '{side} am Zug', 'status.leads': '{side} führt mit {margin}',
    'result.draw': 'Ende: unentschieden', 'result.wins': 'Ende: {side} gewinnt', 'result.winsBy': 'Ende: {side} gewinnt mit {margin}',
    'value.winsIn': '{side} gewinnt in {moves}', 'value.winsBy': '{side} gewinnt mit {margin}', 'value.draw': 'unentschieden', 'value.even': 'gleich', 'value.chance': '{side} {percent} %',
    'player.human': 'du', 'player.engine': 'Programm, {level}', 'player.humanOption': 'Mensch', 'player.engineOption': 'Programm: {level}',
    'level.beginner': 'Anfänger', 'level.casual': 'Gelegenheit', 'level.club': 'Verein', 'level.strong': 'stark', 'level.expert': 'Meister', 'level.full': 'volle Stärke',
    'clock.out': 'Zeit abgelaufen',
    'play.undo': 'Zurück', 'play.redo': 'Wieder vor', 'play.hint': 'Tipp', 'play.go': 'Programm zieht', 'play.stop': 'Halt', 'play.swap': 'Tausch: Stein übernehmen',
    'play.which': 'Welcher Zug?', 'play.thinking': 'Überlegt …', 'play.failed': 'Das ging nicht: {reason}',
    'play.plays': 'Das Programm zieht {move}: {value} (Tiefe {depth}, {nodes} Knoten)', 'play.hinted': 'Tipp: {move}, {value}', 'play.proved': 'Das Programm zieht {move}: {value}, bewiesen',
    'swap.engine': 'Das Programm tauscht: der Stein gehört jetzt ihm, du ziehst noch einmal.', 'swap.human': 'Getauscht: der Stein gehört dir, die andere Seite zieht noch einmal.',
    'said.played': '{side} zieht {move}', 'said.at': 'Zug {ply}: {move}', 'said.start': 'Der Anfang',
    'moves.label': 'Züge', 'moves.slider': 'Gezeigter Zug', 'moves.at': 'Zug {ply} von {count}', 'moves.none': 'Noch kein Zug.', 'moves.replaced': 'Die frühere Fortsetzung wurde ersetzt.', 'moves.restore': 'Zurückholen',
    'analysis.title': 'Analyse', 'analysis.on': 'analysieren', 'analysis.lines': 'Varianten', 'analysis.notes': 'Werte auf dem Brett', 'analysis.review': 'Partie durchsehen',
    'analysis.thinking': 'Tiefe {depth}, {nodes} Knoten, {speed} Tausend je Sekunde, {time} s', 'analysis.unknown': 'Noch kein Wert', 'analysis.graph': 'Werte im Lauf der Partie', 'analysis.reviewing': 'Durchsicht: {ply} von {count}', 'analysis.proved': 'bewiesen', 'analysis.byProof': 'Bewiesen: der ganze Beweis steht im geöffneten Zertifikat.',
    'course.title': 'Kursdatei', 'course.answer': 'Antworten, wie der Kurs es will', 'course.engine': 'Was das Programm ziehen würde', 'course.explore': 'Suche ansehen', 'course.save': 'Speichern',
    'course.battle': 'Die Datei verlangt einen Kampf: beide ziehen, bis das Brett voll ist.', 'course.methodDepth': 'Die Datei verlangt {method}, Tiefe {depth}.', 'course.competition': 'Die Datei verlangt einen Wettkampfzug, noch {seconds} CPU-Sekunden.', 'course.free': 'Jeder Zug zählt; üblich sind {seconds} s.',
    'course.answered': 'Antwort: {move} ({nodes} Knoten)', 'course.engineSays': 'Das Programm würde {move} ziehen: {value} (Tiefe {depth}).', 'course.more': '… und {count} weitere Zeilen; gespeichert sind es alle.',
    'method.greedy': 'Die Datei verlangt den gierigen besten Zug.', 'method.minimax': 'Minimax', 'method.alphabeta': 'Alpha-Beta', 'method.engine': 'das Programm',
    'format.stake': 'Kursdatei Stake-Raid', 'format.sneak': 'Kursdatei Sneak-Raid', 'format.laser': 'Kursdatei Laser-Schachmatt',
    'setup.title': 'Neue Partie', 'setup.game': 'Spiel', 'setup.size': 'Größe', 'setup.new': 'Neues Brett', 'setup.limit': 'Volle Stärke überlegt', 'setup.seconds': 'Sekunden', 'setup.depth': 'Halbzüge tief', 'setup.nodes': 'Knoten', 'setup.limitValue': 'Wie viel', 'setup.minutes': 'Minuten je Seite (0: ohne Grenze)', 'setup.swap': 'mit Tausch', 'setup.replace': 'Neue Partie beginnen und diese aufgeben?', 'setup.native': 'Programm dieses Rechners, {threads} Threads',
    'edit.title': 'Stellung ändern', 'edit.brush': 'Was ein Klick setzt', 'edit.value': 'Wert', 'edit.turn': 'Am Zug', 'edit.clear': 'Leeren', 'edit.done': 'Diese Stellung nehmen', 'edit.cancel': 'Abbrechen', 'edit.replace': 'Diese Stellung nehmen und die Partie aufgeben?',
    'brush.empty': 'leer', 'brush.block': 'Hindernis', 'brush.value': 'Wert',
    'share.title': 'Öffnen, sichern, teilen', 'share.open': 'Datei öffnen', 'share.paste': 'Einfügen', 'share.pasteTitle': 'Kursdatei, Stellung oder SGF einfügen', 'share.pasteOk': 'Öffnen', 'share.link': 'Link kopieren', 'share.text': 'Text', 'share.print': 'Drucken', 'share.copied': 'Der Link ist kopiert.', 'share.inAddress': 'Der Link steht in der Adresszeile.',
    'file.large': '{name} ist größer als 1 MiB: das ist keine Stellung.', 'file.replace': '{name} öffnen und die Partie auf dem Brett aufgeben?', 'file.opened': '{name} ist offen.', 'file.pasted': 'eingefügter Text', 'proof.opened': '{name}: {count} bewiesene Stellungen. Das Programm spielt sie sofort, die Analyse zeigt sie.', 'proof.large': '{name} ist größer als 64 MiB.',
    'link.bad': 'In dem Link ist keine Partie: {reason}', 'link.replace': 'Die Partie des Links öffnen und die auf dem Brett aufgeben?',
    'dialog.yes': 'Ja', 'dialog.cancel': 'Abbrechen',
    'explore.method': 'Verfahren', 'explore.alphabeta': 'Alpha-Beta', 'explore.minimax': 'Minimax', 'explore.depth': 'Tiefe', 'explore.run': 'Diese Stellung durchsuchen', 'explore.tour': 'Führung', 'explore.link': 'Link auf diesen Schritt',
    'explore.steps': 'Schritte', 'explore.first': 'Erster Schritt', 'explore.back': 'Ein Schritt zurück', 'explore.play': 'Schritte ablaufen lassen', 'explore.next': 'Ein Schritt vor', 'explore.last': 'Letzter Schritt', 'explore.nextCut': 'Zum nächsten Schnitt', 'explore.over': 'Über diesen Teilbaum', 'explore.speed': 'Tempo', 'explore.position': 'Gezeigter Schritt', 'explore.at': 'Schritt {step} von {count}',
    'explore.tree': 'Suchbaum', 'explore.log': 'Protokoll der Suche', 'explore.root': 'Wurzel', 'explore.leaf': 'Blatt', 'explore.boardAt': 'Das Brett an diesem Knoten', 'explore.noCut': 'Nach diesem Schritt kommt kein Schnitt mehr.',
    'explore.over.game': 'Die Partie ist hier zu Ende: es gibt nichts zu suchen.', 'explore.short': 'Der Baum hat mehr als {count} Knoten; gezeigt wird nur sein Anfang. Eine kleinere Tiefe hilft.', 'explore.done': 'Die Antwort ist {move}, Wert {value}, nach {nodes} Knoten.',
    'step.enter': 'Hinein in {node} ({who}, Tiefe {depth}) mit α = {alpha}, β = {beta}.', 'step.leaf': 'Blatt {node}: bewertet mit {value}.', 'step.back': 'Zurück in {node} ({who}): der Wert ist {value}; α = {alpha}, β = {beta}.',
    'step.enter.plain': 'Hinein in {node} ({who}, Tiefe {depth}).', 'step.leaf.plain': 'Blatt {node}: bewertet mit {value}.', 'step.back.plain': 'Zurück in {node} ({who}): der Wert ist {value}.',
    'step.cutMax': 'Schnitt in {node} (MAX): Wert {value} ≥ β = {beta}. {left} Züge bleiben ungesehen.', 'step.cutMin': 'Schnitt in {node} (MIN): Wert {value} ≤ α = {alpha}. {left} Züge bleiben ungesehen.',
    'cut.max': '✂ {value} ≥ β {beta}: MIN darüber hat schon Besseres', 'cut.min': '✂ {value} ≤ α {alpha}: MAX darüber hat schon Besseres',
    'count.title': 'Knoten bis zu dieser Tiefe', 'count.minimax': 'ohne Schnitte', 'count.alphabeta': 'Alpha-Beta', 'count.ordered': 'mit bester Zugfolge',
    'tour.next': 'Weiter', 'tour.back': 'Zurück', 'tour.close': 'Schließen',
    'tour.root.title': 'Die Wurzel', 'tour.root': 'X ist am Zug und will den größten Wert: ein MAX-Knoten. Noch ist nichts bekannt, sein Wert ist −∞. Alpha, was MAX sicher hat, ist −∞; Beta, was MIN sicher hat, ist ∞.',
    'tour.min.title': 'Die Antwort der anderen Seite', 'tour.min': 'X hat {node} genommen. Jetzt wählt O und will den kleinsten Wert: ein MIN-Knoten. Er beginnt bei ∞.',
    'tour.leaf.title': 'Ein Blatt', 'tour.leaf': 'In Tiefe 2 hört die Suche auf und zählt: die Felder von X weniger die von O sind {value}.',
    'tour.return.title': 'Zurück bei MIN', 'tour.return': 'Die erste Antwort ist {value} wert; O nähme sie vorerst. Beta, was MIN sicher hat, wird {beta}.',
    'tour.alpha.title': 'Zurück an der Wurzel', 'tour.alpha': 'Alle Antworten auf den ersten Zug sind bekannt: er ist {value} wert. So viel hat MAX nun sicher: Alpha wird {alpha}.',
    'tour.inherit.title': 'Der nächste Zug', 'tour.inherit': 'Der nächste Zug beginnt mit Alpha = {alpha}. Findet O eine Antwort, die für X nicht besser ist, so kommt es auf den Rest nicht an.',
    'tour.cut.title': 'Ein Schnitt', 'tour.cut': 'Hier geschieht es: der Wert fiel auf {value}, und Alpha ist {alpha}. X würde {node} nie wählen, die grauen Züge werden nicht angesehen. Das ist Alpha-Beta.',
    'tour.end.title': 'Die Antwort', 'tour.end': 'Die Antwort ist {move}, dieselbe wie bei Minimax. Alpha-Beta sah {nodes} Knoten an; ohne Schnitte sind es {all}.',
  },
};

const LANGUAGE = 'sortie.language';
let language = 'en';

// A text in the language of the page.
function t(name, words = {}) {
  const text = TEXTS[language][name] ?? TEXTS.en[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in words ? words[key] : whole));
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

// Puts the texts of a language into the page.
function setLanguage(wanted) {
  language = TEXTS[wanted] ? wanted : 'en';
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll('[data-text]')) element.textContent = t(element.dataset.text);
  for (const element of document.querySelectorAll('[data-label]')) {
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

export { t, gameName, menuName, sideName, TEXTS, findLanguage, setLanguage, keepLanguage, currentLanguage };
