#include "cli/solve_whole.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/machine.h"
#include "cli/backend.h"
#include "games/war/whole_solve.h"

/* Seconds the engine may think to say where the value is looked for first. */
#define GUESS_SECONDS 0.3

struct printing {
    const struct solve_whole *options;
    const struct course_request *request;
    const struct whole_board *board;
    const struct whole_solution *solution;
    const char *machine; /* where the passes ran */
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
    if (printing->options->all) {
        add_moves(text, printing, false);
    }
}

static void show_progress(void *user, const struct whole_solution *so_far, double share) {
    const struct whole_board *board = user;
    if (!cli_shows_progress()) {
        return;
    }
    struct whole_bounds value = own_view(board, so_far->value);
    char line[128];
    snprintf(line, sizeof line, "value %d to %d  pass %d  %.0f%%  %.1f s a pass", (int)value.lower, (int)value.upper,
             so_far->passes + 1, 100 * share, so_far->passes ? so_far->seconds / so_far->passes : 0.0);
    cli_progress(line);
}

/* Where the engine thinks the value is, X's view. */
static int32_t guess_value(struct engine *engine, const struct course_request *request) {
    struct engine_request ask = {.method = SEARCH_ENGINE, .limits = {.wall_seconds = GUESS_SECONDS}};
    struct search_result result;
    struct error error;
    int32_t guess = 0;
    if (engine_go(engine, request->game, request->position, &ask, cli_control(), &result, &error) == STATUS_OK) {
        guess = result.value;
    }
    return position_of(request)->to_move == WAR_X ? guess : -guess;
}

/* Started by mpirun, with others. */
static bool is_one_of_many(void) {
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    size = size ? size : getenv("PMI_SIZE");
    return size && atoi(size) > 1;
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
    snprintf(machine, room, "%d threads (%s)", request->threads, whole_kernel_pick()->name);
    return whole_solve(request, solution, error);
}

int solve_whole(const struct solve_whole *options, struct course_request *request, struct engine *engine) {
    if (strcmp(request->game->properties->name, "war") != 0) {
        return cli_usage("solve: --whole is for war boards");
    }
    struct whole_board board;
    struct whole_layout layout;
    struct whole_solution solution;
    struct error error = {0};
    char machine[256];
    if (!whole_board_from(&board, position_of(request))) {
        return cli_usage("solve: --whole takes boards with at most %d squares that still matter", WHOLE_MOST_SQUARES);
    }
    if (!whole_layout_open(&layout, &board)) {
        return cli_fail(NULL, &(struct error){.text = "out of memory"}, STATUS_FAIL);
    }
    const struct whole_backend *many = is_one_of_many() ? backend_load("mpi", WHOLE_BACKEND_SYMBOL) : NULL;
    if (is_one_of_many() && !many) {
        whole_layout_close(&layout);
        return cli_usage("solve: started by mpirun, but this program was built without the MPI backend");
    }
    if (many && many->rank() != 0) {
        enum status status = many->serve(&layout, &error);
        whole_layout_close(&layout);
        return status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
    }
    struct whole_request ask = {
        .layout = &layout,
        .threads = options->threads ? options->threads : machine_cores(),
        .backend = many,
        .all = options->all,
        .guess = guess_value(engine, request),
        .stop = &cli_control()->stop,
        .progress = show_progress,
        .user = &board,
    };
    enum status status = many ? whole_solve(&ask, &solution, &error)
                              : solve_on(options, &ask, &solution, machine, sizeof machine, &error);
    if (many) {
        snprintf(machine, sizeof machine, "%s, %.3g GB read from others by the first", solution.machine,
                 solution.traffic / 1e9);
    }
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    struct printing printing = {options, request, &board, &solution, machine};
    if (status == STATUS_OK) {
        struct text text = TEXT_EMPTY;
        add_answer(&text, &printing);
        fputs(text_string(&text), stdout);
        text_free(&text);
    }
    whole_layout_close(&layout);
    return status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
}
