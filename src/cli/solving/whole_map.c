#include "cli/solving/whole_map.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "formats/draw.h"
#include "system/file.h"

/* A course file is called like this whatever is in it; its folder says more. */
#define USUAL_NAME "input"

/* The name of a file without folder and ending, or that of its folder. */
static void add_stem(struct text *text, const char *file) {
    const char *slash = strrchr(file, '/');
    const char *name = slash ? slash + 1 : file;
    const char *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    if (strcmp(file, "-") == 0) {
        name = "board";
        length = strlen(name);
    } else if (length == strlen(USUAL_NAME) && strncmp(name, USUAL_NAME, length) == 0 && slash > file) {
        const char *end = slash;
        name = slash;
        while (name > file && name[-1] != '/') {
            name--;
        }
        length = (size_t)(end - name);
    }
    text_add(text, name, length);
}

/* Where the map of a file goes. */
static void add_path(struct text *text, const char *folder, const char *file) {
    text_addf(text, "%s/", folder);
    add_stem(text, file);
    text_add_string(text, ".svg");
}

static int make_folder(const char *folder) {
#ifdef _WIN32
    return mkdir(folder);
#else
    return mkdir(folder, 0777);
#endif
}

/* Two boards cannot have one map. */
static enum status check_names(const char *folder, char *const *files, int count, struct error *error) {
    enum status status = STATUS_OK;
    for (int i = 0; i < count * count && status == STATUS_OK; i++) {
        const char *file = files[i / count];
        const char *other = files[i % count];
        struct text path = TEXT_EMPTY;
        struct text other_path = TEXT_EMPTY;
        add_path(&path, folder, file);
        add_path(&other_path, folder, other);
        if (i / count < i % count && strcmp(text_string(&path), text_string(&other_path)) == 0) {
            status = error_at(error, 0, 0, "the maps of %s and %s would both be %s", file, other, text_string(&path));
        }
        text_free(&path);
        text_free(&other_path);
    }
    return status;
}

enum status whole_map_check(const char *folder, char *const *files, int count, struct error *error) {
    enum status status = check_names(folder, files, count, error);
    if (status == STATUS_OK && make_folder(folder) != 0 && errno != EEXIST) {
        return error_system(error, errno, "%s: %s", folder, strerror(errno));
    }
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        struct text path = TEXT_EMPTY;
        add_path(&path, folder, files[i]);
        status = path.broken ? error_machine(error, "out of memory") : file_check(text_string(&path), error);
        text_free(&path);
    }
    return status;
}

/* The value of the best move on each square of the board, the mover's view, and the least and the most of them. */
static void fill_heat(const struct war_position *position, const struct whole_board *board,
                      const struct whole_solution *solution, struct draw_heat *heat) {
    int sign = board->side == WAR_X ? 1 : -1;
    bool first = true;
    for (int i = 0; i < board->squares; i++) {
        if (board->filled >> i & 1) {
            continue;
        }
        int square = board->board_square[i];
        int raid = war_can_raid(position, position->to_move, square);
        int value = sign * (int)solution->moves[raid][i].lower;
        heat->known[square] = true;
        heat->value[square] = value;
        heat->least = first || value < heat->least ? value : heat->least;
        heat->most = first || value > heat->most ? value : heat->most;
        first = false;
    }
}

enum status whole_map_write(const char *folder, const char *file, const struct course_request *request,
                            const struct whole_board *board, const struct whole_solution *solution,
                            struct error *error) {
    struct text path = TEXT_EMPTY;
    struct text svg = TEXT_EMPTY;
    struct draw_heat heat = {0};
    fill_heat((const struct war_position *)request->position, board, solution, &heat);
    add_path(&path, folder, file);
    draw_heat_svg(request->game, request->position, &heat, &svg);
    enum status status = path.broken || svg.broken
                             ? error_machine(error, "out of memory")
                             : file_write(text_string(&path), text_string(&svg), svg.length, error);
    text_free(&path);
    text_free(&svg);
    return status;
}
