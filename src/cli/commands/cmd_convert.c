#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/number.h"
#include "cli/commands.h"
#include "formats/position.h"
#include "formats/records/records.h"
#include "formats/records/sgf.h"
#include "system/file.h"

#define MOST_INPUT ((size_t)64 << 20)

struct converting {
    const char *from;
    const char *to;
    const char *rules;
    int size;
    int record;
    const char *input;
    const char *output;                 /* "-": standard output */
    const struct record_format *source; /* NULL: positions of any game */
    const struct record_format *target; /* NULL: what `course` says, */
    const struct course_format *course; /* a course's file or sortie's own text */
    int variant;                        /* of --rules; -1: none given */
    unsigned lost;                      /* what the games have and the target does not hold */
    struct gametrees trees;
    struct text *texts; /* owned; what each game becomes */
    int count;
};

/* -- which formats -- */

/* The format a file's name ends in, or NULL. */
static const char *ending(const char *path) {
    const char *point = strrchr(path, '.');
    return point && !strchr(point, '/') ? point + 1 : NULL;
}

static int find_target(struct converting *job) {
    const char *name = job->to ? job->to : ending(job->output);
    job->target = name ? record_format_find(name) : NULL;
    job->course = name && !job->target ? course_format_find(name) : NULL;
    if (!job->to && !job->target) {
        return cli_usage("convert: expected --to NAME, or a file whose name ends in sgf, psq, lib, pos or offset");
    }
    if (!job->target && !job->course) {
        return cli_usage("convert: expected --to sgf, psq, lib, pos, offset, position, stake, sneak or laser, found "
                         "'%s'",
                         name);
    }
    return 0;
}

/* Says that the format was named or looks like a record of Gomoku. */
static const struct record_format *find_source(const struct converting *job, const char *bytes, size_t length) {
    if (job->from) {
        return record_format_find(job->from);
    }
    return position_game(bytes, length) ? NULL : record_format_look(bytes, length);
}

/* -- writing one -- */

static struct text *new_text(struct converting *job) {
    struct text *texts = realloc(job->texts, (size_t)(job->count + 1) * sizeof *texts);
    if (!texts) {
        return NULL;
    }
    job->texts = texts;
    texts[job->count] = TEXT_EMPTY;
    return &texts[job->count++];
}

/* A position as a course's input file, or in sortie's own text. */
static enum status write_position(const struct course_format *course, const struct game *game,
                                  const struct game_position *position, struct text *text, struct error *error) {
    ASSERT(course);
    if (!course->ask) {
        game->write(position, text);
        return STATUS_OK;
    }
    if (course->game != game || (course->variant >= 0 && course->variant != game->variant(position)) ||
        (course->only_size && course->only_size != game->size(position))) {
        return error_at(error, 0, 0, "a %s holds no such position", course->title);
    }
    if (game->over(position)) {
        return error_at(error, 0, 0, "expected a position with a move left, the game is over");
    }
    struct course_question question = {.task = 3, .depth = 3};
    question.seconds = course->clock.per_game > 0 ? course->clock.per_game : course->clock.per_move;
    course->ask(position, &question, text);
    return STATUS_OK;
}

/* The end of a game's first line as a position. */
static enum status write_end(struct converting *job, const struct gametree *tree, struct text *text,
                             struct error *error) {
    struct gomoku_position position;
    enum status status = gametree_position(tree, GOMOKU_FREESTYLE, &position, error);
    if (status != STATUS_OK) {
        return status;
    }
    return write_position(job->course, &gomoku_game, (const struct game_position *)&position, text, error);
}

static enum status write_game(struct converting *job, struct gametree *tree, struct error *error) {
    struct text *text = new_text(job);
    if (!text) {
        return error_machine(error, "out of memory");
    }
    unsigned holds = job->target ? job->target->holds : GAMETREE_SETUP | GAMETREE_RULES | GAMETREE_SIZE;
    job->lost |= gametree_contents(tree) & ~holds;
    return job->target ? job->target->write(tree, GOMOKU_FREESTYLE, text, error) : write_end(job, tree, text, error);
}

/* -- reading -- */

static enum status read_records(struct converting *job, const char *bytes, size_t length, struct error *error) {
    enum status status = job->source->read(&job->trees, bytes, length, job->size, error);
    if (status == STATUS_OK && job->record > job->trees.count) {
        return error_at(error, 0, 0, "expected game 1 to %d of the file, found %d", job->trees.count, job->record);
    }
    for (int i = 0; i < job->trees.count && status == STATUS_OK; i++) {
        struct gametree *tree = &job->trees.items[i];
        if (job->record && i != job->record - 1) {
            continue;
        }
        if (job->size && job->size != tree->size) {
            return error_at(error, 0, 0, "expected boards of %dx%d, found %dx%d", job->size, job->size, tree->size,
                            tree->size);
        }
        tree->rules = job->variant >= 0 ? job->variant : tree->rules;
        status = write_game(job, tree, error);
    }
    return status;
}

/* One position of a course's file or of a text of ours. */
static enum status take_position(struct converting *job, const struct course_request *request, struct error *error) {
    if (!job->target) {
        struct text *text = new_text(job);
        return text ? write_position(job->course, request->game, request->position, text, error)
                    : error_machine(error, "out of memory");
    }
    if (request->game != &gomoku_game) {
        return error_at(error, 0, 0, "expected a game of Gomoku, %s holds no other", job->target->title);
    }
    struct gametree *tree = gametrees_add(&job->trees);
    if (!tree || !gametree_take(tree, (const struct gomoku_position *)request->position)) {
        return gametrees_refuse(&job->trees, error);
    }
    return write_game(job, tree, error);
}

static enum status read_positions(struct converting *job, const char *bytes, size_t length, struct error *error) {
    const char *end = bytes + length;
    const char *at = bytes;
    const struct game *game = position_game(bytes, length);
    enum status status = STATUS_OK;
    int line = 0;
    int number = 0;
    do {
        const char *stop = game ? position_end(game, at, end) : end;
        struct course_request request;
        status = course_parse_any(at, (size_t)(stop - at), job->from, &request, error);
        if (status == STATUS_OK) {
            number++;
            status = !job->record || job->record == number ? take_position(job, &request, error) : STATUS_OK;
            course_request_free(&request);
        } else if (error->line > 0) {
            error->line += line;
        }
        for (; at < stop; at++) {
            line += *at == '\n';
        }
    } while (at < end && status == STATUS_OK);
    if (status == STATUS_OK && job->record > number) {
        return error_at(error, 0, 0, "expected game 1 to %d of the file, found %d", number, job->record);
    }
    return status;
}

static int convert(struct converting *job) {
    struct error error = {0};
    char *bytes;
    size_t length;
    enum status status = file_read(job->input, MOST_INPUT, &bytes, &length, &error);
    if (status != STATUS_OK) {
        return cli_fail(job->input, &error, status);
    }
    job->source = find_source(job, bytes, length);
    status = job->source ? read_records(job, bytes, length, &error) : read_positions(job, bytes, length, &error);
    free(bytes);
    for (int i = 0; i < job->count && status == STATUS_OK; i++) {
        status = job->texts[i].broken ? error_machine(&error, "out of memory") : STATUS_OK;
    }
    return status == STATUS_OK ? 0 : cli_fail(job->input, &error, status);
}

/* -- writing all -- */

/* One text to its file. */
static int put(const char *path, const struct text *text) {
    struct error error = {0};
    if (strcmp(path, "-") == 0) {
        fwrite(text_string(text), 1, text->length, stdout);
        return 0;
    }
    enum status status = file_write(path, text_string(text), text->length, &error);
    return status == STATUS_OK ? 0 : cli_fail(path, &error, status);
}

/* All games in one file. */
static int put_together(struct converting *job) {
    struct text whole = TEXT_EMPTY;
    for (int i = 0; i < job->count; i++) {
        text_add(&whole, text_string(&job->texts[i]), job->texts[i].length);
    }
    int exit_status = whole.broken ? cli_no_memory() : put(job->output, &whole);
    text_free(&whole);
    return exit_status;
}

/* A file for each game: game.psq becomes game-1.psq, game-2.psq, ... */
static int put_apart(struct converting *job) {
    ASSERT(job->target || job->course);
    if (strcmp(job->output, "-") == 0) {
        return cli_usage(
            "convert: a %s holds one game and there are %d: give --record NUMBER, or a file to name them by",
            job->target ? job->target->title : job->course->title, job->count);
    }
    const char *point = ending(job->output) ? ending(job->output) - 1 : job->output + strlen(job->output);
    int exit_status = 0;
    for (int i = 0; i < job->count && !exit_status; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.*s-%d%s", (int)(point - job->output), job->output, i + 1, point);
        exit_status = put(path, &job->texts[i]);
    }
    return exit_status;
}

/* Nothing is lost without a word. */
static void say_losses(const struct converting *job) {
    if (job->lost) {
        struct text words = TEXT_EMPTY;
        text_add_string(&words, "left out, the format has no place for it: ");
        record_add_losses(&words, job->lost);
        cli_warn(job->output, text_string(&words));
        text_free(&words);
    }
    bool latin = false;
    for (int i = 0; i < job->trees.count; i++) {
        latin = latin || job->trees.items[i].latin;
    }
    if (latin && job->target && strcmp(job->target->name, job->source->name) != 0) {
        cli_warn(job->input, "comments that are no UTF-8 were read as Latin-1");
    }
    if (job->source && job->source->sizeless && !job->size && !(job->target && job->target->sizeless)) {
        char size[80];
        number_format(size, sizeof size,
                      "the file does not say how large the board is; %dx%d taken, --size says another",
                      job->trees.items[0].size, job->trees.items[0].size);
        cli_warn(job->input, size);
    }
}

static int write_output(struct converting *job) {
    bool together =
        job->count == 1 || (job->target ? job->target->holds & GAMETREE_SEVERAL : job->course && !job->course->ask);
    int exit_status = together ? put_together(job) : put_apart(job);
    if (exit_status == 0) {
        say_losses(job);
    }
    return exit_status;
}

static int check_options(struct converting *job) {
    job->variant = job->rules ? sgf_rules(job->rules, strlen(job->rules)) : -1;
    if (job->rules && job->variant < 0) {
        return cli_usage("convert: expected --rules freestyle, exact, renju or caro, found '%s'", job->rules);
    }
    if (job->from && !record_format_find(job->from) && !course_format_find(job->from)) {
        return cli_usage("convert: expected a format in --from, found '%s'", job->from);
    }
    return find_target(job);
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct converting job = {.output = "-"};
    const struct cli_option table[] = {
        {"to", 't', CLI_STRING, &job.to, "NAME", "write NAME (default: what the output's name ends in)", 0, 0},
        {"from", 'f', CLI_STRING, &job.from, "NAME", "take the input as NAME (default: found by looking)", 0, 0},
        {"record", 0, CLI_INT, &job.record, "NUMBER", "only this game of a file that holds several", 0, 0},
        {"size", 's', CLI_INT, &job.size, "SIZE", "of the board, where pos and offset do not say it (default 15)",
         GOMOKU_LEAST_SIZE, GOMOKU_MOST_SIZE},
        {"rules", 0, CLI_STRING, &job.rules, "NAME", "the games are of these rules: freestyle, exact, renju, caro", 0,
         0},
        {0},
    };
    int count;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &count, &exit_status)) {
        return exit_status;
    }
    if (count < 1 || count > 2) {
        return cli_usage("convert: expected a file to read and at most one to write, found %d", count);
    }
    job.input = argv[0];
    job.output = count > 1 ? argv[1] : "-";
    exit_status = check_options(&job);
    exit_status = exit_status ? exit_status : convert(&job);
    exit_status = exit_status ? exit_status : write_output(&job);
    for (int i = 0; i < job.count; i++) {
        text_free(&job.texts[i]);
    }
    free(job.texts);
    gametrees_free(&job.trees);
    return exit_status;
}

const struct cli_command cli_convert = {
    .name = "convert",
    .summary = "turn game records and positions into other formats",
    .usage = "IN [OUT] [--to NAME]",
    .details =
        "Reads games of Gomoku as sgf (SGF), psq (Piskvork), lib (RenLib), pos (h8i9j8, a game a line) or offset\n"
        "(Gomocup's openings, a game a line), and writes them as any of these. Positions of all games are read\n"
        "and written as position (sortie's own text) and as their course's file: stake, sneak, laser. IN and OUT\n"
        "may be - for standard input and output, which is the default of OUT.\n"
        "\n"
        "Several games go into one file where the format holds several (sgf, pos, offset, position); otherwise\n"
        "into files with a number behind the name. What the format does not hold is left out, which is said.\n",
    .example = "  printf 'h8i9j8\\ng7h8\\n' | sortie convert - --to sgf\n"
               "  printf 'gomoku exact 15\\nH8 I9 J8\\n' | sortie convert - game.psq\n",
    .run = run,
};
