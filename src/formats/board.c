#include "formats/board.h"

#include <string.h>

static char ink_letter(enum game_ink ink) {
    static const char letters[] = {
        [GAME_INK_EMPTY] = '.',       [GAME_INK_FIRST] = 'a',        [GAME_INK_SECOND] = 'b',    [GAME_INK_BLOCK] = '#',
        [GAME_INK_FIRST_FIELD] = 'p', [GAME_INK_SECOND_FIELD] = 'q', [GAME_INK_BOTH_FIELD] = 'r'};
    return letters[ink];
}

static bool is_piece(const struct game_cell *cell) {
    return cell->ink == GAME_INK_FIRST || cell->ink == GAME_INK_SECOND;
}

void board_json(struct json *json, const char *key, const struct game *game, const struct game_position *position) {
    const struct game_properties *properties = game->properties;
    struct game_shape shape = game_shape(game, position);
    int squares = shape.rows * shape.columns;
    struct text inks = TEXT_EMPTY;
    bool labelled = false;
    bool forbidden = false;
    int last = -1;
    for (int i = 0; i < squares; i++) {
        struct game_cell cell;
        game->cell(position, i / shape.columns, i % shape.columns, &cell);
        text_add_char(&inks, ink_letter(cell.ink));
        labelled = labelled || cell.label[0];
        forbidden = forbidden || cell.forbidden;
        last = cell.last ? i : last;
    }
    json_open_object(json, key);
    json_int(json, "rows", shape.rows);
    json_int(json, "columns", shape.columns);
    json_bool(json, "points", properties->stones_on_points);
    json_bool(json, "numbers", properties->numbered_from_zero);
    json_open_list(json, "sides");
    json_string(json, NULL, properties->sides[0]);
    json_string(json, NULL, properties->sides[1]);
    json_close_list(json);
    json_bytes(json, "inks", text_string(&inks), inks.length);
    if (labelled) {
        json_open_list(json, "labels");
        for (int i = 0; i < squares; i++) {
            struct game_cell cell;
            game->cell(position, i / shape.columns, i % shape.columns, &cell);
            json_string(json, NULL, cell.label);
        }
        json_close_list(json);
    }
    if (last >= 0) {
        json_int(json, "last", last);
    }
    if (forbidden) {
        json_open_list(json, "forbidden");
        for (int i = 0; i < squares; i++) {
            struct game_cell cell;
            game->cell(position, i / shape.columns, i % shape.columns, &cell);
            if (cell.forbidden) {
                json_int(json, NULL, i);
            }
        }
        json_close_list(json);
    }
    json_close_object(json);
    json->text->broken = json->text->broken || inks.broken;
    text_free(&inks);
}

void board_json_step(struct json *json, const struct game *game, const struct game_position *before,
                     const struct game_position *after) {
    struct game_shape shape = game_shape(game, after);
    struct text changes = TEXT_EMPTY;
    for (int taken = 1; taken >= 0; taken--) {
        for (int i = 0; i < shape.rows * shape.columns; i++) {
            struct game_cell was;
            struct game_cell is;
            game->cell(before, i / shape.columns, i % shape.columns, &was);
            game->cell(after, i / shape.columns, i % shape.columns, &is);
            bool relabelled = strcmp(was.label, is.label) != 0;
            bool is_taken = is_piece(&is) && !is_piece(&was);
            if ((was.ink != is.ink || relabelled) && is_taken == (taken == 1)) {
                const char *label = !relabelled ? "" : is.label[0] ? is.label : "-";
                text_addf(&changes, "%s%d%c%s", changes.length ? " " : "", i, ink_letter(is.ink), label);
            }
        }
    }
    json_bytes(json, NULL, text_string(&changes), changes.length);
    json->text->broken = json->text->broken || changes.broken;
    text_free(&changes);
}
