#include "prove/crew/prove_map.h"

#include "base/stopwatch.h"
#include "games/gomoku/rules/swap_table.h"
#include "prove/crew/prove_crew.h"

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

/* Asks about one square within so many seconds; *settled says whether it is now. */
static enum status ask_square(const struct prove_map *map, int index, double seconds, double end, bool last,
                              bool *settled, struct error *error) {
    struct gomoku_position position;
    struct question question;
    struct question_settings settings = *map->settings;
    put_stone(&position, index);
    settings.wanted[ANSWER_WINS] = settings.wanted[ANSWER_LOSES] = true;
    settings.wanted[ANSWER_HOLDS] = false;
    settings.seconds = seconds;
    settings.build_seconds = end - clock_wall() - seconds; /* what is found is worth all there is */
    settings.build_seconds = settings.build_seconds > 0 ? settings.build_seconds : 0;
    enum status status = question_ask(&question, &position, &settings, map->proved, map->stream, error);
    *settled = status == STATUS_OK && question.answer != ANSWER_NONE;
    if (status == STATUS_OK && (last || *settled)) {
        map->told(map->user, index, &question);
    }
    return status;
}

enum status prove_map(const struct prove_map *map, int *open, struct error *error) {
    double end = clock_wall() + map->settings->seconds;
    bool settled[GOMOKU_SWAP_SQUARES] = {false};
    int order[GOMOKU_SWAP_SQUARES] = {0};
    *open = GOMOKU_SWAP_SQUARES;
    list_squares(order);
    for (int round = 1; round <= ROUNDS; round++) {
        int left = *open;
        for (int k = 0; k < GOMOKU_SWAP_SQUARES; k++) {
            int i = order[k];
            if (settled[i]) {
                continue;
            }
            double share = (end - clock_wall()) / left-- / (ROUNDS + 1 - round);
            enum status status = ask_square(map, i, share > LEAST_SECONDS ? share : LEAST_SECONDS, end,
                                            round == ROUNDS || atomic_load(map->settings->stop), &settled[i], error);
            if (status != STATUS_OK) {
                return status;
            }
            *open -= settled[i];
        }
        if (atomic_load(map->settings->stop)) {
            break;
        }
    }
    return STATUS_OK;
}

/* The squares a crew works on, and who hears of them. */
struct crew_map {
    const struct prove_map *map;
    struct prove_target targets[GOMOKU_SWAP_SQUARES];
};

static void tell_settled(void *user, int index) {
    const struct crew_map *crew = user;
    crew->map->told(crew->map->user, index, &crew->targets[index].question);
}

enum status prove_map_crew(const struct prove_map *map, const struct crew_link *link, int *open, struct error *error) {
    struct crew_map all = {.map = map};
    struct prove_crew crew = {
        .link = link,
        .settings = map->settings,
        .proved = map->proved,
        .targets = all.targets,
        .count = GOMOKU_SWAP_SQUARES,
        .certificates = map->stream,
        .settled = tell_settled,
        .user = &all,
    };
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        put_stone(&all.targets[i].position, i);
        all.targets[i].wanted[ANSWER_WINS] = all.targets[i].wanted[ANSWER_LOSES] = true;
    }
    enum status status = prove_crew_lead(&crew, error);
    *open = 0;
    for (int i = 0; i < GOMOKU_SWAP_SQUARES && status == STATUS_OK; i++) {
        if (all.targets[i].question.answer == ANSWER_NONE) {
            tell_settled(&all, i);
            ++*open;
        }
    }
    return status;
}
