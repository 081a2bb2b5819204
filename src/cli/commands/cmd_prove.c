#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stopwatch.h"
#include "cli/commands.h"
#include "cli/crew.h"
#include "cli/solving/prove_core.h"
#include "cli/solving/prove_map.h"
#include "cli/solving/prove_store.h"
#include "cli/solving/prove_values.h"
#include "games/gomoku/rules/gomoku.h"
#include "games/gomoku/rules/swap_table.h"
#include "prove/certificate.h"
#include "prove/crew/prove_crew.h"
#include "prove/crew/prove_map.h"
#include "prove/question.h"
#include "prove/values.h"
#include "system/file.h"
#include "system/machine.h"

#define STILL_OPEN 3 /* the exit status of a question that has no answer yet */
#define USUAL_SECONDS 60
#define TELL_SECONDS 0.2

/* What one run of the command works with. */
struct proving {
    struct course_request request;
    struct question_settings settings;
    const struct crew_link *crew; /* other processes that search; NULL: none */
    struct proved proved;
    bool stores;       /* what is proved, in a file */
    const char *guide; /* a core that is learnt first; NULL: none */
    double start;
    double told; /* when progress was last shown */
};

static const char *const claim_names[ANSWER_COUNT] = {"wins", "loses", "holds"};

/* "X wins", of the position's own sides. */
static void add_claim(struct text *text, const struct gomoku_position *position, enum question_answer answer) {
    enum prove_claim claim;
    int hero;
    question_claim(answer, position, &claim, &hero);
    text_addf(text, "%s %s", gomoku_game.properties->sides[hero], claim == PROVE_WIN ? "wins" : "holds");
}

static void show_progress(void *user, enum question_answer answer, const struct prover *prover) {
    struct proving *proving = user;
    double now = clock_wall();
    if (!cli_shows_progress() || now - proving->told < TELL_SECONDS) {
        return;
    }
    proving->told = now;
    const struct gomoku_position *position = gomoku_const(proving->request.position);
    bool moves = prover->settings.hero == (position->count & 1); /* at the root */
    struct text line = TEXT_EMPTY;
    add_claim(&line, position, answer);
    if (prover->built > 0) {
        text_addf(&line, ": building the proof  %.1f million moves  %.0f s", (double)prover->built / 1e6,
                  now - proving->start);
        cli_progress(text_string(&line));
        text_free(&line);
        return;
    }
    text_addf(&line, "?  proof %u  disproof %u  %llu positions  %.1f million moves  %zu proved  %.0f s",
              moves ? prover->root.phi : prover->root.delta, moves ? prover->root.delta : prover->root.phi,
              (unsigned long long)prover->counts.nodes, (double)prover->threats.nodes / 1e6, prover->proved->count,
              now - proving->start);
    cli_progress(text_string(&line));
    text_free(&line);
}

/* -- the answer -- */

static void add_number(struct text *text, uint32_t number) {
    if (number >= PN_NEVER) {
        text_add_string(text, "none");
    } else {
        text_addf(text, "%u", number);
    }
}

/* What the search found, where there was no time to build its proof. */
static void add_found(struct text *text, const struct proving *proving, const struct question *question) {
    if (question->found != ANSWER_NONE) {
        text_add_string(text, "found   ");
        add_claim(text, gomoku_const(proving->request.position), question->found);
        text_addf(text, "; its proof was not finished (%llu moves of it were): %s\n",
                  (unsigned long long)question->built,
                  proving->stores ? "the same command with more --time builds it out of the store"
                                  : "with --store the next run need not search again");
    }
}

static void add_answer(struct text *text, const struct proving *proving, const struct question *question) {
    const struct gomoku_position *position = gomoku_const(proving->request.position);
    if (question->answer == ANSWER_NONE) {
        text_add_string(text, "open\n");
        add_found(text, proving, question);
        for (int answer = 0; answer < ANSWER_COUNT; answer++) {
            if (proving->settings.wanted[answer]) {
                add_claim(text, position, (enum question_answer)answer);
                text_add_string(text, ": proof number ");
                add_number(text, question->numbers[answer].phi);
                text_add_string(text, ", disproof number ");
                add_number(text, question->numbers[answer].delta);
                text_add_char(text, '\n');
            }
        }
        return;
    }
    text_add_string(text, "proved: ");
    add_claim(text, position, question->answer);
    text_addf(text, ", %s to move\n", gomoku_game.properties->sides[position->count & 1]);
    if (question->move != NO_SQUARE) {
        char square[8];
        gomoku_square_text(position->size, question->move, square);
        text_addf(text, "move    %s\n", square);
    }
}

static int print_answer(const struct proving *proving, const struct question *question) {
    struct text text = TEXT_EMPTY;
    add_answer(&text, proving, question);
    if (question->certificate_bytes) {
        text_addf(&text, "proof   %llu moves in %llu bytes\n", (unsigned long long)question->certificate_moves,
                  (unsigned long long)question->certificate_bytes);
    }
    text_addf(&text, "search  %llu positions, %llu moves in threats, table hits %.0f%%, %zu positions proved, %.1f s\n",
              (unsigned long long)question->counts.nodes, (unsigned long long)question->threat_nodes,
              question->probes ? 100.0 * (double)question->hits / (double)question->probes : 0.0, proving->proved.count,
              question->seconds);
    if (question->asked) {
        text_addf(&text, "engine  asked %llu times, %llu nodes\n", (unsigned long long)question->asked,
                  (unsigned long long)question->engine_nodes);
    }
    return cli_print(&text);
}

/* -- running -- */

static void show_crew(void *user, int jobs, uint64_t nodes, size_t proved) {
    const struct proving *proving = user;
    if (cli_shows_progress()) {
        char line[120];
        snprintf(line, sizeof line, "%d jobs under way  %llu positions  %zu proved  %.0f s", jobs,
                 (unsigned long long)nodes, proved, clock_wall() - proving->start);
        cli_progress(line);
    }
}

/* Asks all processes of a job. */
static enum status ask_crew(struct proving *proving, struct question *question, FILE *stream, struct error *error) {
    struct prove_target target = {.position = *gomoku_const(proving->request.position)};
    struct prove_crew crew = {
        .link = proving->crew,
        .settings = &proving->settings,
        .proved = &proving->proved,
        .targets = &target,
        .count = 1,
        .certificates = stream,
        .progress = show_crew,
        .user = proving,
    };
    memcpy(target.wanted, proving->settings.wanted, sizeof target.wanted);
    enum status status = prove_crew_lead(&crew, error);
    *question = target.question;
    return status;
}

/* Asks, and writes the certificate beside its place before it takes it. */
static int answer(struct proving *proving, const char *output) {
    const struct gomoku_position *position = gomoku_const(proving->request.position);
    struct file_out out = {0};
    struct error error = {0};
    struct question question;
    enum status status = output ? file_out_open(&out, output, &error) : STATUS_OK;
    if (status != STATUS_OK) {
        return cli_fail(output, &error, status);
    }
    proving->start = clock_wall();
    status = proving->crew
                 ? ask_crew(proving, &question, out.stream, &error)
                 : question_ask(&question, position, &proving->settings, &proving->proved, out.stream, &error);
    if (cli_shows_progress()) {
        cli_progress(NULL);
    }
    if (status == STATUS_OK && output && question.answer != ANSWER_NONE) {
        status = file_out_commit(&out, &error);
    } else if (output) {
        file_out_abandon(&out);
    }
    if (status != STATUS_OK) {
        return cli_fail(output, &error, status);
    }
    int exit_status = print_answer(proving, &question);
    return exit_status == 0 && question.answer == ANSWER_NONE ? STILL_OPEN : exit_status;
}

/* What to look for: the claim that was named, or all that make sense. */
static bool choose_claims(struct proving *proving, const char *claim) {
    bool *wanted = proving->settings.wanted;
    if (!claim) {
        question_usual(gomoku_const(proving->request.position), wanted);
        return true;
    }
    for (int i = 0; i < ANSWER_COUNT; i++) {
        wanted[i] = strcmp(claim, claim_names[i]) == 0;
    }
    return wanted[ANSWER_WINS] || wanted[ANSWER_LOSES] || wanted[ANSWER_HOLDS];
}

/* Says what cannot be proved here; 0 when all is well. */
static int check_request(struct proving *proving, const char *claim) {
    const struct gomoku_position *position = gomoku_const(proving->request.position);
    if (position->variant != GOMOKU_FREESTYLE) {
        return cli_usage("prove: expected the freestyle rule; 'exactly five' cannot be proved yet");
    }
    if (position->size > CERTIFICATE_MOST_SIZE) {
        return cli_usage("prove: expected a board of at most %dx%d", CERTIFICATE_MOST_SIZE, CERTIFICATE_MOST_SIZE);
    }
    if (!choose_claims(proving, claim)) {
        return cli_usage("prove: expected --claim wins, loses or holds, found '%s'", claim);
    }
    return 0;
}

/* Opens the store, runs `work` and closes it again. */
static int with_store(struct proving *proving, const char *store, const char *output,
                      int (*work)(struct proving *proving, const char *output)) {
    struct error error = {0};
    proved_init(&proving->proved);
    proving->stores = store != NULL;
    enum status status = store ? proved_open(&proving->proved, store, &error) : STATUS_OK;
    if (status == STATUS_OK && store) {
        prove_tell_damage(store, &proving->proved.ledger.scan);
    }
    int exit_status = status == STATUS_OK ? 0 : cli_fail(store, &error, status);
    exit_status = exit_status == 0 && proving->guide ? prove_learn(proving->guide, &proving->proved) : exit_status;
    exit_status = exit_status == 0 ? work(proving, output) : exit_status;
    if (!proved_close(&proving->proved) && (exit_status == 0 || exit_status == STILL_OPEN)) {
        exit_status = cli_fail(store, &(struct error){.text = "could not be written to the end"}, STATUS_FAIL);
    }
    return exit_status;
}

/* One square of the map: who wins, or the numbers so far. */
static void print_square(void *user, int index, const struct question *question) {
    (void)user;
    char name[8];
    gomoku_square_text(GOMOKU_SWAP_SIZE, gomoku_swap_square(index), name);
    static const char *const words[] = {"won for the other side", "won for the stone's owner"};
    if (question->answer == ANSWER_NONE) {
        printf("%-3s open: other side proof %u disproof %u, owner proof %u disproof %u, %llu positions\n", name,
               question->numbers[ANSWER_WINS].phi, question->numbers[ANSWER_WINS].delta,
               question->numbers[ANSWER_LOSES].phi, question->numbers[ANSWER_LOSES].delta,
               (unsigned long long)question->counts.nodes);
    } else {
        printf("%-3s %s\n", name, words[question->answer == ANSWER_LOSES]);
    }
    fflush(stdout);
}

/* Proves over the processes of an MPI job what can be proved of the map and prints it; the exit status. */
static int print_map(struct proving *proving, FILE *stream) {
    struct prove_map map = {
        .settings = &proving->settings, .proved = &proving->proved, .stream = stream, .told = print_square};
    struct error error = {0};
    int open = 0;
    enum status status = prove_map_crew(&map, proving->crew, &open, &error);
    if (status != STATUS_OK) {
        return cli_fail(NULL, &error, status);
    }
    printf("%d of %d squares settled, %zu positions proved\n", GOMOKU_SWAP_SQUARES - open, GOMOKU_SWAP_SQUARES,
           proving->proved.count);
    return open > 0 ? STILL_OPEN : 0;
}

/* The certificates of the squares that are settled are written also when others stay open. */
static int run_map(struct proving *proving, const char *output) {
    struct file_out out = {0};
    struct error error = {0};
    enum status status = output ? file_out_open(&out, output, &error) : STATUS_OK;
    if (status != STATUS_OK) {
        return cli_fail(output, &error, status);
    }
    proving->settings.progress = NULL; /* its lines are progress enough */
    int exit_status = print_map(proving, out.stream);
    bool any =
        output && (exit_status == 0 || exit_status == STILL_OPEN) && ftell(out.stream) != 0 /* a pipe cannot tell */;
    status = any ? file_out_commit(&out, &error) : STATUS_OK;
    if (output && !any) {
        file_out_abandon(&out);
    }
    return status == STATUS_OK ? exit_status : cli_fail(output, &error, status);
}

/* The map in this process. */
static int ask_map(const struct question_settings *settings, const char *folder, const char *only, bool more) {
    struct prove_map_options options = {.folder = folder,
                                        .only = only,
                                        .seconds = settings->seconds,
                                        .threads = settings->threads,
                                        .hash_bytes = settings->hash_bytes,
                                        .still_open = STILL_OPEN};
    return more ? cli_usage("prove: --map takes no file, no --claim, no --guide and no --output: --store keeps its "
                            "cores, for sortie expand")
                : prove_map_here(&options);
}

/* What all processes of an MPI job but the first do. */
static int help(const struct proving *proving) {
    struct error error = {0};
    enum status status = prove_crew_help(proving->crew, &proving->settings, &error);
    return status == STATUS_OK ? 0 : cli_fail(NULL, &error, status);
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct proving proving = {.settings = {.seconds = USUAL_SECONDS}};
    struct question_settings *settings = &proving.settings;
    struct cli_source source = {0};
    const char *claim = NULL;
    const char *output = NULL;
    const char *store = NULL;
    const char *checked = NULL;
    const char *core = NULL;
    const char *only = NULL;
    bool map = false;
    const struct cli_option table[] = {
        {"output", 'o', CLI_STRING, &output, "FILE", "write the proof as a certificate, for sortie verify", 0, 0},
        {"claim", 0, CLI_STRING, &claim, "CLAIM",
         "prove that the side to move wins, or loses, or that the other side holds (default: whichever is true)", 0, 0},
        {"map", 0, CLI_FLAG, &map, NULL, "ask about each first stone of 15x15 instead of a position", 0, 0},
        {"only", 0, CLI_STRING, &only, "SQUARES", "of the map these squares only, such as G8,F8", 0, 0},
        {"time", 't', CLI_SECONDS, &settings->seconds, "SECONDS",
         "give up after so long, building the proof included (default 60)", 0, 0},
        {"nodes", 'n', CLI_COUNT, &settings->nodes, "N", "give up after N positions", 0, 0},
        {"threads", 'j', CLI_INT, &settings->threads, "COUNT",
         "threads of the search (default: all cores; in an MPI job one)", 1, QUESTION_MOST_THREADS},
        {"hash", 0, CLI_SIZE, &settings->hash_bytes, "SIZE", "memory of the tables (default 256M)", 0, 0},
        {"store", 's', CLI_STRING, &store, "FILE",
         "keep what is proved in FILE (with --map a folder), and carry on with what is there; any positions and\n"
         "processes may share a file",
         0, 0},
        {"guide", 0, CLI_STRING, &proving.guide, "CORE",
         "try first what wins by this core, made on a board of this size or a larger one, up to 15x15", 0, 0},
        {"core", 0, CLI_STRING, &core, "CERTIFICATE",
         "prove nothing, write the hard moves of a proof that a side wins, for sortie expand", 0, 0},
        {"check-store", 0, CLI_STRING, &checked, "FILE", "prove nothing, say whether the store FILE is whole", 0, 0},
        CLI_SOURCE_OPTIONS(source),
        {0},
    };
    const char *file = NULL;
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &file, &exit_status)) {
        return exit_status;
    }
    if (checked) {
        return file || map ? cli_usage("prove: --check-store takes no file") : prove_check_store(checked);
    }
    if (core) {
        return file || map ? cli_usage("prove: --core takes no other file") : prove_core(core, output);
    }
    settings->stop = &cli_control()->stop;
    settings->progress = show_progress;
    settings->user = &proving;
    exit_status = cli_join_crew("prove", &proving.crew);
    if (exit_status) {
        return exit_status;
    }
    settings->threads = settings->threads ? settings->threads : proving.crew ? 1 : machine_cores();
    if (proving.crew && proving.crew->rank() > 0) {
        return help(&proving);
    }
    if (map && !proving.crew) {
        return ask_map(settings, store, only, file || claim || output || proving.guide);
    }
    if (map) {
        return file || claim || only ? cli_usage("prove: --map takes no file, no --claim and, under mpirun, no --only")
                                     : with_store(&proving, store, output, run_map);
    }
    exit_status = cli_read_request(file ? file : "input.txt", &source, false, &proving.request);
    if (exit_status != 0) {
        return exit_status;
    }
    if (proving.request.game != &gomoku_game) {
        struct prove_values_options options = {output, settings->seconds, settings->hash_bytes, STILL_OPEN};
        exit_status = (claim || store || proving.guide) && values_know(proving.request.game)
                          ? cli_usage("prove: expected --claim, --guide and --store with Gomoku only")
                          : prove_values(&proving.request, &options);
        course_request_free(&proving.request);
        return exit_status;
    }
    exit_status = check_request(&proving, claim);
    if (exit_status == 0) {
        exit_status = with_store(&proving, store, output, answer);
    }
    course_request_free(&proving.request);
    return exit_status;
}

const struct cli_command cli_prove = {
    .name = "prove",
    .summary = "prove who wins, with a certificate that can be checked",
    .usage = "[FILE] [-o CERTIFICATE] [--claim CLAIM] [--store FILE] [--guide CORE] | --map | --check-store FILE",
    .details = "Tries to prove that the side to move wins, that it loses, or that it does not win because the other\n"
               "side holds (is never beaten, by pairs of squares in the end). Prints what was proved and the first\n"
               "move. On small war boards and boards of Laser Checkmate (up to 8x8) it proves the final margin.\n"
               "Exit status 0: settled; 3: left open, with proof and disproof numbers so far.\n"
               "With --map: for which of the 36 different first stones of 15x15 its owner wins, and for which the\n"
               "other side. The time is for all of them; the folder --store keeps what is proved, for the next run to\n"
               "carry on with, and the core of each square that is settled, whose whole proof was checked.\n"
               "A store may be damaged: what is bad is skipped, the rest used. --check-store says what and where;\n"
               "exit status 0: whole; 1: damaged; 2: no store.\n"
               "Under mpirun the first process keeps store and proof, and the others search.\n"
               "The certificate holds the whole proof; 'sortie verify' checks it without the engine.\n",
    .example = "  printf 'gomoku freestyle 15\\nH8 A1 I8 A3 J8 O1 H9 O15 H10 A15\\n' | sortie prove - -o win.proof\n",
    .run = run,
};
