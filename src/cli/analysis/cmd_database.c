/* sortie database: what analysis has kept, to be looked at, annotated, pruned, merged, and exchanged with other
 * programs by their own files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tree.h"
#include "analysis/walk.h"
#include "base/number.h"
#include "cli/analysis/database.h"
#include "cli/commands.h"
#include "formats/records/records.h"
#include "formats/records/sgf.h"
#include "games/gomoku/rules/gomoku.h"
#include "system/file.h"

#define MOST_INPUT ((size_t)64 << 20)
#define LOOK_EVERY 1000 /* positions of a long walk, between two looks at the keyboard */

static bool watch(void *user, int64_t done) {
    const struct database_job *job = user;
    if (done % LOOK_EVERY == 0 && cli_shows_progress()) {
        char line[80];
        number_format(line, sizeof line, "%s: %lld positions", job->doing, (long long)done);
        cli_progress(line);
    }
    return cli_interrupted();
}

/* -- changing a position -- */

/* "H8=A", and texts that are not too long, before the database is touched. */
static int check_change(struct database_job *job) {
    if (job->comment && strlen(job->comment) > ANALYSIS_MOST_TEXT) {
        return cli_usage("database: expected a comment of at most %zu bytes", ANALYSIS_MOST_TEXT);
    }
    if (job->label && strlen(job->label) > ANALYSIS_MOST_LABEL) {
        return cli_usage("database: expected a label of at most %d bytes", ANALYSIS_MOST_LABEL);
    }
    if (!job->mark) {
        return 0;
    }
    const char *equals = strchr(job->mark, '=');
    bool board = job->request.game == &gomoku_game;
    int size = board ? gomoku_const(job->request.position)->size : 0;
    job->mark_square = board && equals ? gomoku_parse_square(size, job->mark, (size_t)(equals - job->mark)) : -1;
    if (job->mark_square < 0 || strlen(equals + 1) > ANALYSIS_MOST_LABEL) {
        return cli_usage("database: expected --mark SQUARE=TEXT with a square of a Gomoku board and at most %d bytes, "
                         "found '%.80s'",
                         ANALYSIS_MOST_LABEL, job->mark);
    }
    job->mark_text = equals + 1;
    return 0;
}

static enum status change(struct database_job *job, struct error *error) {
    const struct game *game = job->request.game;
    const struct game_position *position = job->request.position;
    enum status status = STATUS_OK;
    if (job->comment) {
        status =
            analyses_write(job->analyses, game, position, ANALYSIS_COMMENT, job->comment, strlen(job->comment), error);
    }
    if (status == STATUS_OK && job->label) {
        status = analyses_write(job->analyses, game, position, ANALYSIS_LABEL, job->label, strlen(job->label), error);
    }
    return status == STATUS_OK && job->mark
               ? analyses_mark(job->analyses, position, job->mark_square, job->mark_text, strlen(job->mark_text), error)
               : status;
}

static int change_position(struct database_job *job) {
    struct error error = {0};
    enum status status = analyses_begin(job->analyses, &error);
    if (status == STATUS_OK) {
        status = analyses_end(job->analyses, change(job, &error), &error);
    }
    return status == STATUS_OK ? 0 : database_fail(job, &error, status);
}

static int delete_position(struct database_job *job) {
    struct error error = {0};
    struct analyses_watch look = {watch, job};
    int64_t behind = 0;
    bool gone = false;
    enum status status = STATUS_OK;
    job->doing = "looking";
    if (job->prune) {
        status =
            analyses_prune(job->analyses, job->request.game, job->request.position, NULL, NULL, &look, &behind, &error);
    }
    if (status == STATUS_OK && job->delete) {
        status = analyses_delete(job->analyses, job->request.game, job->request.position, &gone, &error);
    }
    if (status != STATUS_OK) {
        return database_fail(job, &error, status);
    }
    cli_progress(NULL);
    long long forgotten = (long long)behind + gone;
    printf("%lld position%s forgotten\n", forgotten, forgotten == 1 ? "" : "s");
    return 0;
}

/* -- files of other programs -- */

/* Reads a recorded game before the database is touched. */
static int read_import(struct database_job *job) {
    struct error error = {0};
    char *bytes;
    size_t length;
    enum status status = file_read(job->import, MOST_INPUT, &bytes, &length, &error);
    if (status != STATUS_OK) {
        return cli_fail(job->import, &error, status);
    }
    const struct record_format *format =
        job->source.format ? record_format_find(job->source.format) : record_format_look(bytes, length);
    status = format ? format->read(&job->trees, bytes, length, job->size, &error)
                    : error_at(&error, 0, 0, "expected a recorded game: sgf, psq, lib, pos or offset");
    free(bytes);
    if (status == STATUS_OK && job->source.record > job->trees.count) {
        status =
            error_at(&error, 0, 0, "expected game 1 to %d of the file, found %d", job->trees.count, job->source.record);
    }
    job->played = format && strcmp(format->name, "lib") != 0;
    return status == STATUS_OK ? 0 : cli_fail(job->import, &error, status);
}

static int import(struct database_job *job) {
    struct error error = {0};
    struct analysis_import counts = {0};
    struct analyses_watch look = {watch, job};
    job->doing = "reading";
    enum status status = analyses_begin(job->analyses, &error);
    bool begun = status == STATUS_OK;
    for (int i = 0; i < job->trees.count && status == STATUS_OK; i++) {
        struct gametree *tree = &job->trees.items[i];
        if (job->source.record && job->source.record != i + 1) {
            continue;
        }
        tree->rules = job->rules ? job->variant : tree->rules;
        status = analyses_import(job->analyses, tree, job->variant, job->played, &look, &counts, &error);
    }
    status = begun ? analyses_end(job->analyses, status, &error) : status;
    cli_progress(NULL);
    if (status != STATUS_OK) {
        int exit_status = cli_fail(job->import, &error, status);
        return cli_interrupted() ? CLI_INTERRUPTED : exit_status;
    }
    printf("%lld moves read: %lld values, %lld comments, %lld marks and labels, %lld games kept\n",
           (long long)counts.nodes, (long long)counts.values, (long long)counts.comments, (long long)counts.marks,
           (long long)counts.games);
    if (counts.forbidden > 0) {
        char line[120];
        number_format(line, sizeof line, "%lld moves are none by the rules; left out, with what follows them",
                      (long long)counts.forbidden);
        cli_warn(job->import, line);
    }
    return 0;
}

/* The board whose positions a database holds, and of how many kinds they are. */
struct kinds {
    char only[64];
    int count;
};

static void take_kind(void *user, const char *board, size_t length, int64_t count) {
    struct kinds *kinds = user;
    (void)count;
    kinds->count++;
    number_format(kinds->only, sizeof kinds->only, "%.*s", (int)(length < 60 ? length : 60), board);
}

/* The empty board of --rules and --size, or of all there is in the database. */
static enum status usual_root(struct database_job *job, struct gomoku_position *root, struct error *error) {
    struct kinds kinds = {0};
    if (job->rules || job->size) {
        gomoku_clear(root, job->size ? job->size : GAMETREE_USUAL_SIZE, job->variant);
        return STATUS_OK;
    }
    enum status status = analyses_boards(job->analyses, take_kind, &kinds, error);
    struct reader reader;
    reader_init(&reader, kinds.only, strlen(kinds.only));
    if (status == STATUS_OK &&
        (kinds.count != 1 || gomoku_game.read((struct game_position *)root, &reader, NULL) != STATUS_OK)) {
        return error_at(
            error, 0, 0,
            "expected a position, or --rules and --size of the board to export: it holds %d kinds of boards",
            kinds.count);
    }
    return status;
}

static enum status export_tree(struct database_job *job, const struct record_format *format, struct text *text,
                               int64_t *positions, struct error *error) {
    struct gomoku_position root;
    struct gametrees trees = {0};
    struct analyses_watch look = {watch, job};
    enum status status = STATUS_OK;
    if (job->position && job->request.game != &gomoku_game) {
        return error_at(error, 0, 0, "expected a position of Gomoku, no other game is exported");
    }
    if (job->position) {
        root = *gomoku_const(job->request.position);
    } else {
        status = usual_root(job, &root, error);
    }
    if (status == STATUS_OK) {
        status = analyses_export(job->analyses, &root, &trees, &look, positions, error);
    }
    if (status == STATUS_OK) {
        unsigned lost = gametree_contents(&trees.items[0]) & ~format->holds;
        status = format->write(&trees.items[0], root.variant, text, error);
        if (status == STATUS_OK && lost) {
            struct text words = TEXT_EMPTY;
            text_add_string(&words, "left out, the format has no place for it: ");
            record_add_losses(&words, lost);
            cli_progress(NULL);
            cli_warn(job->export, text_string(&words));
            text_free(&words);
        }
    }
    gametrees_free(&trees);
    return status == STATUS_OK && text->broken ? error_machine(error, "out of memory") : status;
}

static int export(struct database_job *job) {
    struct error error = {0};
    struct text text = TEXT_EMPTY;
    int64_t positions = 0;
    const char *point = strrchr(job->export, '.');
    const struct record_format *format = job->source.format && !job->position ? record_format_find(job->source.format)
                                         : point                              ? record_format_find(point + 1)
                                                                              : NULL;
    if (!format) {
        return cli_usage("database: expected --export a file whose name ends in sgf, lib, psq, pos or offset, found "
                         "'%s'",
                         job->export);
    }
    job->doing = "writing";
    enum status status = export_tree(job, format, &text, &positions, &error);
    if (status != STATUS_OK) {
        text_free(&text);
        return database_fail(job, &error, status);
    }
    status = file_write(job->export, text_string(&text), text.length, &error);
    text_free(&text);
    cli_progress(NULL);
    if (status != STATUS_OK) {
        return cli_fail(job->export, &error, status);
    }
    printf("%lld moves written\n", (long long)positions);
    return 0;
}

/* Opens the other database before this one is made. */
static int open_merge(struct database_job *job) {
    struct error error = {0};
    enum status status = analyses_open(&job->others, job->merge, ANALYSES_READ, &error);
    return status == STATUS_OK ? 0 : cli_fail(job->merge, &error, status);
}

static int merge(struct database_job *job) {
    struct error error = {0};
    int64_t added = 0;
    int64_t changed = 0;
    enum status status = analyses_merge(job->analyses, job->others, &added, &changed, &error);
    if (status != STATUS_OK) {
        return cli_fail(job->merge, &error, status);
    }
    printf("%lld positions are new, %lld know more\n", (long long)added, (long long)changed);
    return 0;
}

/* -- the command -- */

static bool changes_position(const struct database_job *job) {
    return job->comment || job->label || job->mark;
}

static int check(struct database_job *job, int count, char **argv) {
    if (count < 1 || count > 2) {
        return cli_usage("database: expected a database and at most one position, found %d files", count);
    }
    job->path = argv[0];
    job->position = count > 1 ? argv[1] : NULL;
    int doings = (job->import != NULL) + (job->export != NULL) + (job->merge != NULL) + changes_position(job) +
                 (job->delete || job->prune);
    if (doings > 1) {
        return cli_usage("database: expected one thing to do at a time");
    }
    if ((changes_position(job) || job->delete || job->prune) && !job->position) {
        return cli_usage("database: expected a position behind the database");
    }
    if ((job->import || job->merge) && job->position) {
        return cli_usage("database: expected no position beside --%s, found '%s'", job->import ? "import" : "merge",
                         job->position);
    }
    job->variant = job->rules ? sgf_rules(job->rules, strlen(job->rules)) : GOMOKU_FREESTYLE;
    if (job->variant < 0) {
        return cli_usage("database: expected --rules freestyle, exact, renju or caro, found '%s'", job->rules);
    }
    return 0;
}

static int do_it(struct database_job *job) {
    return job->import                 ? import(job)
           : job->export               ? export(job)
           : job->merge                ? merge(job)
           : changes_position(job)     ? change_position(job)
           : job->delete || job->prune ? delete_position(job)
           : job->position             ? database_show_position(job)
                                       : database_show_all(job);
}

/* Everything that can be wrong is found before the database is opened, and perhaps made. */
static int prepare(struct database_job *job) {
    int exit_status = 0;
    if (job->position) {
        exit_status = cli_read_request(job->position, &job->source, true, &job->request);
    }
    if (exit_status == 0 && changes_position(job)) {
        exit_status = check_change(job);
    }
    if (exit_status == 0 && job->import) {
        exit_status = read_import(job);
    }
    return exit_status == 0 && job->merge ? open_merge(job) : exit_status;
}

static int open_and_do(struct database_job *job) {
    struct error error = {0};
    bool makes = job->import || job->merge || changes_position(job);
    enum analyses_mode mode = makes ? ANALYSES_MAKE : job->delete || job->prune ? ANALYSES_CHANGE : ANALYSES_READ;
    cli_control();
    enum status status = analyses_open(&job->analyses, job->path, mode, &error);
    if (status != STATUS_OK) {
        return cli_fail(job->path, &error, status);
    }
    int exit_status = do_it(job);
    analyses_close(job->analyses);
    return exit_status;
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct database_job job = {0};
    const struct cli_option table[] = {
        {"import", 'i', CLI_STRING, &job.import, "FILE",
         "take over a recorded game or tree: sgf, lib, psq, pos, offset", 0, 0},
        {"export", 'e', CLI_STRING, &job.export, "FILE", "write what lies behind the position: .sgf, .lib, .psq, .pos",
         0, 0},
        {"merge", 'm', CLI_STRING, &job.merge, "FILE", "take over what another database knows better", 0, 0},
        {"comment", 'c', CLI_STRING, &job.comment, "TEXT", "write a comment to the position; '' takes it away", 0, 0},
        {"label", 'l', CLI_STRING, &job.label, "TEXT", "give the position a label", 0, 0},
        {"mark", 0, CLI_STRING, &job.mark, "SQUARE=TEXT", "write on a square of it", 0, 0},
        {"delete", 0, CLI_FLAG, &job.delete, NULL, "forget the position", 0, 0},
        {"prune", 0, CLI_FLAG, &job.prune, NULL, "forget what only leads on from it", 0, 0},
        {"rules", 0, CLI_STRING, &job.rules, "NAME", "of --import and --export: freestyle, exact, renju, caro", 0, 0},
        {"size", 's', CLI_INT, &job.size, "SIZE", "of the board, where a file does not say it", GOMOKU_LEAST_SIZE,
         GOMOKU_MOST_SIZE},
        {"json", 0, CLI_FLAG, &job.json, NULL, "print JSON", 0, 0},
        CLI_SOURCE_OPTIONS(job.source),
        {0},
    };
    int count;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &count, &exit_status) || (exit_status = check(&job, count, argv)) != 0) {
        return exit_status;
    }
    exit_status = prepare(&job);
    exit_status = exit_status ? exit_status : open_and_do(&job);
    analyses_close(job.others);
    gametrees_free(&job.trees);
    course_request_free(&job.request);
    return exit_status;
}

const struct cli_command cli_database = {
    .name = "database",
    .summary = "look into a database of analysed positions, and change it",
    .usage = "DATABASE [POSITION] [--import FILE | --export FILE | --merge FILE | --comment TEXT | --delete ...]",
    .details =
        "A database keeps what 'sortie analyze --database' and the boards of pbrain-sortie have found: for each\n"
        "position its value, depth, nodes and best line, beside comments, labels, texts on squares and how many\n"
        "recorded games went through it. A position of Gomoku is found whichever way the board is turned, and in\n"
        "whatever order its stones were played.\n"
        "\n"
        "Without a position it tells how much there is. With one (a file, or - for standard input) it shows what\n"
        "is known of it and of each move there; values are those of the side to move. A deeper or proved value is\n"
        "never replaced by a shallower one. --import takes over games and trees of RenLib, Piskvork and SGF with\n"
        "their comments, --export writes them, the best moves first. --prune spares what other known positions\n"
        "lead to; with --delete it takes the position too.\n",
    .example = "  printf '(;GM[4]SZ[15];B[hh]C[the middle];W[ii])' >game.sgf\n"
               "  sortie database my.db --import game.sgf\n"
               "  printf 'gomoku freestyle 15\\nH8\\n' | sortie database my.db - --label good\n"
               "  printf 'gomoku freestyle 15\\n' | sortie database my.db -\n"
               "  sortie database my.db --export tree.lib\n",
    .run = run,
};
