// What the screen is made of; texts come from data-text and data-label.
const MARKUP = `<h1 class="hidden" data-text="screen.play"></h1>
  <section class="stage" data-label="stage.label">
    <div class="bar" id="bar" role="img" hidden><div></div></div>
    <div id="board"></div>
  </section>
  <section class="panel" data-label="panel.label">
    <div class="sides" id="sides"></div>
    <p id="status"></p>
    <p id="report"></p>
    <div class="row" role="group" data-label="panel.actions">
      <button type="button" id="undo" data-text="play.undo"></button>
      <button type="button" id="redo" data-text="play.redo"></button>
      <button type="button" id="hint" data-text="play.hint"></button>
      <button type="button" id="go" data-text="play.go"></button>
      <button type="button" id="stop" class="strong" data-text="play.stop" hidden></button>
      <button type="button" id="swap" class="strong" data-text="play.swap" hidden></button>
    </div>
    <div id="moves" tabindex="0" role="group" data-label="moves.label"></div>
    <label class="slider"><span class="hidden" data-text="moves.slider"></span>
      <input type="range" id="slider" min="0" max="0" value="0"></label>

    <details id="analysis">
      <summary data-text="analysis.title"></summary>
      <div class="row">
        <label><input type="checkbox" id="analyse"> <span data-text="analysis.on"></span></label>
        <label><span data-text="analysis.lines"></span> <input type="number" id="lines" min="1" max="12" step="1" value="3"></label>
        <label><input type="checkbox" id="notes" checked> <span data-text="analysis.notes"></span></label>
        <button type="button" id="review" data-text="analysis.review"></button>
      </div>
      <p id="thinking" class="soft"></p>
      <ol id="best"></ol>
      <div id="graph"></div>
    </details>

    <details id="course" hidden>
      <summary data-text="course.title"></summary>
      <p id="course-task"></p>
      <div class="row">
        <button type="button" id="course-answer" data-text="course.answer"></button>
        <button type="button" id="course-engine" data-text="course.engine"></button>
        <button type="button" id="course-explore" data-text="course.explore" hidden></button>
      </div>
      <div id="course-files"></div>
    </details>

    <details id="setup" open>
      <summary data-text="setup.title"></summary>
      <div class="row">
        <label><span data-text="setup.game"></span> <select id="game"></select></label>
        <label><span data-text="setup.size"></span> <input type="number" id="size" step="1"></label>
        <button type="button" id="new" class="strong" data-text="setup.new"></button>
      </div>
      <div class="row">
        <label><span id="player-0-name"></span> <select id="player-0"></select></label>
        <label><span id="player-1-name"></span> <select id="player-1"></select></label>
      </div>
      <div class="row">
        <label><span data-text="setup.limit"></span> <select id="limit-kind">
          <option value="time" data-text="setup.seconds"></option>
          <option value="depth" data-text="setup.depth"></option>
          <option value="nodes" data-text="setup.nodes"></option></select></label>
        <input type="number" id="limit" data-label="setup.limitValue" min="0.1" max="60" step="0.1" value="1">
        <label><span data-text="setup.minutes"></span> <input type="number" id="minutes" min="0" max="180" step="1" value="0"></label>
        <label id="swap-rule-label" hidden><input type="checkbox" id="swap-rule"> <span data-text="setup.swap"></span></label>
        <label id="native-label" hidden><input type="checkbox" id="native" checked> <span id="native-text"></span></label>
      </div>
    </details>

    <details id="edit">
      <summary data-text="edit.title"></summary>
      <div class="row" id="brushes" role="radiogroup" data-label="edit.brush"></div>
      <div class="row">
        <label id="edit-value-label"><span data-text="edit.value"></span> <input type="number" id="edit-value" min="1" max="1000000000" step="1" value="10"></label>
        <label><span data-text="edit.turn"></span> <select id="edit-turn"></select></label>
        <button type="button" id="edit-clear" data-text="edit.clear"></button>
        <button type="button" id="edit-done" class="strong" data-text="edit.done"></button>
        <button type="button" id="edit-cancel" data-text="edit.cancel"></button>
      </div>
    </details>

    <details id="share">
      <summary data-text="share.title"></summary>
      <div class="row">
        <button type="button" id="open" data-text="share.open"></button>
        <input type="file" id="file" class="hidden" tabindex="-1" aria-hidden="true">
        <button type="button" id="paste" data-text="share.paste"></button>
      </div>
      <div class="row">
        <button type="button" id="link" data-text="share.link"></button>
        <button type="button" id="save-text" data-text="share.text"></button>
        <button type="button" id="save-sgf">SGF</button>
        <button type="button" id="save-svg">SVG</button>
        <button type="button" id="save-png">PNG</button>
        <button type="button" id="print" data-text="share.print"></button>
      </div>
    </details>
  </section>
<dialog id="paste-dialog" aria-labelledby="paste-title">
  <h2 id="paste-title" data-text="share.pasteTitle"></h2>
  <textarea id="paste-text" rows="12" cols="40" spellcheck="false" aria-labelledby="paste-title"></textarea>
  <div class="row"><button type="button" id="paste-ok" class="strong" data-text="share.pasteOk"></button>
  <button type="button" id="paste-cancel" data-text="dialog.cancel"></button></div>
</dialog>`;

export { MARKUP };
