/* A peer that lies: the leader and the helper of every kind of work over several processes, with any bytes as what the
 * others send. They are refused or taken, and nothing breaks.
 *
 * The first byte chooses the work. Then come messages: who sends, how it is made, and its bytes, which are the message,
 * or changes to what an honest helper would have answered, so that the deeper checks are reached too. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/war/rules/war.h"
#include "match/runner.h"
#include "prove/crew/prove_crew.h"
#include "prove/crew/swapmap_run.h"
#include "support/liar.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is left of the input, and how honest answers are made. */
struct script {
    const uint8_t *data;
    size_t left;
    const struct plan *plan;
    atomic_bool *stop; /* beside the liar's own; NULL: none */
    void (*honest)(const struct script *script, int64_t unit, struct text *answer);
};

static unsigned take_byte(struct script *script) {
    unsigned byte = script->left > 0 ? *script->data : 0;
    script->data += script->left > 0;
    script->left -= script->left > 0;
    return byte;
}

static unsigned take_two(struct script *script) {
    unsigned high = take_byte(script);
    return high << 8 | take_byte(script);
}

static void change(struct script *script, struct text *message) {
    for (unsigned times = take_byte(script) % 6; times > 0 && message->length > 0; times--) {
        size_t at = take_two(script) % message->length;
        message->data[at] = (char)take_byte(script);
    }
    if (take_byte(script) % 8 == 0) {
        message->length -= message->length ? take_byte(script) % message->length : 0;
    }
}

static int speak(void *user, struct liar *liar, struct text *message) {
    struct script *script = user;
    if (script->left == 0) {
        if (script->stop) {
            atomic_store(script->stop, true);
        }
        return -1;
    }
    unsigned how = take_byte(script);
    int from = liar->rank == 0 ? 1 + (int)(how & 1) : 0;
    if (how & 2 && script->honest) {
        script->honest(script, liar->units[from], message);
        if (how & 4) {
            change(script, message);
        }
        return from;
    }
    size_t length = take_two(script) % (script->left + 1);
    text_add(message, (const char *)script->data, length);
    script->data += length;
    script->left -= length;
    return from;
}

/* -- the works -- */

static void honest_game(const struct script *script, int64_t unit, struct text *answer) {
    liar_honest_game(script->plan, unit, answer);
}

static void honest_squares(const struct script *script, int64_t unit, struct text *answer) {
    (void)script;
    liar_honest_squares(unit, answer);
}

static void honest_job(const struct script *script, int64_t unit, struct text *answer) {
    (void)script;
    liar_honest_job(unit, answer);
}

/* A match is kept in a file of its own, which exists only while it is used. */
static void lead_match(struct script *script) {
    struct plan plan = {.game = &war_game, .sizes = {4}, .size_count = 1, .seed = 3, .games = 8};
    struct error error = {0};
    char path[] = "/dev/shm/fuzz-crew-XXXXXX"; /* thousands of them: not on a disk */
    struct store *store = NULL;
    struct standings standings = {0};
    struct runner_state state;
    struct liar liar;
    plan.limits = warden_usual_limits;
    int file = mkstemp(path);
    if (file < 0 || close(file) != 0 || remove(path) != 0 ||
        plan_add_player(&plan, "a=engine:depth=1", &error) != STATUS_OK ||
        plan_add_player(&plan, "b=engine:depth=2", &error) != STATUS_OK || plan_check(&plan, &error) != STATUS_OK ||
        store_open(&store, path, STORE_NEW, &error) != STATUS_OK || store_put_plan(store, &plan, &error) != STATUS_OK) {
        abort();
    }
    script->plan = &plan;
    script->honest = honest_game;
    liar_init(&liar, 0, speak, script);
    struct runner_options options = {.crew = liar_link(&liar), .stop = &liar.stop};
    runner_run(&plan, store, &options, &standings, &state, &error);
    standings_free(&standings);
    store_close(store);
    remove(path);
    liar_free(&liar);
    plan_free(&plan);
}

/* Counts may not grow beyond what was asked for. */
static enum status check_square(void *user, const struct swapmap *map, int index, struct error *error) {
    const struct swapmap_entry *entry = &map->entries[index];
    (void)user, (void)error;
    if (entry->won < 0 || entry->drawn < 0 || entry->lost < 0 || entry->won + entry->drawn + entry->lost != 6) {
        abort();
    }
    return STATUS_OK;
}

static void lead_map(struct script *script) {
    struct liar liar;
    struct search_control control = {0};
    struct swapmap map = {0};
    struct error error = {0};
    script->honest = honest_squares;
    script->stop = &control.stop;
    liar_init(&liar, 0, speak, script);
    struct swapmap_settings settings = {.games = 6, .nodes = 1, .crew = liar_link(&liar)};
    swapmap_run(&settings, &map, &control, check_square, NULL, &error);
    liar_free(&liar);
}

/* A helper that plays and searches only for a moment, since it is stopped already. */
static void help_map(struct script *script) {
    struct liar liar;
    struct search_control control = {0};
    struct error error = {0};
    atomic_store(&control.stop, true);
    liar_init(&liar, 1, speak, script);
    struct swapmap_settings settings = {.games = 6, .nodes = 1, .hash_bytes = 1 << 16, .crew = liar_link(&liar)};
    settings.search.nodes = 1;
    swapmap_help(&settings, &control, &error);
    liar_free(&liar);
}

/* A small board that is nearly full: what the leader looks at itself takes no time. */
static void small_position(struct gomoku_position *position) {
    static const uint8_t squares[] = {0, 1, 2, 3, 5, 4, 7, 6, 9, 8, 10, 11, 13, 12, 14, 15};
    gomoku_clear(position, 5, GOMOKU_FREESTYLE);
    for (size_t i = 0; i < sizeof squares; i++) {
        gomoku_put(position, squares[i]);
    }
}

static void lead_proof(struct script *script) {
    struct prove_target target = {.wanted = {[ANSWER_WINS] = true, [ANSWER_LOSES] = true, [ANSWER_HOLDS] = true}};
    struct proved proved;
    struct error error = {0};
    struct liar liar;
    script->honest = honest_job;
    proved_init(&proved);
    small_position(&target.position);
    liar_init(&liar, 0, speak, script);
    struct question_settings settings = {.threads = 1, .hash_bytes = 1 << 16, .seconds = 5, .stop = &liar.stop};
    struct prove_crew crew = {
        .link = liar_link(&liar), .settings = &settings, .proved = &proved, .targets = &target, .count = 1};
    prove_crew_lead(&crew, &error);
    proved_close(&proved);
    liar_free(&liar);
}

static void help_proof(struct script *script) {
    struct error error = {0};
    struct liar liar;
    liar_init(&liar, 1, speak, script);
    atomic_store(&liar.stop, true);
    struct question_settings settings = {.threads = 1, .hash_bytes = 1 << 16, .seconds = 1, .stop = &liar.stop};
    prove_crew_help(liar_link(&liar), &settings, &error);
    liar_free(&liar);
}

/* What a leader sends first. */
static void read_brief(struct script *script) {
    struct plan plan = {0};
    struct text brief = TEXT_EMPTY;
    struct error error = {0};
    text_add(&brief, (const char *)script->data, script->left);
    runner_read_brief(&plan, &brief, &error);
    plan_free(&plan);
    text_free(&brief);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const works[])(struct script *) = {lead_match, lead_map,   help_map,
                                                     lead_proof, help_proof, read_brief};
    struct script script = {.data = data, .left = size};
    works[take_byte(&script) % (sizeof works / sizeof *works)](&script);
    return 0;
}
