#include "cli/prove_map.h"

#include <stdio.h>

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/prove_crew.h"
#include "games/gomoku/swap_table.h"

#define ROUNDS 3 /* the first ones short: an easy square is not to wait for a hard one */
#define LEAST_SECONDS 0.05

/* The squares of the map from the middle outwards: what is proved of one guides the next. */
static void list_squares(int order[GOMOKU_SWAP_SQUARES]) {
    int far[GOMOKU_SWAP_SQUARES];
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        int square = gomoku_swap_square(i);
        int row = square / GOMOKU_SWAP_SIZE - GOMOKU_SWAP_SIZE / 2;
        int column = square % GOMOKU_SWAP_SIZE - GOMOKU_SWAP_SIZE / 2;
        int at = i;
        far[i] = row * row + column * column;
        for (; at > 0 && far[order[at - 1]] > far[i]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

/* The position with one stone, on a square of the map. */
static void put_stone(struct gomoku_position *position, int index) {
    gomoku_clear(position, GOMOKU_SWAP_SIZE, GOMOKU_FREESTYLE);
    gomoku_put(position, gomoku_swap_square(index));
}

/* One square: who wins, or the numbers so far. */
static void print_square(int index, const struct question *question) {
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

/* Asks about one square within so many seconds; returns whether it is settled, or -1 when the machine failed. */
static int ask_square(int index, struct question_settings settings, double seconds, double end, struct proved *proved,
                      FILE *stream, bool last) {
    struct gomoku_position position;
    struct question question;
    struct error error = {0};
    put_stone(&position, index);
    settings.wanted[ANSWER_WINS] = settings.wanted[ANSWER_LOSES] = true;
    settings.wanted[ANSWER_HOLDS] = false;
    settings.seconds = seconds;
    settings.build_seconds = end - clock_wall() - seconds; /* what is found is worth all there is */
    settings.build_seconds = settings.build_seconds > 0 ? settings.build_seconds : 0;
    enum status status = question_ask(&question, &position, &settings, proved, stream, &error);
    if (status != STATUS_OK) {
        cli_fail(NULL, &error, status);
        return -1;
    }
    if (last || question.answer != ANSWER_NONE) {
        print_square(index, &question);
    }
    return question.answer != ANSWER_NONE;
}

static int print_end(int open, const struct proved *proved, int open_status) {
    printf("%d of %d squares settled, %zu positions proved\n", GOMOKU_SWAP_SQUARES - open, GOMOKU_SWAP_SQUARES,
           proved->count);
    return open > 0 ? open_status : 0;
}

int prove_map(const struct question_settings *settings, struct proved *proved, FILE *stream, int open_status) {
    double end = clock_wall() + settings->seconds;
    bool settled[GOMOKU_SWAP_SQUARES] = {false};
    int order[GOMOKU_SWAP_SQUARES] = {0};
    int open = GOMOKU_SWAP_SQUARES;
    list_squares(order);
    for (int round = 1; round <= ROUNDS; round++) {
        int left = open;
        for (int k = 0; k < GOMOKU_SWAP_SQUARES; k++) {
            int i = order[k];
            if (settled[i]) {
                continue;
            }
            double share = (end - clock_wall()) / left-- / (ROUNDS + 1 - round);
            int answer = ask_square(i, *settings, share > LEAST_SECONDS ? share : LEAST_SECONDS, end, proved, stream,
                                    round == ROUNDS || atomic_load(settings->stop));
            if (answer < 0) {
                return STATUS_FAIL;
            }
            settled[i] = answer > 0;
            open -= answer > 0;
        }
        if (atomic_load(settings->stop)) {
            break;
        }
    }
    return print_end(open, proved, open_status);
}

static void print_settled(void *user, int index) {
    const struct prove_target *targets = user;
    print_square(index, &targets[index].question);
}

int prove_map_crew(const struct crew_link *link, const struct question_settings *settings, struct proved *proved,
                   FILE *stream, int open_status) {
    struct prove_target targets[GOMOKU_SWAP_SQUARES] = {0};
    struct prove_crew crew = {
        .link = link,
        .settings = settings,
        .proved = proved,
        .targets = targets,
        .count = GOMOKU_SWAP_SQUARES,
        .certificates = stream,
        .settled = print_settled,
        .user = targets,
    };
    struct error error = {0};
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        put_stone(&targets[i].position, i);
        targets[i].wanted[ANSWER_WINS] = targets[i].wanted[ANSWER_LOSES] = true;
    }
    enum status status = prove_crew_lead(&crew, &error);
    if (status != STATUS_OK) {
        return cli_fail(NULL, &error, status);
    }
    int open = 0;
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        if (targets[i].question.answer == ANSWER_NONE) {
            print_square(i, &targets[i].question);
            open++;
        }
    }
    return print_end(open, proved, open_status);
}
