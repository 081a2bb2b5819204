#include "grade/games/grade_game_page.h"

#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "grade/games/grade_play.h"

/* Of a longer game only the moves are shown. */
#define MOST_BOARD_BYTES 200000
#define MOST_SQUARES 1024

/* A store's words: escaped, whatever they are. */
static void add_bytes(const char *bytes, size_t length, struct text *out) {
    struct text copy = TEXT_EMPTY;
    text_add(&copy, bytes, length);
    clean_add_xml(out, text_string(&copy));
    text_spend(&copy, out);
}

/* -- the board -- */

struct boards {
    const struct game *game;
    struct text inks; /* of every board: a digit a square */
};

static void add_board(void *user, const struct grade_ply *ply) {
    struct boards *boards = user;
    struct game_shape shape = game_shape(boards->game, ply->position);
    uint8_t inks[MOST_SQUARES];
    game_inks(boards->game, ply->position, inks);
    for (int i = 0; i < shape.rows * shape.columns; i++) {
        text_add_char(&boards->inks, (char)('0' + inks[i]));
    }
}

static void add_stepper(const struct course_request *request, const struct grade_fact *fact, struct text *out) {
    const struct game *game = request->game;
    struct game_shape shape = game_shape(game, request->position);
    int squares = shape.rows * shape.columns;
    struct boards boards = {.game = game};
    if (squares > MOST_SQUARES || (fact->plies + 1) * squares > MOST_BOARD_BYTES) {
        return;
    }
    grade_replay(request, fact, add_board, &boards);
    text_addf(out, "<div class=\"steps\" data-columns=\"%d\" data-zero=\"%d\" data-inks=\"%s\" data-labels=\"",
              shape.columns, game->properties->numbered_from_zero, text_string(&boards.inks));
    for (int i = 0; i < squares; i++) {
        struct game_cell cell;
        game->cell(request->position, i / shape.columns, i % shape.columns, &cell);
        text_addf(out, "%s%s", i ? "," : "", cell.label);
    }
    text_add_string(out, "\" data-moves=\"");
    add_bytes(fact->moves, fact->moves_length, out);
    text_add_string(out, "\"></div>\n");
    text_spend(&boards.inks, out);
}

/* -- the moves -- */

struct listing {
    const struct grade_fact *fact;
    struct text *out;
};

static void add_move(void *user, const struct grade_ply *ply) {
    const struct listing *listing = user;
    if (ply->number == 0) {
        return;
    }
    bool random = ply->number <= listing->fact->opened;
    text_addf(listing->out, "%d. %s", ply->number, ply->by_program ? "<b>" : random ? "<i>" : "");
    clean_add_xml(listing->out, ply->move);
    text_addf(listing->out, "%s ", ply->by_program ? "</b>" : random ? "</i>" : "");
}

/* -- a game -- */

static void add_summary(const struct grade_game *game, const struct grade_fact *fact, int number, struct text *out) {
    static const char *const ends[GRADE_ENDS] = {"lost", "drawn", "won"};
    text_addf(out, "<details><summary>Game %d: <span class=\"%s\">%s</span>, ", number,
              fact->end == GRADE_LOST  ? "fault"
              : fact->end == GRADE_WON ? "pass"
                                       : "soft",
              ends[fact->end]);
    if (fact->fault != PLAYER_NO_FAULT) {
        text_addf(out, "%s in move %d", player_fault_name(fact->fault), fact->plies + 1);
    } else {
        text_addf(out, "%d to %d points", fact->own, fact->other);
    }
    text_addf(out, "; %s; %.4g %% of the points; slowest move %.0f ms</summary>\n",
              fact->second ? "the opponent began" : "the program began", grade_fact_percent(game, fact),
              1e3 * fact->slowest);
}

static void add_game(const struct grade_game *game, const struct course_request *request, const struct grade_fact *fact,
                     int number, bool boards, struct text *out) {
    struct listing listing = {fact, out};
    add_summary(game, fact, number, out);
    if (fact->detail_length > 0) {
        text_add_string(out, "<p class=\"fault\">");
        add_bytes(fact->detail, fact->detail_length, out);
        text_add_string(out, "</p>\n");
    }
    if (boards) {
        add_stepper(request, fact, out);
    }
    int side = grade_side(request, fact);
    text_addf(out, "<p class=\"soft\">Moves, those of the program (%s, %s) in bold: ",
              request->game->properties->sides[side], side == 0 ? "blue" : "red");
    grade_replay(request, fact, add_move, &listing);
    text_add_string(out, "</p></details>\n");
}

void grade_game_page_add(const struct grade_game *game, const struct course_request *request, const char *facts,
                         bool boards, struct text *out) {
    struct grade_fact fact;
    text_add_string(out, "<p class=\"soft\">Opponent: ");
    clean_add_xml(out, game->opponent.name);
    text_add_string(out, "</p>\n");
    for (int number = 1; grade_facts_next(&facts, &fact); number++) {
        add_game(game, request, &fact, number, boards, out);
    }
}

/* Without a script the moves are still there to read. */
static const char style_and_script[] =
    "<style>.steps table { width: auto; margin: 10px 0 4px; } .steps td, .steps th { width: 28px; height: 28px; "
    "padding: 0; text-align: center; border: 1px solid var(--line); font-size: 12px; } .steps th { border: 0; }\n"
    ".steps table tr:last-child td { border-bottom: 1px solid var(--line); }\n"
    ".steps .i1 { background: var(--first); color: #fff; } .steps .i2 { background: var(--second); color: #fff; }\n"
    ".steps .i3 { background: var(--ink); } .steps .i4 { box-shadow: inset 0 0 0 14px rgba(36,89,166,.35); }\n"
    ".steps .i5 { box-shadow: inset 0 0 0 14px rgba(192,67,43,.35); }\n"
    ".steps .i6 { box-shadow: inset 0 0 0 14px rgba(128,80,128,.55); }\n"
    ".steps .now { outline: 3px solid var(--good); outline-offset: -3px; }\n"
    ".steps input { width: 260px; vertical-align: middle; } .steps span { margin-left: 10px; }</style>\n"
    "<script>\n"
    "for (const box of document.querySelectorAll('.steps')) {\n"
    "  const d = box.dataset, labels = d.labels.split(','), columns = +d.columns, size = labels.length;\n"
    "  const moves = d.moves ? d.moves.split(';') : [], zero = d.zero === '1', table = "
    "document.createElement('table');\n"
    "  const head = table.insertRow();\n"
    "  const title = (row, text) => row.append(Object.assign(document.createElement('th'), { textContent: text }));\n"
    "  title(head, '');\n"
    "  for (let c = 0; c < columns; c++) title(head, zero ? c : String.fromCharCode(65 + c));\n"
    "  const cells = [];\n"
    "  for (let i = 0, row; i < size; i++) {\n"
    "    if (i % columns === 0) { row = table.insertRow(); title(row, i / columns + (zero ? 0 : 1)); }\n"
    "    cells.push(Object.assign(row.insertCell(), { textContent: labels[i] }));\n"
    "  }\n"
    "  const slider = Object.assign(document.createElement('input'), { type: 'range', min: 0, max: d.inks.length / "
    "size "
    "- 1 });\n"
    "  slider.setAttribute('aria-label', 'move');\n"
    "  const word = document.createElement('span');\n"
    "  const show = () => {\n"
    "    const ply = +slider.value, at = ply * size;\n"
    "    for (let i = 0; i < size; i++) {\n"
    "      const ink = d.inks[at + i], fresh = ply > 0 && ink !== d.inks[at - size + i] && (ink === '1' || ink === "
    "'2');\n"
    "      cells[i].className = 'i' + ink + (fresh ? ' now' : '');\n"
    "    }\n"
    "    word.textContent = ply ? ply + '. ' + moves[ply - 1] : 'the start';\n"
    "  };\n"
    "  slider.value = d.inks.length / size - 1;\n"
    "  slider.oninput = show;\n"
    "  box.append(table, slider, word);\n"
    "  show();\n"
    "}\n"
    "</script>\n";

void grade_game_page_end(struct text *out) {
    text_add_string(out, style_and_script);
}
