#include "cli/book/book_extend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/stopwatch.h"
#include "engine/engine.h"
#include "formats/course.h"
#include "formats/records/records.h"
#include "games/gomoku/openings/file.h"
#include "games/gomoku/openings/grow.h"
#include "system/file.h"

#define SAVE_SECONDS 2.0 /* between two savings, at least */
#define MOST_IMPORT ((size_t)64 << 20)
#define DRAWN_TILT 150     /* of a drawn opening by the evaluation, at most */
#define GLANCED_TILT 30    /* and by a short search */
#define SHARE_OF_GLANCE 10 /* a short search has this part of the nodes of a long one */
#define LEAST_GLANCE 20000
#define EVEN_TILT 16    /* what is even for swap2: as in openings/choose.c */
#define PAIRS 2         /* answers of two stones to each even opening */
#define MOST_DRAWS 3000 /* before the search for openings is given up */

/* The work under way. */
struct job {
    const struct book_extension *extension;
    struct openings book;
    struct engine *engine;
    struct rng rng;
    double begun;
    double saved; /* when the file was written last */
    bool unsaved;
    int searches;
    struct error error;
};

int book_read_file(const char *file, struct openings *book) {
    struct error error = {0};
    char *bytes;
    size_t length;
    enum status status = file_read(file, OPENINGS_MOST_BYTES, &bytes, &length, &error);
    if (status == STATUS_OK) {
        status = openings_parse(bytes, length, book, &error);
        free(bytes);
    }
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

/* Writes the book beside the file and renames it. */
static enum status save(struct job *job) {
    struct text text = TEXT_EMPTY;
    openings_write(&job->book, &text);
    enum status status = text.broken || job->book.comment.broken
                             ? error_machine(&job->error, "out of memory")
                             : file_write(job->extension->file, text_string(&text), text.length, &job->error);
    text_free(&text);
    job->saved = clock_wall();
    job->unsaved = false;
    return status;
}

/* Whether it shall end: interrupted, or a limit of the whole is reached. */
static bool is_over(const struct job *job) {
    const struct book_extension *extension = job->extension;
    return cli_interrupted() || (extension->seconds > 0 && clock_wall() - job->begun >= extension->seconds) ||
           (extension->count > 0 && job->searches >= extension->count);
}

static void show_progress(const struct job *job, const struct gomoku_position *board, const char *doing) {
    if (!cli_shows_progress()) {
        return;
    }
    struct text text = TEXT_EMPTY;
    struct openings_position folded;
    openings_fold(board, &folded);
    text_addf(&text, "%zu positions, %d searched, %.0f s: %s ", job->book.count, job->searches,
              clock_wall() - job->begun, doing);
    openings_write_squares(&folded, &text);
    cli_progress(text_string(&text));
    text_free(&text);
}

/* The values of the last two depths of a search. */
struct depths {
    int depth;
    int value[2];
};

static void take_depth(void *user, const struct search_result *report) {
    struct depths *last = user;
    if (report->depth > last->depth) {
        last->value[1] = last->depth ? last->value[0] : (int)report->value;
        last->depth = report->depth;
    }
    last->value[0] = (int)report->value;
}

/* Searches a board; STATUS_OK with a result that is whole, or none when interrupted (depth below 0). */
static enum status search(struct job *job, const struct gomoku_position *board, const struct search_limits *limits,
                          struct search_result *result) {
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = *limits};
    struct depths last = {0};
    engine_clear(job->engine); /* what is found does not depend on what was searched before, nor on an interruption */
    cli_control()->info = take_depth;
    cli_control()->user = &last;
    enum status status = engine_go(job->engine, &gomoku_game, (const struct game_position *)board, &request,
                                   cli_control(), result, &job->error);
    cli_control()->info = NULL;
    if (status == STATUS_OK && last.depth > 1 && abs((int)result->value) < OPENINGS_DECIDED &&
        abs(last.value[1]) < OPENINGS_DECIDED) {
        result->value = (result->value + last.value[1]) / 2; /* odd depths flatter whoever begins */
    }
    result->depth = cli_interrupted() ? -1 : result->depth;
    return status;
}

/* -- what is to be in the book -- */

static enum status want(struct job *job, const struct gomoku_position *board, bool *added) {
    if (!openings_want(&job->book, board, added)) {
        return error_machine(&job->error, "out of memory");
    }
    job->unsaved = job->unsaved || *added;
    return STATUS_OK;
}

/* All first stones of the board that are no images of each other. */
static enum status want_stones(struct job *job) {
    enum status status = STATUS_OK;
    int size = job->extension->size;
    for (int square = 0; square < size * size && status == STATUS_OK; square++) {
        struct gomoku_position board;
        bool added;
        gomoku_clear(&board, size, job->extension->variant);
        gomoku_put(&board, square);
        status = want(job, &board, &added);
    }
    return status;
}

/* How many positions have so many stones and are even, or may be since they are not searched yet; with `inside`: among
 * those that have all its stones when turned in some way. */
static int count_even(const struct job *job, int stones, const struct openings_position *inside) {
    int count = 0;
    for (size_t i = 0; i < job->book.count; i++) {
        const struct openings_position *position = &job->book.positions[i];
        bool even = position->move_count == 0 || abs(position->worth) <= EVEN_TILT;
        count += even && position->stones == stones && position->size == job->extension->size &&
                 position->variant == job->extension->variant && (!inside || openings_contains(position, inside));
    }
    return count;
}

/* Draws `stones` more on a board until a short search finds it even, and wants that. */
static enum status want_even(struct job *job, const struct gomoku_position *board, int stones) {
    struct search_limits glance = {.nodes = job->extension->search.nodes / SHARE_OF_GLANCE};
    glance.nodes = glance.nodes > LEAST_GLANCE ? glance.nodes : LEAST_GLANCE;
    for (int i = 0; i < MOST_DRAWS && !is_over(job); i++) {
        struct gomoku_position drawn;
        struct search_result result;
        bool added = false;
        openings_draw(&job->rng, board, stones, &drawn);
        if (drawn.winner != GOMOKU_NO_WINNER ||
            abs((int)gomoku_evaluate((const struct game_position *)&drawn)) > DRAWN_TILT) {
            continue;
        }
        show_progress(job, &drawn, "glancing at");
        enum status status = search(job, &drawn, &glance, &result);
        if (status == STATUS_OK && result.depth >= 0 && abs((int)result.value) <= GLANCED_TILT) {
            status = want(job, &drawn, &added);
        }
        if (added || status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

/* Sees to it that there are even openings for swap2, and even answers of two stones to each that is. */
static enum status want_openings(struct job *job) {
    struct gomoku_position empty;
    enum status status = STATUS_OK;
    gomoku_clear(&empty, job->extension->size, job->extension->variant);
    while (status == STATUS_OK && !is_over(job) && count_even(job, 3, NULL) < job->extension->openings) {
        size_t before = job->book.count;
        status = want_even(job, &empty, 3);
        if (job->book.count == before) {
            break;
        }
    }
    for (size_t i = 0; i < job->book.count && status == STATUS_OK && !is_over(job); i++) {
        struct openings_position position = job->book.positions[i];
        struct gomoku_position board;
        if (position.stones == 3 && position.move_count > 0 && abs(position.worth) <= EVEN_TILT &&
            position.size == job->extension->size && position.variant == job->extension->variant &&
            count_even(job, 5, &position) < PAIRS) {
            openings_play(&position, &board);
            status = want_even(job, &board, 2); /* what is put behind this one does not move it */
        }
    }
    return status;
}

/* -- positions of others -- */

/* The squares from a game's first move to a node, the first one first; how many, or -1 where the line is no game. */
static int trace(const struct gametree *tree, uint32_t node, int most, int *squares) {
    int count = 0;
    for (uint32_t at = node; at != 0; at = tree->nodes[at].parent) {
        if (tree->nodes[at].colour == 0) {
            continue;
        }
        if (count >= most || tree->nodes[at].square < 0) {
            return -1;
        }
        squares[count++] = tree->nodes[at].square;
    }
    for (int i = 0; i < count / 2; i++) {
        int square = squares[i];
        squares[i] = squares[count - 1 - i];
        squares[count - 1 - i] = square;
    }
    return count;
}

/* Wants every position of a game and its variations that has few enough stones. */
static enum status want_tree(struct job *job, const struct gametree *tree) {
    enum status status = STATUS_OK;
    int variant = tree->rules >= 0 ? tree->rules : job->extension->variant;
    for (uint32_t node = 1; node < tree->node_count && status == STATUS_OK; node++) {
        int squares[OPENINGS_MOST_STONES];
        int count = trace(tree, node, job->extension->most_stones, squares);
        struct gomoku_position board;
        bool added;
        gomoku_clear(&board, tree->size, variant);
        for (int i = 0; i < count; i++) {
            if (squares[i] >= tree->size * tree->size || board.board[squares[i]] != GOMOKU_EMPTY ||
                board.winner != GOMOKU_NO_WINNER) {
                count = -1;
            } else {
                gomoku_put(&board, squares[i]);
            }
        }
        if (count > 0 && board.winner == GOMOKU_NO_WINNER) {
            status = want(job, &board, &added);
        }
    }
    return status;
}

/* A file of games, or one position with the moves that led there. */
static enum status want_import(struct job *job, const char *bytes, size_t length) {
    const struct record_format *format = record_format_look(bytes, length);
    struct gametrees trees = {0};
    enum status status;
    if (format) {
        status = format->read(&trees, bytes, length, 0, &job->error);
    } else {
        struct course_request request;
        status = course_parse_any(bytes, length, NULL, &request, &job->error);
        if (status == STATUS_OK && request.game != &gomoku_game) {
            status = error_at(&job->error, 0, 0, "expected games of Gomoku");
            course_request_free(&request);
        } else if (status == STATUS_OK) {
            struct gametree *tree = gametrees_add(&trees);
            if (!tree || !gametree_take(tree, (const struct gomoku_position *)request.position)) {
                status = gametrees_refuse(&trees, &job->error);
            }
            course_request_free(&request);
        }
    }
    for (int i = 0; i < trees.count && status == STATUS_OK; i++) {
        status = want_tree(job, &trees.items[i]);
    }
    gametrees_free(&trees);
    return status;
}

/* Reads the file of other openings before anything is searched; the exit status. */
static int import(struct job *job) {
    char *bytes;
    size_t length;
    const char *file = job->extension->import;
    enum status status = file_read(file, MOST_IMPORT, &bytes, &length, &job->error);
    if (status == STATUS_OK) {
        status = want_import(job, bytes, length);
        free(bytes);
    }
    return status == STATUS_OK ? 0 : cli_fail(file, &job->error, status);
}

/* -- searching -- */

/* One search and its place in the book. */
static enum status take_step(struct job *job, const struct openings_step *step) {
    struct gomoku_wishes wishes = {.closed = step->widen ? step->closed : NULL};
    struct search_limits limits = job->extension->search;
    struct search_result result;
    limits.wishes = &wishes;
    show_progress(job, &step->board, step->widen ? "another move of" : "searching");
    enum status status = search(job, &step->board, &limits, &result);
    if (status != STATUS_OK || result.depth < 0) {
        return status;
    }
    job->searches++;
    job->unsaved = true;
    if (!openings_learn(&job->book, step, &result)) {
        return error_machine(&job->error, "out of memory");
    }
    bool due = clock_wall() - job->saved > SAVE_SECONDS && file_is_replaced(job->extension->file);
    return due ? save(job) : STATUS_OK;
}

static enum status extend(struct job *job) {
    enum status status = job->extension->stones ? want_stones(job) : STATUS_OK;
    struct openings_step *step = malloc(sizeof *step);
    if (!step) {
        return error_machine(&job->error, "out of memory");
    }
    if (status == STATUS_OK && job->extension->openings > 0) {
        status = want_openings(job);
    }
    while (status == STATUS_OK && !is_over(job) && openings_next(&job->book, job->extension->most_stones, step)) {
        status = take_step(job, step);
    }
    free(step);
    return status;
}

/* What the book begins as: what is in the file, or nothing. */
static int open_book(struct job *job) {
    const char *file = job->extension->file;
    enum status status = file_check(file, &job->error);
    if (status != STATUS_OK) {
        return cli_fail(file, &job->error, status);
    }
    if (access(file, F_OK) == 0 && file_is_replaced(file)) {
        return book_read_file(file, &job->book);
    }
    text_addf(&job->book.comment, "# made by sortie %s: `sortie book --extend`\n", SORTIE_VERSION);
    return 0;
}

int book_extend(const struct book_extension *extension) {
    struct job job = {.extension = extension, .rng = {extension->seed}, .begun = clock_wall()};
    int exit_status = open_book(&job);
    if (exit_status == 0 && extension->import) {
        exit_status = import(&job);
    }
    if (exit_status != 0) {
        openings_free(&job.book);
        return exit_status;
    }
    job.saved = job.begun;
    job.engine = engine_new(&extension->options);
    enum status status = job.engine ? extend(&job) : error_machine(&job.error, "out of memory");
    if (status == STATUS_OK && (job.unsaved || access(extension->file, F_OK) != 0)) {
        status = save(&job);
    }
    cli_progress(NULL);
    if (status != STATUS_OK) {
        exit_status = cli_fail(extension->file, &job.error, status);
    } else {
        struct clean_line name;
        printf("%s: %zu positions, %d searched now, digest %016llx\n", clean_string(&name, extension->file),
               job.book.count, job.searches, (unsigned long long)job.book.digest);
        bool endless = extension->seconds <= 0 && extension->count <= 0;
        exit_status = cli_interrupted() && !endless ? CLI_INTERRUPTED : 0;
    }
    engine_free(job.engine);
    openings_free(&job.book);
    return exit_status;
}
