#include "results/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/rng.h"
#include "formats/position.h"
#include "formats/records/records.h"
#include "game/registry.h"
#include "games/gomoku/rules/gomoku.h"
#include "games/gomoku/rules/swap_table.h"
#include "players/course_turn.h"

void plan_free(struct plan *plan) {
    free(plan->players);
    for (int i = 0; i < plan->opening_count; i++) {
        free(plan->openings[i]);
    }
    free(plan->openings);
    free(plan->pairs);
    *plan = (struct plan){0};
}

static bool name_taken(const struct plan *plan, const char *name) {
    for (int i = 0; i < plan->player_count; i++) {
        if (strcmp(plan->players[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static enum status add_spec(struct plan *plan, const struct player_spec *spec, struct error *error) {
    if (plan->player_count == PLAN_MOST_PLAYERS) {
        return error_at(error, 0, 0, "at most %d players can take part", PLAN_MOST_PLAYERS);
    }
    if (!plan->players) {
        plan->players = calloc(PLAN_MOST_PLAYERS, sizeof *plan->players);
        if (!plan->players) {
            return error_machine(error, "out of memory");
        }
    }
    plan->players[plan->player_count++] = *spec;
    return STATUS_OK;
}

enum status plan_add_player(struct plan *plan, const char *text, struct error *error) {
    struct player_spec spec;
    enum status status = player_parse(text, &spec, error);
    if (status != STATUS_OK) {
        return status;
    }
    char given[PLAYER_MOST_NAME];
    snprintf(given, sizeof given, "%s", spec.name);
    for (int number = 2; name_taken(plan, spec.name); number++) {
        snprintf(spec.name, sizeof spec.name, "%.55s (%u)", given, (unsigned)number & 255);
    }
    return add_spec(plan, &spec, error);
}

/* -- openings -- */

static enum status add_opening(struct plan *plan, const char *at, size_t length, struct error *error) {
    char **larger = realloc(plan->openings, (size_t)(plan->opening_count + 1) * sizeof *larger);
    char *copy = strndup(at, length);
    if (larger) {
        plan->openings = larger;
    }
    if (!larger || !copy) {
        free(copy);
        return error_machine(error, "out of memory");
    }
    plan->openings[plan->opening_count++] = copy;
    return STATUS_OK;
}

static enum status read_opening(const struct plan *plan, const char *text, size_t length,
                                struct game_position *position, struct error *error) {
    struct reader reader;
    reader_init(&reader, text, length);
    enum status status = plan->game->read(position, &reader, error);
    if (status == STATUS_OK && plan->game->over(position)) {
        return error_at(error, 1, 1, "expected a start with a legal move, this game is over");
    }
    if (status == STATUS_OK && plan->game->variant(position) != plan->variant) {
        return error_at(error, 1, 1, "expected a start by the rules '%s'",
                        plan->game->properties->variants[plan->variant]);
    }
    return status;
}

/* A text of ours: each position up to the next line that begins with the game's name. */
static enum status add_positions(struct plan *plan, const char *bytes, size_t length, struct game_position *position,
                                 struct error *error) {
    const char *end = bytes + length;
    enum status status = STATUS_OK;
    int line = 1;
    for (const char *at = bytes; at < end && status == STATUS_OK;) {
        const char *stop = position_end(plan->game, at, end);
        status = read_opening(plan, at, (size_t)(stop - at), position, error);
        if (status == STATUS_OK) {
            status = add_opening(plan, at, (size_t)(stop - at), error);
        } else if (error && error->line > 0) {
            error->line += line - 1;
        }
        for (; at < stop; at++) {
            line += *at == '\n';
        }
    }
    return status;
}

/* Recorded games: the end of each one's first line. Board and rules are the plan's where the file does not say. */
static enum status add_records(struct plan *plan, const struct record_format *format, const char *bytes, size_t length,
                               struct game_position *position, struct error *error) {
    struct gametrees trees = {0};
    enum status status =
        format->read(&trees, bytes, length, plan->size_count ? plan->sizes[0] : GAMETREE_USUAL_SIZE, error);
    for (int i = 0; i < trees.count && status == STATUS_OK; i++) {
        struct text text = TEXT_EMPTY;
        status = gametree_position(&trees.items[i], plan->variant, (struct gomoku_position *)position, error);
        if (status == STATUS_OK) {
            plan->game->write(position, &text);
            status = text.broken ? error_machine(error, "out of memory")
                                 : read_opening(plan, text_string(&text), text.length, position, error);
        }
        status = status == STATUS_OK ? add_opening(plan, text_string(&text), text.length, error) : status;
        text_free(&text);
    }
    gametrees_free(&trees);
    return status;
}

enum status plan_add_openings(struct plan *plan, const char *bytes, size_t length, struct error *error) {
    struct game_position *position = malloc(plan->game->properties->position_size);
    if (!position) {
        return error_machine(error, "out of memory");
    }
    const struct record_format *format = plan->game == &gomoku_game ? record_format_look(bytes, length) : NULL;
    enum status status = format ? add_records(plan, format, bytes, length, position, error)
                                : add_positions(plan, bytes, length, position, error);
    free(position);
    if (status == STATUS_OK && plan->opening_count == 0) {
        status = error_at(error, 1, 1, "expected positions that begin with '%s', the file is empty",
                          plan->game->properties->name);
    }
    return status;
}

/* -- checking -- */

/* Names are printed: nothing in them may move a terminal's cursor. */
static bool is_printable(const char *text) {
    for (; *text; text++) {
        if ((unsigned char)*text < 0x20 || *text == 0x7f) {
            return false;
        }
    }
    return true;
}

static enum status check_players(struct plan *plan, struct error *error) {
    for (int i = 0; i < plan->player_count; i++) {
        const struct player_spec *spec = &plan->players[i];
        for (int k = 0; k < i; k++) {
            if (strcmp(spec->name, plan->players[k].name) == 0) {
                return error_at(error, 0, 0, "expected players whose names differ, found '%s' twice", spec->name);
            }
        }
        if (!spec->name[0] || !is_printable(spec->name) || !is_printable(spec->text)) {
            return error_at(error, 0, 0, "expected player %d to have a name and a description that can be printed",
                            i + 1);
        }
        for (int k = 0; spec->kind->check && k < plan->size_count; k++) {
            enum status status = spec->kind->check(spec, plan->game, plan->variant, plan->sizes[k], &plan->time, error);
            if (status != STATUS_OK) {
                return status;
            }
        }
    }
    return STATUS_OK;
}

static bool is_within(double value, double least, double most) {
    return value >= least && value <= most; /* false for what is no number */
}

/* Clocks, limits and the SPRT's bounds: what the command line checks one by one, and a file may have otherwise. */
static enum status check_numbers(const struct plan *plan, struct error *error) {
    const struct player_time *time = &plan->time;
    const struct warden_limits *limits = &plan->limits;
    const struct rating_sprt *sprt = &plan->sprt;
    if (!is_within(time->per_move, 0, 1e9) || !is_within(time->per_game, 0, 1e9) || !is_within(time->grace, 0, 1e9) ||
        !is_within(time->margin, 0, 1e9)) {
        return error_at(error, 0, 0, "expected clocks of 0 to 1e9 seconds");
    }
    if (limits->processes < 0 || limits->open_files < 0) {
        return error_at(error, 0, 0, "expected limits of 0 or more for programs");
    }
    if (plan->has_sprt &&
        (!is_within(sprt->elo0, -2000, 2000) || !is_within(sprt->elo1, -2000, 2000) || !(sprt->elo0 < sprt->elo1) ||
         !is_within(sprt->alpha, 1e-9, 0.5) || !is_within(sprt->beta, 1e-9, 0.5))) {
        return error_at(error, 0, 0, "expected bounds of an SPRT as --sprt takes them");
    }
    return STATUS_OK;
}

enum status plan_check_openings(const struct plan *plan, struct error *error) {
    struct game_position *position = malloc(plan->game->properties->position_size);
    enum status status = position ? STATUS_OK : error_machine(error, "out of memory");
    for (int i = 0; i < plan->opening_count && status == STATUS_OK; i++) {
        status = read_opening(plan, plan->openings[i], strlen(plan->openings[i]), position, error);
    }
    free(position);
    return status;
}

/* The swap is the course's, on its board; and an opening has more stones than the one it is about. */
static enum status check_swap(const struct plan *plan, struct error *error) {
    bool fits = plan->game == &gomoku_game && plan->variant == GOMOKU_FREESTYLE && plan->opening_count == 0;
    for (int i = 0; i < plan->size_count; i++) {
        fits = fits && plan->sizes[i] == GOMOKU_SWAP_SIZE;
    }
    return !plan->swap || fits
               ? STATUS_OK
               : error_at(error, 0, 0, "the swap is for gomoku freestyle 15x15 without openings, leave out --swap");
}

/* What is drawn of a Swiss tournament: whole rounds, of players there are. */
static enum status check_swiss(const struct plan *plan, struct error *error) {
    int round = plan->player_count / 2;
    bool fits = plan->swiss >= 0 && plan->swiss <= PLAN_MOST_SWISS && plan->pair_count <= plan->swiss * round &&
                plan->pair_count % round == 0 && (plan->swiss == 0 || plan->games == 2 * (int64_t)plan->pair_count);
    for (int i = 0; i < plan->pair_count && fits; i++) {
        fits =
            plan->pairs[i][0] >= 0 && plan->pairs[i][0] < plan->pairs[i][1] && plan->pairs[i][1] < plan->player_count;
    }
    return fits ? STATUS_OK : error_at(error, 0, 0, "expected whole rounds of a Swiss tournament");
}

enum status plan_add_pair(struct plan *plan, int a, int b, struct error *error) {
    int(*larger)[2] = realloc(plan->pairs, (size_t)(plan->pair_count + 1) * sizeof *larger);
    if (!larger) {
        return error_machine(error, "out of memory");
    }
    plan->pairs = larger;
    plan->pairs[plan->pair_count][0] = a < b ? a : b;
    plan->pairs[plan->pair_count][1] = a < b ? b : a;
    plan->pair_count++;
    return STATUS_OK;
}

enum status plan_check(struct plan *plan, struct error *error) {
    const struct game_properties *properties = plan->game->properties;
    if (plan->player_count < 2) {
        return error_at(error, 0, 0, "expected at least two players");
    }
    if (plan->has_sprt && plan->player_count != 2) {
        return error_at(error, 0, 0, "--sprt compares exactly two players, found %d", plan->player_count);
    }
    if (plan->games < 2 || plan->games % 2) {
        return error_at(error, 0, 0, "expected an even number of games: every start is played with both sides");
    }
    if (plan->games > PLAN_MOST_GAMES) {
        return error_at(error, 0, 0, "at most %d games", PLAN_MOST_GAMES);
    }
    enum status status = check_numbers(plan, error);
    status = status == STATUS_OK ? check_swiss(plan, error) : status;
    if (status != STATUS_OK) {
        return status;
    }
    if (plan->size_count == 0) {
        plan->sizes[plan->size_count++] = properties->usual_size;
    }
    for (int i = 0; i < plan->size_count; i++) {
        if (!game_takes_size(plan->game, plan->sizes[i])) {
            char sizes[128];
            game_sizes_text(plan->game, sizes);
            return error_at(error, 0, 0, "expected a board size of %s, found %d", sizes, plan->sizes[i]);
        }
    }
    status = check_swap(plan, error);
    if (status != STATUS_OK) {
        return status;
    }
    bool programs = false;
    for (int i = 0; i < plan->player_count; i++) {
        programs = programs || plan->players[i].kind == &player_program;
    }
    const struct course_format *course = course_format_of(plan->game, plan->variant);
    if (plan->time.clock == PLAYER_CLOCK_NONE && programs && course) {
        plan->time = course_turn_time(course);
    }
    return check_players(plan, error);
}

/* -- the schedule -- */

int64_t plan_round(const struct plan *plan) {
    int64_t n = plan->player_count;
    return 2 * (plan->swiss ? n / 2 : plan->gauntlet ? n - 1 : n * (n - 1) / 2);
}

void plan_game_at(const struct plan *plan, int64_t index, struct plan_game *game) {
    int64_t round = plan_round(plan);
    int meeting = (int)(index % round / 2);
    int first = 0;
    int second = meeting + 1;
    if (plan->swiss) {
        first = plan->pairs[index / 2][0];
        second = plan->pairs[index / 2][1];
    } else if (!plan->gauntlet) {
        int left = meeting;
        while (left >= plan->player_count - 1 - first) {
            left -= plan->player_count - 1 - first;
            first++;
        }
        second = first + 1 + left;
    }
    bool exchanged = index % 2 != 0;
    *game = (struct plan_game){
        .index = index,
        .players = {exchanged ? second : first, exchanged ? first : second},
        .start = (int)(index / round),
    };
}

enum status plan_start(const struct plan *plan, int start, struct game_position *position, struct error *error) {
    if (plan->opening_count > 0) {
        const char *text = plan->openings[start % plan->opening_count];
        return read_opening(plan, text, strlen(text), position, error);
    }
    bool empty = plan->swap;
    for (int i = 0; i < plan->player_count; i++) {
        empty = empty || plan->players[i].kind->empty_start;
    }
    if (empty) {
        return plan->game->start(position, plan->sizes[start % plan->size_count], plan->variant, error);
    }
    struct rng rng = {rng_mix(plan->seed) ^ rng_mix((uint64_t)start + UINT64_C(0x5eed0000))};
    return plan->game->start_random(position, plan->sizes[start % plan->size_count], plan->variant, &rng, error);
}

/* -- as text -- */

static const char *const clock_names[] = {"none", "wall", "cpu"};

void plan_write(const struct plan *plan, struct text *text) {
    const struct warden_limits *limits = &plan->limits;
    text_addf(text, "game %s %s\n", plan->game->properties->name, plan->game->properties->variants[plan->variant]);
    if (plan->swiss) {
        text_addf(text, "swiss %d\n", plan->swiss);
    } else {
        text_addf(text, "mode %s\n", plan->gauntlet ? "gauntlet" : "round-robin");
    }
    if (plan->swap) {
        text_add_string(text, "swap\n");
    }
    text_addf(text, "seed %llu\n", (unsigned long long)plan->seed);
    text_addf(text, "clock %s %.17g %.17g %.17g %.17g\n", clock_names[plan->time.clock], plan->time.per_move,
              plan->time.per_game, plan->time.grace, plan->time.margin);
    text_addf(text, "limits %llu %llu %llu %d %d\n", (unsigned long long)limits->memory_bytes,
              (unsigned long long)limits->file_bytes, (unsigned long long)limits->output_bytes, limits->processes,
              limits->open_files);
    if (plan->has_sprt) {
        text_addf(text, "sprt %.17g %.17g %.17g %.17g\n", plan->sprt.elo0, plan->sprt.elo1, plan->sprt.alpha,
                  plan->sprt.beta);
    }
    for (int i = 0; i < plan->size_count; i++) {
        text_addf(text, "size %d\n", plan->sizes[i]);
    }
    for (int i = 0; i < plan->player_count; i++) {
        text_addf(text, "player %s\t%s\n", plan->players[i].name, plan->players[i].text);
    }
    for (int i = 0; i < plan->pair_count; i++) {
        text_addf(text, "pair %d %d\n", plan->pairs[i][0], plan->pairs[i][1]);
    }
    for (int i = 0; i < plan->opening_count; i++) {
        text_addf(text, "opening %zu\n%s\n", strlen(plan->openings[i]), plan->openings[i]);
    }
}

static enum status read_player(struct plan *plan, const char *line, struct error *error) {
    struct player_spec spec;
    const char *tab = strchr(line, '\t');
    if (!tab || tab - line >= PLAYER_MOST_NAME) {
        return error_at(error, 0, 0, "the stored plan has a broken player");
    }
    enum status status = player_parse(tab + 1, &spec, error);
    if (status != STATUS_OK) {
        return status;
    }
    memcpy(spec.name, line, (size_t)(tab - line));
    spec.name[tab - line] = '\0';
    return add_spec(plan, &spec, error);
}

/* One line of the text, whose bytes end with a zero. */
static enum status read_line(struct plan *plan, const char *line, struct error *error) {
    char a[32];
    char b[32];
    unsigned long long u[3];
    if (sscanf(line, "game %31s %31s", a, b) == 2) {
        plan->game = game_find(a, strlen(a));
        plan->variant = plan->game ? game_find_variant(plan->game, b, strlen(b)) : -1;
        return plan->variant >= 0 ? STATUS_OK : error_at(error, 0, 0, "the stored plan names an unknown game '%s'", a);
    }
    if (sscanf(line, "mode %31s", a) == 1) {
        plan->gauntlet = strcmp(a, "gauntlet") == 0;
        return STATUS_OK;
    }
    int numbers[2];
    if (sscanf(line, "swiss %d", &numbers[0]) == 1) {
        plan->swiss = numbers[0];
        return STATUS_OK;
    }
    if (sscanf(line, "pair %d %d", &numbers[0], &numbers[1]) == 2) {
        return plan_add_pair(plan, numbers[0], numbers[1], error);
    }
    if (strcmp(line, "swap") == 0) {
        plan->swap = true;
        return STATUS_OK;
    }
    if (sscanf(line, "seed %llu", &u[0]) == 1) {
        plan->seed = u[0];
        return STATUS_OK;
    }
    double values[4] = {0};
    int behind = 0;
    if (sscanf(line, "clock %31s %n", a, &behind) == 1 && number_parse_list(line + behind, ' ', values, 4) >= 3) {
        enum player_clock clock = strcmp(a, "cpu") == 0    ? PLAYER_CLOCK_CPU
                                  : strcmp(a, "wall") == 0 ? PLAYER_CLOCK_WALL
                                                           : PLAYER_CLOCK_NONE;
        plan->time = (struct player_time){
            .clock = clock, .per_move = values[0], .per_game = values[1], .grace = values[2], .margin = values[3]};
        return STATUS_OK;
    }
    struct warden_limits *limits = &plan->limits;
    if (sscanf(line, "limits %llu %llu %llu %d %d", &u[0], &u[1], &u[2], &limits->processes, &limits->open_files) ==
        5) {
        limits->memory_bytes = u[0];
        limits->file_bytes = u[1];
        limits->output_bytes = u[2];
        return STATUS_OK;
    }
    if (strncmp(line, "sprt ", 5) == 0 && number_parse_list(line + 5, ' ', values, 4) == 4) {
        plan->sprt = (struct rating_sprt){values[0], values[1], values[2], values[3]};
        plan->has_sprt = true;
        return STATUS_OK;
    }
    if (strncmp(line, "size ", 5) == 0 && plan->size_count < PLAN_MOST_SIZES) {
        plan->sizes[plan->size_count++] = atoi(line + 5);
        return STATUS_OK;
    }
    if (strncmp(line, "player ", 7) == 0) {
        return read_player(plan, line + 7, error);
    }
    return error_at(error, 0, 0, "the stored plan has a line this version does not know: '%.60s'", line);
}

static const char *line_after(const char *at, const char *end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return stop ? stop + 1 : end;
}

enum status plan_read(struct plan *plan, const char *bytes, size_t length, struct error *error) {
    *plan = (struct plan){0};
    const char *end = bytes + length;
    enum status status = STATUS_OK;
    while (bytes < end && status == STATUS_OK) {
        const char *next = line_after(bytes, end);
        char *line = strndup(bytes, (size_t)(next - bytes) - 1);
        size_t opening;
        if (!line) {
            status = error_machine(error, "out of memory");
        } else if (sscanf(line, "opening %zu", &opening) == 1 && opening < (size_t)(end - next)) {
            status = add_opening(plan, next, opening, error);
            next += opening + 1;
        } else {
            status = read_line(plan, line, error);
        }
        free(line);
        bytes = next;
    }
    if (status == STATUS_OK && !plan->game) {
        status = error_at(error, 0, 0, "the stored plan names no game");
    }
    if (status != STATUS_OK) {
        plan_free(plan);
    }
    return status;
}
