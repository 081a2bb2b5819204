/* Any bytes as a move, on the starting board of every game: what is accepted is legal. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "game/registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    for (const struct game *const *game = game_list(); *game; game++) {
        struct game_position *position = calloc(1, (*game)->properties->position_size);
        game_move move;
        if (position && (*game)->start(position, (*game)->properties->usual_size, 0, NULL) == STATUS_OK &&
            (*game)->parse_move(position, (const char *)data, size, &move, NULL) == STATUS_OK &&
            !(*game)->legal(position, move)) {
            __builtin_trap();
        }
        free(position);
    }
    return 0;
}
