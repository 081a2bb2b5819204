#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/commands.h"
#include "engine/engine.h"
#include "formats/swapmap.h"
#include "games/gomoku/gomoku.h"

#define MOST_BYTES ((size_t)1 << 16)
#define GAMES_A_UNIT 4
#define MOST_GAMES 10000
#define MOST_JOBS 256
/* A game that lasts so long is called a draw: neither side gets through any more. */
#define LONGEST_GAME 150
/* Values beyond this say that the game is decided. */
#define DECIDED (GAME_WIN_VALUE - 1000)

struct settings {
    struct search_limits search; /* of the stone's value */
    int games;
    uint64_t nodes; /* a move in those games */
    size_t hash_bytes;
    int jobs;
};

/* The work is cut into units of a few seconds each: one search of a square's value, or a few games from it. */
struct unit {
    int index;
    int first_game; /* -1: the search */
    int games;
};

#define MOST_UNITS (GOMOKU_SWAP_SQUARES * (MOST_GAMES / GAMES_A_UNIT + 2))

struct work {
    struct settings settings;
    struct swapmap map; /* what the file holds; a square changes there when all its units are done */
    struct swapmap_entry open[GOMOKU_SWAP_SQUARES];
    int units_left[GOMOKU_SWAP_SQUARES];
    struct unit *units; /* owned */
    int unit_count;
    int next; /* unit to hand out */
    const char *file;
    enum status status;
    struct error error;
    pthread_mutex_t lock;
};

static enum status save(const char *file, const struct text *text, struct error *error) {
    return text->broken ? error_machine(error, "out of memory")
                        : file_write(file, text_string(text), text->length, error);
}

static enum status save_map(struct work *work) {
    struct text text = TEXT_EMPTY;
    swapmap_write(&work->map, &text);
    enum status status = save(work->file, &text, &work->error);
    text_free(&text);
    return status;
}

/* One game of the engine with itself from the lone stone; 1, 0, -1 for the owner of the stone. Each game has a
 * different number of nodes a move, which is enough to make it a different game. */
static int play_game(struct engine *engine, const struct settings *settings, int square, int game) {
    struct gomoku_position position;
    gomoku_clear(&position, GOMOKU_SWAP_SIZE, GOMOKU_FREESTYLE);
    gomoku_put(&position, square);
    struct engine_request request = {.method = SEARCH_ENGINE};
    request.limits.nodes = settings->nodes + settings->nodes * (uint64_t)(game * 37 % 1000) / 1000;
    engine_clear(engine);
    while (position.winner == GOMOKU_NO_WINNER && position.count < LONGEST_GAME && !cli_interrupted()) {
        struct search_result result;
        int owner_moves = position.count % 2 == 0 ? 1 : -1;
        if (engine_go(engine, &gomoku_game, (const struct game_position *)&position, &request, cli_control(), &result,
                      NULL) != STATUS_OK) {
            return 0;
        }
        if (result.value > DECIDED || result.value < -DECIDED) {
            return result.value > 0 ? owner_moves : -owner_moves;
        }
        gomoku_put(&position, (int)result.move);
    }
    return position.winner == GOMOKU_X ? 1 : position.winner == GOMOKU_O ? -1 : 0;
}

/* The values of the last two depths. */
struct last_values {
    int depth;
    game_score value[2]; /* the newest first */
    const atomic_bool *interrupt;
    struct search_control *control;
};

static void on_info(void *user, const struct search_result *report) {
    struct last_values *last = user;
    if (report->depth > last->depth) {
        last->value[1] = last->depth ? last->value[0] : report->value;
        last->depth = report->depth;
    }
    last->value[0] = report->value;
    if (atomic_load(last->interrupt)) {
        atomic_store(&last->control->stop, true);
    }
}

/* The value of the lone stone for its owner. A search of odd depth gives the first mover one move more than its
 * opponent and an even one does not, which is worth more than most squares are; the mean of two depths is free of it.
 */
static void search_value(struct engine *engine, const struct settings *settings, int square,
                         struct swapmap_entry *entry) {
    struct gomoku_position position;
    struct search_result result = {0};
    struct engine_request request = {.method = SEARCH_ENGINE, .limits = settings->search};
    struct search_control control = {.info = on_info};
    struct last_values last = {.interrupt = &cli_control()->stop, .control = &control};
    control.user = &last;
    gomoku_clear(&position, GOMOKU_SWAP_SIZE, GOMOKU_FREESTYLE);
    gomoku_put(&position, square);
    engine_clear(engine);
    engine_go(engine, &gomoku_game, (const struct game_position *)&position, &request, &control, &result, NULL);
    entry->value = last.depth ? -(last.value[0] + last.value[1]) / 2 : -(int)result.value;
    entry->depth = result.depth;
    entry->nodes = result.nodes;
}

/* Does one unit and puts what came out into *part. */
static void do_unit(struct engine *engine, const struct settings *settings, const struct unit *unit,
                    struct swapmap_entry *part) {
    int square = gomoku_swap_square(unit->index);
    if (unit->first_game < 0) {
        search_value(engine, settings, square, part);
    }
    for (int i = 0; i < unit->games; i++) {
        int outcome = play_game(engine, settings, square, unit->first_game + i);
        part->won += outcome > 0;
        part->drawn += outcome == 0;
        part->lost += outcome < 0;
    }
}

/* Takes the finished unit in; the lock is held. */
static void finish_unit(struct work *work, const struct unit *unit, const struct swapmap_entry *part) {
    int index = unit->index;
    struct swapmap_entry *entry = &work->open[index];
    if (unit->first_game < 0) {
        entry->value = part->value;
        entry->depth = part->depth;
        entry->nodes = part->nodes;
    }
    entry->won += part->won;
    entry->drawn += part->drawn;
    entry->lost += part->lost;
    if (--work->units_left[index] > 0) {
        return;
    }
    entry->known = true;
    work->map.entries[index] = *entry;
    char name[8];
    gomoku_square_text(GOMOKU_SWAP_SIZE, gomoku_swap_square(index), name);
    printf("%-3s value %6d  depth %2d  games +%d =%d -%d  share %d\n", name, entry->value, entry->depth, entry->won,
           entry->drawn, entry->lost, swapmap_share(&work->map, index));
    fflush(stdout);
    if (file_is_replaced(work->file)) {
        work->status = save_map(work);
    }
}

static void *labour(void *argument) {
    struct work *work = argument;
    struct searcher_options options = {.threads = 1, .hash_bytes = work->settings.hash_bytes};
    struct engine *engine = engine_new(&options);
    pthread_mutex_lock(&work->lock);
    if (!engine) {
        work->status = error_machine(&work->error, "out of memory");
    }
    while (work->status == STATUS_OK && work->next < work->unit_count && !cli_interrupted()) {
        const struct unit *unit = &work->units[work->next++];
        pthread_mutex_unlock(&work->lock);
        struct swapmap_entry part = {0};
        do_unit(engine, &work->settings, unit, &part);
        pthread_mutex_lock(&work->lock);
        if (!cli_interrupted()) {
            finish_unit(work, unit, &part);
        }
    }
    pthread_mutex_unlock(&work->lock);
    engine_free(engine);
    return NULL;
}

/* Lists what is missing: squares that are not known, and games that a known square has too few of. */
static void plan_units(struct work *work) {
    for (int index = 0; index < GOMOKU_SWAP_SQUARES; index++) {
        const struct swapmap_entry *entry = &work->map.entries[index];
        int before = work->unit_count;
        work->open[index] = *entry;
        if (!entry->known) {
            work->units[work->unit_count++] = (struct unit){.index = index, .first_game = -1};
        }
        for (int game = entry->won + entry->drawn + entry->lost; game < work->settings.games; game += GAMES_A_UNIT) {
            int left = work->settings.games - game;
            work->units[work->unit_count++] =
                (struct unit){.index = index, .first_game = game, .games = left < GAMES_A_UNIT ? left : GAMES_A_UNIT};
        }
        work->units_left[index] = work->unit_count - before;
    }
}

/* Fills what is missing in the map. A pipe or a device gets the map once, at the end. */
static enum status compute(struct work *work) {
    pthread_t threads[MOST_JOBS];
    int started = 0;
    bool at_end = !file_is_replaced(work->file);
    work->units = calloc(MOST_UNITS, sizeof *work->units);
    if (!work->units) {
        return work->status = error_machine(&work->error, "out of memory");
    }
    plan_units(work);
    cli_control();
    pthread_mutex_init(&work->lock, NULL);
    while (started < work->settings.jobs && pthread_create(&threads[started], NULL, labour, work) == 0) {
        started++;
    }
    if (started == 0) {
        labour(work);
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_mutex_destroy(&work->lock);
    free(work->units);
    if (at_end && work->status == STATUS_OK) {
        work->status = save_map(work);
    }
    return work->status;
}

static int count_known(const struct swapmap *map) {
    int known = 0;
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        known += map->entries[i].known;
    }
    return known;
}

/* Finds out about all targets before hours of work. */
static int check_targets(const char *const files[], int count) {
    for (int i = 0; i < count; i++) {
        struct error error = {0};
        enum status status = files[i] ? file_check(files[i], &error) : STATUS_OK;
        if (status != STATUS_OK) {
            return cli_fail(files[i], &error, status);
        }
    }
    return 0;
}

/* Writes one of the derived files. */
static int write_derived(const struct swapmap *map, const char *file,
                         void (*write)(const struct swapmap *map, struct text *text)) {
    struct text text = TEXT_EMPTY;
    struct error error = {0};
    if (!file) {
        return 0;
    }
    write(map, &text);
    enum status status = save(file, &text, &error);
    text_free(&text);
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

static int read_map(const char *file, struct swapmap *map) {
    struct error error = {0};
    char *bytes;
    size_t length;
    enum status status = file_read(file, MOST_BYTES, &bytes, &length, &error);
    if (status == STATUS_OK) {
        status = swapmap_parse(bytes, length, map, &error);
        free(bytes);
    }
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct work work = {.settings = {.nodes = 20000, .hash_bytes = (size_t)64 << 20, .jobs = 1}};
    struct settings *settings = &work.settings;
    const char *output = NULL;
    const char *resume = NULL;
    const char *table_file = NULL;
    const char *svg_file = NULL;
    const struct cli_option table[] = {
        {"time", 't', CLI_SECONDS, &settings->search.wall_seconds, "SECONDS", "search each square so long (default 5)",
         0, 0},
        {"depth", 'd', CLI_INT, &settings->search.depth, "PLIES", "search each square no deeper", 0, 0},
        {"games", 'g', CLI_INT, &settings->games, "COUNT", "also play games, COUNT in all from each square (default 0)",
         0, MOST_GAMES},
        {"nodes", 'n', CLI_COUNT, &settings->nodes, "COUNT", "nodes a move in those games (default 20000)", 0, 0},
        {"jobs", 'j', CLI_INT, &settings->jobs, "COUNT", "squares worked on at once (default 1)", 1, MOST_JOBS},
        {"hash", 0, CLI_SIZE, &settings->hash_bytes, "SIZE", "memory of each job's table (default 64M)", 0, 0},
        {"output", 'o', CLI_STRING, &output, "FILE", "the map (default swapmap.txt)", 0, 0},
        {"resume", 'r', CLI_STRING, &resume, "FILE",
         "carry on with the map in FILE; what it holds is kept, and games are added", 0, 0},
        {"table", 0, CLI_STRING, &table_file, "FILE", "write the finished map as C source", 0, 0},
        {"svg", 0, CLI_STRING, &svg_file, "FILE", "write a picture of the map", 0, 0},
        {0},
    };
    int operands;
    int exit_status;
    if (!cli_parse(command, table, argc, argv, &operands, &exit_status)) {
        return exit_status;
    }
    if (operands > 0) {
        return cli_usage("swapmap: expected no file here, found '%s'; see --resume and --output", argv[0]);
    }
    if (resume && read_map(resume, &work.map) != 0) {
        return STATUS_BAD_INPUT;
    }
    work.file = output ? output : resume ? resume : "swapmap.txt";
    exit_status = check_targets((const char *const[]){work.file, svg_file, table_file}, 3);
    if (exit_status) {
        return exit_status;
    }
    bool timed = settings->search.wall_seconds > 0;
    if (!timed && !settings->search.depth) {
        settings->search.wall_seconds = 5;
    }
    if (!work.map.comment[0]) {
        char limit[32];
        if (timed || !settings->search.depth) {
            snprintf(limit, sizeof limit, "for %.3g s", settings->search.wall_seconds);
        } else {
            snprintf(limit, sizeof limit, "to depth %d", settings->search.depth);
        }
        snprintf(work.map.comment, sizeof work.map.comment,
                 "sortie %s: each square searched %s, games with %llu to %llu nodes a move", SORTIE_VERSION, limit,
                 (unsigned long long)settings->nodes, 2 * (unsigned long long)settings->nodes);
    }
    if (compute(&work) != STATUS_OK) {
        return cli_fail(work.file, &work.error, work.status);
    }
    int known = count_known(&work.map);
    exit_status = write_derived(&work.map, svg_file, swapmap_write_svg);
    if (known < GOMOKU_SWAP_SQUARES) {
        fprintf(stderr, "sortie: swapmap: %d of %d squares are done; carry on with --resume %s\n", known,
                GOMOKU_SWAP_SQUARES, work.file);
        return cli_interrupted() ? CLI_INTERRUPTED : STATUS_FAIL;
    }
    return exit_status ? exit_status : write_derived(&work.map, table_file, swapmap_write_table);
}

const struct cli_command cli_swapmap = {
    .name = "swapmap",
    .summary = "find out what a first stone is worth on each square, for the swap",
    .usage = "[--time SECONDS] [--depth PLIES] [--games COUNT] [--resume FILE] [OPTIONS]",
    .details =
        "Searches the position with one stone, the other side to move, for each of the 36 squares that differ by\n"
        "symmetry, and plays games of the engine with itself from there. The map is saved after every square, so\n"
        "that a run that was stopped can be carried on. 'share' is the chance of the stone's owner in thousandths.\n",
    .example = "  sortie swapmap --depth 3 --output map.txt --svg map.svg\n",
    .run = run,
};
