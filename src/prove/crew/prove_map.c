#include "prove/crew/prove_map.h"

#include "games/gomoku/rules/swap_table.h"
#include "prove/crew/prove_crew.h"

/* The position with one stone, on a square of the map. */
static void put_stone(struct gomoku_position *position, int index) {
    gomoku_clear(position, GOMOKU_SWAP_SIZE, GOMOKU_FREESTYLE);
    gomoku_put(position, gomoku_swap_square(index));
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
