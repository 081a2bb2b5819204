#include "games/gomoku/rules/swap_table.h"

#include "base/assert.h"
#include "game/symmetry.h"

/* Squares whose chance is this much (in thousandths) further from even than the best one's still serve to open. */
#define EVEN_ENOUGH 40

int gomoku_swap_index(int square) {
    ASSERT(square >= 0 && square < GOMOKU_SWAP_SIZE * GOMOKU_SWAP_SIZE);
    int folded = symmetry_fold(GOMOKU_SWAP_SIZE, square);
    int row = folded / GOMOKU_SWAP_SIZE;
    return row * (row + 1) / 2 + folded % GOMOKU_SWAP_SIZE;
}

int gomoku_swap_square(int index) {
    ASSERT(index >= 0 && index < GOMOKU_SWAP_SQUARES);
    int inner = 0;
    while ((inner + 1) * (inner + 2) / 2 <= index) {
        inner++;
    }
    return inner * GOMOKU_SWAP_SIZE + index - inner * (inner + 1) / 2;
}

static enum gomoku_swap_proof proofs[GOMOKU_SWAP_SQUARES];

void gomoku_swap_settle(int square, enum gomoku_swap_proof proof) {
    proofs[gomoku_swap_index(square)] = proof;
}

bool gomoku_swap_settled(int square) {
    int index = gomoku_swap_index(square);
    return proofs[index] != GOMOKU_SWAP_OPEN || gomoku_swap_share[index] == 0 || gomoku_swap_share[index] == 1000;
}

bool gomoku_swap_take(int square) {
    int index = gomoku_swap_index(square);
    return proofs[index] == GOMOKU_SWAP_OPEN ? gomoku_swap_share[index] > 500 : proofs[index] == GOMOKU_SWAP_OWNER_WINS;
}

static int distance_from_even(int index) {
    if (proofs[index] != GOMOKU_SWAP_OPEN) {
        return 1000;
    }
    int distance = gomoku_swap_share[index] - 500;
    return distance < 0 ? -distance : distance;
}

int gomoku_swap_opening(struct rng *rng) {
    int best = 1000; /* what is proved is as far from even as can be */
    for (int i = 0; i < GOMOKU_SWAP_SQUARES; i++) {
        best = distance_from_even(i) < best ? distance_from_even(i) : best;
    }
    int even[GOMOKU_SWAP_SIZE * GOMOKU_SWAP_SIZE] = {0};
    uint32_t count = 0;
    for (int square = 0; square < GOMOKU_SWAP_SIZE * GOMOKU_SWAP_SIZE; square++) {
        if (distance_from_even(gomoku_swap_index(square)) <= best + EVEN_ENOUGH) {
            even[count++] = square;
        }
    }
    return even[rng_below(rng, count)];
}
