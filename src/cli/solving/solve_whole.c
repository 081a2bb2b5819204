#include "cli/solving/solve_whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "base/stopwatch.h"
#include "cli/solving/whole_map.h"
#include "crew/backend.h"
#include "games/war/whole/whole_solve.h"
#include "system/file.h"
#include "system/machine.h"

struct printing {
    const struct solve_whole *options;
    const struct course_request *request;
    const struct whole_board *board;
    const struct whole_solution *solution;
    const char *machine; /* where the passes ran */
};

/* What is asked of this side while a board is solved: a guess, and to show how far it is. */
struct asked {
    struct engine *engine;
    const struct course_request *request;
    const struct whole_board *board;
    double last; /* when progress was shown */
};

static const struct war_position *position_of(const struct course_request *request) {
    return (const struct war_position *)request->position;
}

/* Bounds from the view of the side to move. */
static struct whole_bounds own_view(const struct whole_board *board, struct whole_bounds bounds) {
    return board->side == WAR_X ? bounds : (struct whole_bounds){-bounds.upper, -bounds.lower};
}

static void add_bounds(struct text *text, struct whole_bounds bounds) {
    if (bounds.lower == bounds.upper) {
        text_addf(text, "%d", (int)bounds.lower);
    } else {
        text_addf(text, "%d to %d (not solved)", (int)bounds.lower, (int)bounds.upper);
    }
}

static game_move best_move(const struct printing *printing) {
    const struct war_position *position = position_of(printing->request);
    int square = printing->board->board_square[printing->solution->best];
    return (game_move)square | (war_can_raid(position, position->to_move, square) ? WAR_RAID : 0);
}

/* The number of a square of the board among those that matter. */
static int number_of(const struct whole_board *board, int square) {
    int i = 0;
    while (board->board_square[i] != square) {
        i++;
    }
    return i;
}

/* Every legal move with its value, in the game's order: `each` between them. */
static void add_moves(struct text *text, const struct printing *printing, bool json) {
    const struct game *game = printing->request->game;
    game_move moves[2 * WAR_MOST_SQUARES];
    int count = game->moves(printing->request->position, moves);
    for (int i = 0; i < count; i++) {
        char move[32];
        int number = number_of(printing->board, (int)(moves[i] & ~WAR_RAID));
        struct whole_bounds value =
            own_view(printing->board, printing->solution->moves[(moves[i] & WAR_RAID) != 0][number]);
        game->move_text(printing->request->position, moves[i], move);
        if (json) {
            text_addf(text, "%s{\"move\": \"%s\", \"lower\": %d, \"upper\": %d}", i ? ", " : "", move, (int)value.lower,
                      (int)value.upper);
        } else {
            text_addf(text, "%s: ", move);
            add_bounds(text, value);
            text_add_char(text, '\n');
        }
    }
}

static void add_answer(struct text *text, const struct printing *printing) {
    const struct whole_solution *solution = printing->solution;
    const struct game *game = printing->request->game;
    struct whole_bounds value = own_view(printing->board, solution->value);
    char move[32] = "";
    if (solution->best >= 0) {
        game->move_text(printing->request->position, best_move(printing), move);
    }
    double seconds = solution->passes ? solution->seconds / solution->passes : 0;
    if (printing->options->json) {
        text_addf(text,
                  "{\"game\": \"war\", \"move\": \"%s\", \"solved\": %s, \"lower\": %d, \"upper\": %d, \"passes\": %d, "
                  "\"positions\": %.0f, \"pass_seconds\": %.6f, \"bytes\": %llu, \"machine\": ",
                  move, value.lower == value.upper ? "true" : "false", (int)value.lower, (int)value.upper,
                  solution->passes, solution->positions, seconds, (unsigned long long)solution->bytes);
        text_add_json(text, printing->machine);
        if (printing->options->speed && seconds > 0) {
            text_addf(text, ", \"bytes_a_second\": %.0f, \"memory_bytes_a_second\": %.0f",
                      solution->joined / 8 / seconds, solution->bandwidth);
        }
        if (printing->options->all) {
            text_add_string(text, ", \"moves\": [");
            add_moves(text, printing, true);
            text_add_char(text, ']');
        }
        text_add_string(text, "}\n");
        return;
    }
    text_add_string(text, "value  ");
    add_bounds(text, value);
    text_addf(text, " for %s\n", game->properties->sides[printing->board->side]);
    if (*move) {
        text_addf(text, "best   %s\n", move);
    }
    text_addf(text, "passes %d over %.4g positions, %.3f s each\nmemory %.3g GB, on %s\n", solution->passes,
              solution->positions, seconds, (double)solution->bytes / 1e9, printing->machine);
    if (printing->options->speed && seconds > 0) {
        text_addf(text, "speed  %.4g GB/s of positions and moves, a bit each", solution->joined / 8e9 / seconds);
        text_addf(text, solution->bandwidth > 0 ? "; the memory copies %.4g GB/s\n" : "\n", solution->bandwidth / 1e9);
    }
    if (printing->options->all) {
        add_moves(text, printing, false);
    }
}

static void show_progress(void *user, const struct whole_solution *so_far, double share) {
    struct asked *asked = user;
    double now = clock_wall();
    if (!cli_shows_progress() || now - asked->last < 0.1) {
        return;
    }
    asked->last = now;
    struct whole_bounds value = own_view(asked->board, so_far->value);
    char line[160];
    snprintf(line, sizeof line, "value %d to %d  pass %d  %.0f%%  %.1f s a pass", (int)value.lower, (int)value.upper,
             so_far->passes + 1, 100 * share, so_far->passes ? so_far->seconds / so_far->passes : 0.0);
    cli_progress(line);
}

/* Where alpha-beta finds or expects the value, X's view. */
static int32_t guess_value(void *user, double seconds) {
    const struct asked *asked = user;
    const struct course_request *request = asked->request;
    struct engine_request ask = {.method = SEARCH_ENGINE, .limits = {.goal = SEARCH_EXACT, .wall_seconds = seconds}};
    struct search_result result;
    struct error error;
    int32_t guess = 0;
    if (engine_go(asked->engine, request->game, request->position, &ask, cli_control(), &result, &error) == STATUS_OK) {
        guess = result.value < result.lower ? result.lower : result.value > result.upper ? result.upper : result.value;
    }
    return position_of(request)->to_move == WAR_X ? guess : -guess;
}

/* The kernel that --on names, or NULL. */
static const struct whole_kernel *named_kernel(const char *name) {
    for (const struct whole_kernel *const *kernel = whole_kernels(); name && *kernel; kernel++) {
        if (strcmp((*kernel)->name, name) == 0) {
            return *kernel;
        }
    }
    return NULL;
}

static int refuse_machine(const char *name) {
    struct text text = TEXT_EMPTY;
    for (const struct whole_kernel *const *kernel = whole_kernels(); *kernel; kernel++) {
        text_addf(&text, ", %s", (*kernel)->name);
    }
    int exit_status = cli_usage("solve: --on %s: expected cpu, cuda%s", name, text_string(&text));
    text_free(&text);
    return exit_status;
}

/* Chooses where the passes run and solves. *machine says where it was. */
static enum status solve_on(const struct solve_whole *options, struct whole_request *request,
                            struct whole_solution *solution, char *machine, size_t room, struct error *error) {
    bool must = options->on && strcmp(options->on, "cuda") == 0;
    const struct whole_backend *cuda = options->on && !must ? NULL : backend_load("cuda", WHOLE_BACKEND_SYMBOL);
    if (must && !cuda) {
        return error_at(error, 0, 0, "solve: --on cuda: this program was built without the CUDA backend");
    }
    if (cuda) {
        request->backend = cuda;
        enum status status = whole_solve(request, solution, error);
        snprintf(machine, room, "%s", solution->machine);
        if (status == STATUS_OK || must) {
            return status;
        }
    }
    request->backend = NULL;
    uint64_t needed = whole_layout_bytes(request->layout);
    uint64_t there = machine_free_memory();
    if (there && needed > there) {
        return error_machine(error, "two layers of this board take %.1f GB and %.1f GB are free: %.1f GB are missing",
                             (double)needed / 1e9, (double)there / 1e9, (double)(needed - there) / 1e9);
    }
    snprintf(machine, room, "%d thread%s (%s)", request->threads, request->threads == 1 ? "" : "s",
             request->kernel->name);
    return whole_solve(request, solution, error);
}

/* Solves with the processes of an MPI job. */
static enum status solve_together(struct whole_request *request, const struct whole_backend *many,
                                  struct whole_solution *solution, char *machine, size_t room, struct error *error) {
    request->backend = many;
    enum status status = whole_solve(request, solution, error);
    snprintf(machine, room, "%s, %.3g GB read from others by the first", solution->machine, solution->traffic / 1e9);
    return status;
}

/* One board of the family. */
struct one_board {
    const char *file;
    struct course_request request;
    struct whole_board board;
};

static enum status solve_board(const struct solve_whole *options, struct one_board *one, struct engine *engine,
                               const struct whole_backend *many, struct error *error) {
    struct whole_layout layout;
    struct whole_solution solution;
    char machine[256];
    if (!whole_layout_open(&layout, &one->board, whole_cut_for_caches(&one->board))) {
        return error_machine(error, "out of memory");
    }
    struct asked asked = {.engine = engine, .request = &one->request, .board = &one->board};
    const struct whole_kernel *kernel = named_kernel(options->on);
    struct whole_request ask = {
        .layout = &layout,
        .kernel = kernel ? kernel : whole_kernel_pick(),
        .threads = options->threads ? options->threads : machine_cores(),
        .all = options->all,
        .measure = options->speed,
        .guess = guess_value,
        .stop = &cli_control()->stop,
        .progress = show_progress,
        .user = &asked,
    };
    enum status status = many ? solve_together(&ask, many, &solution, machine, sizeof machine, error)
                              : solve_on(options, &ask, &solution, machine, sizeof machine, error);
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    if (status == STATUS_OK) {
        struct printing printing = {options, &one->request, &one->board, &solution, machine};
        struct text text = TEXT_EMPTY;
        add_answer(&text, &printing);
        status = text.broken ? error_machine(error, "out of memory") : STATUS_OK;
        fputs(text_string(&text), stdout);
        text_free(&text);
    }
    if (status == STATUS_OK && options->map) {
        status = whole_map_write(options->map, one->file, &one->request, &one->board, &solution, error);
    }
    whole_layout_close(&layout);
    return status;
}

/* Reads a board and says what cannot be solved this way. */
static int read_board(struct one_board *one, const struct cli_source *source) {
    int exit_status = cli_read_request(one->file, source, false, &one->request);
    if (exit_status != 0) {
        return exit_status;
    }
    if (strcmp(one->request.game->properties->name, "war") != 0) {
        exit_status = cli_usage("solve: --whole is for war boards");
    } else if (!whole_board_from(&one->board, position_of(&one->request))) {
        exit_status =
            cli_usage("solve: --whole takes boards with at most %d squares that still matter", WHOLE_MOST_SQUARES);
    }
    if (exit_status != 0) {
        course_request_free(&one->request);
    }
    return exit_status;
}

/* Solves what was read. Under MPI all processes but the first only help. */
static int solve_boards(const struct solve_whole *options, struct one_board *boards, int count, struct engine *engine) {
    const struct whole_backend *many = backend_one_of_many() ? backend_load("mpi", WHOLE_BACKEND_SYMBOL) : NULL;
    if (backend_one_of_many() && !many) {
        return cli_usage("solve: started by mpirun, but this program was built without the MPI backend");
    }
    bool helps = many && many->rank() != 0;
    int exit_status = 0;
    for (int i = 0; i < count && exit_status == 0 && !cli_interrupted(); i++) {
        struct error error = {0};
        if (count > 1 && !options->json && !helps) {
            struct clean_line name;
            printf("%s%s\n", i ? "\n" : "", clean_string(&name, boards[i].file));
        }
        enum status status =
            helps ? many->serve(&boards[i].board, &error) : solve_board(options, &boards[i], engine, many, &error);
        exit_status = status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
    }
    return exit_status;
}

int solve_whole(const struct solve_whole *options, const struct cli_source *source, char *const *files, int count,
                struct engine *engine) {
    bool known = !options->on || strcmp(options->on, "cpu") == 0 || strcmp(options->on, "cuda") == 0 ||
                 named_kernel(options->on);
    if (!known) {
        return refuse_machine(options->on);
    }
    struct one_board *boards = calloc((size_t)count, sizeof *boards);
    if (!boards) {
        return cli_no_memory();
    }
    int exit_status = 0;
    int read = 0;
    while (read < count && exit_status == 0) {
        boards[read].file = files[read];
        exit_status = read_board(&boards[read], source);
        read += exit_status == 0;
    }
    struct error error;
    if (exit_status == 0 && options->map) {
        enum status status = whole_map_check(options->map, files, count, &error);
        exit_status = status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
    }
    if (exit_status == 0) {
        exit_status = solve_boards(options, boards, count, engine);
    }
    for (int i = 0; i < read; i++) {
        course_request_free(&boards[i].request);
    }
    free(boards);
    return exit_status;
}
