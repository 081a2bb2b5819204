// Steps through the games of a report. Everything it shows is in the page; it asks nobody for anything.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const games = data.games;
  const byId = (id) => document.getElementById(id);
  const make = (tag, text, cls) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (cls) element.className = cls;
    return element;
  };
  if (!games.length) return;

  let shown = games;      // the games the filters leave
  let rows = 0;           // how many of them the list shows
  let game = null;        // in the viewer
  let ply = 0;
  let boards = [];        // of the game, one per ply
  let timer = null;

  // -- the board --

  const CELL = 48, EDGE = 30;
  const FILL = { a: "#cfe0f7", b: "#f8d5cc", "#": "#4a4f57", p: "#e3edfb", q: "#fbe6e0", r: "#ece0f3", ".": "#fbfaf6" };

  // A board is an array of [ink, label]; each ply lists the cells that changed as "index ink label".
  function unfold(g) {
    let cells = Array.from(g.v, (ink, i) => [ink, g.b && g.b[i] !== undefined ? g.b[i] : ""]);
    const all = [{ cells, changed: [] }];
    for (const step of g.d) {
      cells = cells.slice();
      const changed = [];
      for (const change of step ? step.split(" ") : []) {
        const parts = /^(\d+)(\D)(.*)$/.exec(change);
        const at = Number(parts[1]);
        cells[at] = [parts[2], parts[3] === "" ? cells[at][1] : parts[3] === "-" ? "" : parts[3]];
        changed.push(at);
      }
      all.push({ cells, changed });
    }
    return all;
  }

  function draw(g, board, last) {
    const n = g.n, side = n * CELL + 2 * EDGE, out = [];
    const put = (text) => out.push(text);
    const label = (x, y, size, fill, text) =>
      put(`<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" text-anchor="middle">${text}</text>`);
    put(`<svg viewBox="0 0 ${side} ${side}" role="img" aria-label="board" font-family="system-ui,sans-serif">`);
    if (data.points) {
      put(`<rect x="${EDGE}" y="${EDGE}" width="${n * CELL}" height="${n * CELL}" rx="4" fill="#eacb8c"/>`);
      const from = EDGE + CELL / 2, to = from + (n - 1) * CELL;
      for (let i = 0; i < n; i++) {
        const at = from + i * CELL;
        put(`<path d="M${at} ${from}V${to}M${from} ${at}H${to}" stroke="#6b5328"/>`);
      }
    }
    for (let i = 0; i < n; i++) {
      const numbers = data.numbers, column = numbers ? i : String.fromCharCode(i < 26 ? 65 + i : 71 + i);
      label(EDGE + i * CELL + CELL / 2, EDGE - 9, 14, "var(--soft)", column);
      label(EDGE / 2 - 2, EDGE + i * CELL + CELL / 2 + 5, 14, "var(--soft)", numbers ? i : i + 1);
    }
    board.cells.forEach(([ink, text], i) => {
      const x = EDGE + (i % n) * CELL, y = EDGE + Math.floor(i / n) * CELL, mx = x + CELL / 2, my = y + CELL / 2;
      const piece = ink === "a" || ink === "b", played = board.changed.includes(i);
      if (data.points) {
        if (!piece) return;
        put(`<circle cx="${mx}" cy="${my}" r="21" fill="${ink === "a" ? "#26282c" : "#fdfdfb"}" stroke="#26282c"/>`);
        if (played) put(`<circle cx="${mx}" cy="${my}" r="21" fill="none" stroke="#d4342a" stroke-width="3"/>`);
        if (text) label(mx, my + 5, 15, ink === "a" ? "#fff" : "#26282c", text);
        return;
      }
      put(`<rect x="${x}" y="${y}" width="${CELL}" height="${CELL}" fill="${FILL[ink]}" stroke="#9a958a"/>`);
      if (ink === "a") put(`<circle cx="${mx}" cy="${my}" r="15" fill="#2459a6"/>`);
      if (ink === "b") put(`<path d="M${mx} ${my - 17}l17 17l-17 17l-17 -17z" fill="#c0432b"/>`);
      if (text) label(mx, my + 5, piece ? 13 : 15, piece ? "#fff" : "#57534a", text);
      if (played && piece)
        put(`<rect x="${x + 2.5}" y="${y + 2.5}" width="${CELL - 5}" height="${CELL - 5}" fill="none" stroke="#e0a11b" stroke-width="${i === last ? 4 : 2}"/>`);
    });
    put("</svg>");
    return out.join("");
  }

  // -- the viewer --

  const sign = (first) => data.points
    ? `<svg class="sign" viewBox="0 0 12 12"><circle cx="6" cy="6" r="5" fill="${first ? "#26282c" : "#fdfdfb"}" stroke="#26282c"/></svg>`
    : first ? '<svg class="sign" viewBox="0 0 12 12"><circle cx="6" cy="6" r="5.5" fill="#2459a6"/></svg>'
            : '<svg class="sign" viewBox="0 0 12 12"><path d="M6 0l6 6l-6 6l-6-6z" fill="#c0432b"/></svg>';

  const score = (g) => (g.p === 2 ? "1 – 0" : g.p === 1 ? "½ – ½" : "0 – 1");

  function outcome(g) {
    const names = [data.players[g.a], data.players[g.o]];
    if (g.l >= 0) return `${names[g.l]} lost by ${g.c}: ${g.x}`;
    const margin = data.margin ? ` by ${Math.abs(g.s)}` : "";
    return g.p === 1 ? "drawn" : `${names[g.p === 2 ? 0 : 1]} won${margin}`;
  }

  function times(g) {
    const values = g.t, most = Math.max(...values, 1e-9), width = 1000 / Math.max(values.length, 1);
    const bars = values.map((value, i) => {
      const height = Math.max(1, 56 * value / most), first = (i + g.f) % 2 === 0;
      return `<rect x="${i * width}" y="${60 - height}" width="${Math.max(width - 1.5, 1)}" height="${height}" fill="var(--${first ? "first" : "second"})" opacity="${i < ply ? 1 : 0.3}"/>`;
    });
    return `<svg viewBox="0 0 1000 60" preserveAspectRatio="none" style="width:100%;height:46px">${bars.join("")}</svg>` +
      `<div class="soft" style="font-size:12.5px">time a move, longest ${most >= 1000 ? (most / 1000).toFixed(2) + " s" : most.toFixed(most < 10 ? 2 : 0) + " ms"}</div>`;
  }

  function step(to) {
    ply = Math.max(0, Math.min(game.m.length, to));
    const board = boards[ply];
    byId("board").innerHTML = draw(game, board, board.changed.length ? board.changed[0] : -1);
    byId("slider").value = ply;
    byId("ply").textContent = `${ply}/${game.m.length}`;
    byId("times").innerHTML = game.t.length ? times(game) : "";
    const spans = byId("moves").querySelectorAll("span");
    spans.forEach((span, i) => span.classList.toggle("now", i === ply - 1));
    if (ply > 0 && spans[ply - 1]) {
      const box = byId("moves"), span = spans[ply - 1];
      if (span.offsetTop < box.scrollTop || span.offsetTop > box.scrollTop + box.clientHeight - 30)
        box.scrollTop = span.offsetTop - box.clientHeight / 2;
    }
    history.replaceState(null, "", `#${game.i}.${ply}`);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    byId("play").textContent = "play";
  }

  function open(g, at) {
    stop();
    game = g;
    boards = unfold(g);
    const title = byId("title");
    title.innerHTML = sign(true);
    title.append(data.players[g.a] + " ");
    title.insertAdjacentHTML("beforeend", `<span class="soft">${score(g)}</span> ${sign(false)}`);
    title.append(data.players[g.o]);
    byId("outcome").textContent = `Game ${g.i + 1}: ${outcome(g)}`;
    byId("slider").max = g.m.length;
    const moves = byId("moves");
    moves.textContent = "";
    g.m.forEach((move, i) => {
      if (i % 2 === 0) moves.append(" ", make("i", i / 2 + 1 + "."));
      const span = make("span", move);
      span.onclick = () => { stop(); step(i + 1); };
      moves.append(" ", span);
    });
    moves.hidden = !g.m.length;
    const notes = byId("notes");
    notes.textContent = "";
    (g.e || []).forEach((text, side) => {
      if (!text) return;
      notes.append(make("div", `standard error of ${data.players[side ? g.o : g.a]}`, "soft"));
      notes.append(make("pre", text));
    });
    step(at === undefined ? g.m.length : at);
    for (const row of byId("rows").children) row.classList.toggle("now", row.game === g);
  }

  // -- the list --

  function more() {
    const body = byId("rows");
    for (const g of shown.slice(rows, rows + 200)) {
      const row = make("tr");
      row.game = g;
      row.append(make("td", g.i + 1), make("td", data.players[g.a], "name" + (g.p === 2 ? " won" : "")),
        make("td", data.players[g.o], "name" + (g.p === 0 ? " won" : "")), make("td", score(g)),
        make("td", g.l >= 0 ? g.c : data.margin ? (g.s > 0 ? "+" : "") + g.s : "rules", "name" + (g.l >= 0 ? " fault" : "")),
        make("td", g.m.length));
      row.onclick = () => open(g, g.m.length);
      row.classList.toggle("now", g === game);
      body.append(row);
    }
    rows = Math.min(shown.length, rows + 200);
    byId("count").textContent = `${shown.length} games`;
  }

  function filter() {
    const one = byId("one").value, two = byId("two").value, cause = byId("cause").value;
    const has = (g, player) => player === "" || g.a === Number(player) || g.o === Number(player);
    shown = games.filter((g) => has(g, one) && has(g, two) && (cause === "" || g.c === cause));
    byId("rows").textContent = "";
    rows = 0;
    more();
  }

  for (const id of ["one", "two"]) {
    byId(id).append(new Option(id === "one" ? "any player" : "against anybody", ""));
    data.players.forEach((name, i) => byId(id).append(new Option(name, i)));
  }
  byId("cause").append(new Option("any ending", ""));
  for (const cause of new Set(games.map((g) => g.c))) byId("cause").append(new Option(cause, cause));
  for (const id of ["one", "two", "cause"]) byId(id).onchange = filter;
  byId("list").onscroll = function () {
    if (rows < shown.length && this.scrollTop + this.clientHeight > this.scrollHeight - 200) more();
  };
  document.querySelectorAll("td.meet").forEach((cell) => {
    cell.onclick = () => {
      byId("one").value = cell.dataset.one;
      byId("two").value = cell.dataset.two;
      filter();
      if (shown.length) open(shown[0]);
      byId("games").scrollIntoView({ behavior: "smooth" });
    };
  });

  byId("begin").onclick = () => { stop(); step(0); };
  byId("back").onclick = () => { stop(); step(ply - 1); };
  byId("next").onclick = () => { stop(); step(ply + 1); };
  byId("end").onclick = () => { stop(); step(game.m.length); };
  byId("slider").oninput = function () { stop(); step(Number(this.value)); };
  byId("play").onclick = () => {
    if (timer) return stop();
    if (ply === game.m.length) step(0);
    byId("play").textContent = "pause";
    timer = setInterval(() => { if (ply >= game.m.length) stop(); else step(ply + 1); }, 450);
  };
  document.addEventListener("keydown", (event) => {
    if (/^(SELECT|INPUT)$/.test(event.target.tagName)) return;
    const keys = { ArrowLeft: -1, ArrowRight: 1 };
    if (keys[event.key]) { stop(); step(ply + keys[event.key]); event.preventDefault(); }
    const others = { p: -1, n: 1 };
    if (others[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const next = shown[shown.indexOf(game) + others[event.key]];
      if (next) open(next);
    }
  });

  filter();
  const wanted = /^#(\d+)\.(\d+)$/.exec(location.hash);
  const named = wanted && games.find((g) => g.i === Number(wanted[1]));
  open(named || games[0], named ? Number(wanted[2]) : undefined);
})();
