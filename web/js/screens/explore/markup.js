// What the screen is made of; texts come from data-text and data-label.
const MARKUP = `<h1 class="hidden" data-text="screen.explore"></h1>
  <form class="row" id="explore-form">
    <label><span data-text="explore.method"></span> <select id="explore-method">
      <option value="2" data-text="explore.alphabeta"></option>
      <option value="1" data-text="explore.minimax"></option></select></label>
    <label><span data-text="explore.depth"></span> <input type="number" id="explore-depth" min="1" max="12" step="1" value="2"></label>
    <button class="strong" id="explore-run" data-text="explore.run"></button>
    <button type="button" id="explore-tour" data-text="explore.tour"></button>
    <button type="button" id="explore-link" data-text="explore.link"></button>
  </form>
  <p id="explore-note" class="soft" aria-live="polite"></p>
  <div id="explorer" hidden>
    <div class="row steps" role="group" data-label="explore.steps">
      <button type="button" id="step-first" data-label="explore.first">|◀</button>
      <button type="button" id="step-back" data-label="explore.back">◀</button>
      <button type="button" id="step-play" data-label="explore.play">▶▶</button>
      <button type="button" id="step-next" data-label="explore.next">▶</button>
      <button type="button" id="step-last" data-label="explore.last">▶|</button>
      <button type="button" id="step-cut" data-text="explore.nextCut"></button>
      <button type="button" id="step-over" data-text="explore.over"></button>
      <label><span data-text="explore.speed"></span> <input type="range" id="speed" min="0" max="6" value="2"></label>
      <label class="grow"><span class="hidden" data-text="explore.position"></span> <input type="range" id="step-slider" min="0" value="0"></label>
    </div>
    <p id="step-words" aria-live="polite"></p>
    <div class="explorer-grid">
      <div class="tree" id="tree" tabindex="0" role="group" data-label="explore.tree"></div>
      <div class="side">
        <div id="node-board"></div>
        <div id="counts"></div>
        <h2 data-text="explore.log"></h2>
        <div id="log" tabindex="0" role="group" data-label="explore.log"><div id="log-room"></div></div>
      </div>
    </div>
  </div>
  <aside id="tour" class="tour" hidden aria-live="polite"></aside>`;

export { MARKUP };
