/* The network: its sums kept up to date move by move, in vectors, give the same integers as working everything out
 * anew, number by number, from what eval/network.h says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/gomoku/eval/net.h"
#include "games/gomoku/eval/weights.h"
#include "support/scale.h"

#define GAMES SCALED(300)

static struct gboard board;
static struct gboard_history history;

/* -- the slow way -- */

/* The number of half a line: its squares on the board, nearest first, in base three behind all shorter ones. */
static int half_of(const struct gomoku_position *position, int row, int column, int down, int right, int own) {
    static const int shorter[5] = {0, 1, 4, 13, 40};
    int code = 0;
    int power = 1;
    int inside = 0;
    for (int i = 1; i <= 4; i++, inside++, power *= 3) {
        int r = row + i * down;
        int c = column + i * right;
        if (r < 0 || r >= position->size || c < 0 || c >= position->size) {
            break;
        }
        int stone = position->board[r * position->size + c];
        code += power * (stone == GOMOKU_EMPTY ? 0 : stone == own ? 1 : 2);
    }
    return shorter[inside] + code;
}

static int most(int value, int limit) {
    return value < 0 ? 0 : value > limit ? limit : value;
}

/* A square's numbers before the convolution, for the view of `own`. */
static int plain_number(const struct network *network, const struct gomoku_position *position, int row, int column,
                        int own, int i) {
    static const int directions[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    int size = position->size;
    if (row < 0 || row >= size || column < 0 || column >= size ||
        position->board[row * size + column] != GOMOKU_EMPTY) {
        return 0;
    }
    int sum = 0;
    for (int d = 0; d < 4; d++) {
        int before = half_of(position, row, column, -directions[d][0], -directions[d][1], own);
        int behind = half_of(position, row, column, directions[d][0], directions[d][1], own);
        sum += network->rows[before * NET_HALVES + behind][i];
    }
    return most(sum, NET_MOST);
}

/* All numbers of all squares, own view first. */
static void slow_numbers(const struct network *network, const struct gomoku_position *position,
                         int numbers[][NET_SQUARE]) {
    static int plain[GOMOKU_MOST_SIZE + 2][GOMOKU_MOST_SIZE + 2][NET_SQUARE];
    int size = position->size;
    int own = 1 + (position->count & 1);
    for (int row = -1; row <= size; row++) {
        for (int column = -1; column <= size; column++) {
            for (int i = 0; i < NET_SQUARE; i++) {
                plain[row + 1][column + 1][i] =
                    plain_number(network, position, row, column, i < NET_VIEW ? own : 3 - own, i % NET_VIEW);
            }
        }
    }
    for (int square = 0; square < size * size; square++) {
        int row = square / size;
        int column = square % size;
        for (int i = 0; i < NET_SQUARE; i++) {
            int channel = i % NET_VIEW;
            int sum = plain[row + 1][column + 1][i];
            if (channel < NET_CONV) {
                sum = network->conv_bias[channel];
                for (int k = 0; k < 9; k++) {
                    sum += plain[row + k / 3][column + k % 3][i] * network->conv[channel][k];
                }
                sum = most(sum >> 6, NET_MOST);
            }
            numbers[square][i] = position->board[square] == GOMOKU_EMPTY ? sum : 0;
        }
    }
}

static int layer(int64_t sum) {
    return most((int)(sum >> 10), NET_LAYER_MOST);
}

/* The sums of each region; all numbers of all squares are `numbers`. */
static void slow_regions(int size, int numbers[][NET_SQUARE], int regions[NET_REGIONS][NET_SQUARE]) {
    memset(regions, 0, sizeof(int[NET_REGIONS][NET_SQUARE]));
    for (int square = 0; square < size * size; square++) {
        for (int i = 0; i < NET_SQUARE; i++) {
            regions[square / size * 3 / size * 3 + square % size * 3 / size][i] += numbers[square][i];
        }
    }
}

/* Those of an empty board of that size. */
static void slow_empty(const struct network *network, int size, int regions[NET_REGIONS][NET_SQUARE]) {
    static int numbers[GOMOKU_MOST_SQUARES][NET_SQUARE];
    struct gomoku_position empty;
    gomoku_clear(&empty, size, GOMOKU_FREESTYLE);
    slow_numbers(network, &empty, numbers);
    slow_regions(size, numbers, regions);
}

/* On another size than 15x15 the squares it has more or less count as empty ones. */
static void slow_as_usual(const struct network *network, int size, int regions[NET_REGIONS][NET_SQUARE]) {
    int usual[NET_REGIONS][NET_SQUARE];
    int empty[NET_REGIONS][NET_SQUARE];
    slow_empty(network, 15, usual);
    slow_empty(network, size, empty);
    for (int region = 0; region < NET_REGIONS; region++) {
        for (int i = 0; i < NET_SQUARE; i++) {
            regions[region][i] = most(regions[region][i] + usual[region][i] - empty[region][i], 32767 / 9);
        }
    }
}

/* The value, the chance of a draw, and the policy of every square. */
static int slow_value(const struct network *network, const struct gomoku_position *position, int *even, int *policy) {
    static int numbers[GOMOKU_MOST_SQUARES][NET_SQUARE];
    int size = position->size;
    int regions[NET_REGIONS][NET_SQUARE];
    int total[NET_SQUARE] = {0};
    int inputs[NET_INPUTS];
    slow_numbers(network, position, numbers);
    slow_regions(size, numbers, regions);
    if (size != 15) {
        slow_as_usual(network, size, regions);
    }
    for (int region = 0; region < NET_REGIONS; region++) {
        for (int i = 0; i < NET_SQUARE; i++) {
            total[i] += regions[region][i];
        }
    }
    for (int i = 0; i < NET_SQUARE; i++) {
        inputs[i] = total[i] >> 4;
    }
    for (int region = 0; region < NET_REGIONS; region++) {
        for (int out = 0; out < NET_REGION_OUT; out++) {
            int64_t sum = network->region_bias[out];
            for (int i = 0; i < NET_SQUARE; i++) {
                sum += (regions[region][i] >> 2) * network->region[out][i];
            }
            inputs[NET_SQUARE + region * NET_REGION_OUT + out] = layer(sum);
        }
    }
    int hidden[NET_HIDDEN_SIZE];
    for (int out = 0; out < NET_HIDDEN_SIZE; out++) {
        int64_t sum = network->hidden_bias[out];
        for (int i = 0; i < NET_INPUTS; i++) {
            sum += (int64_t)inputs[i] * network->hidden[out][i];
        }
        hidden[out] = layer(sum);
    }
    int64_t value = network->out_bias;
    int64_t draw = network->even_bias;
    for (int out = 0; out < NET_SECOND_SIZE; out++) {
        int64_t sum = network->second_bias[out];
        for (int i = 0; i < NET_HIDDEN_SIZE; i++) {
            sum += hidden[i] * network->second[out][i];
        }
        value += (int64_t)layer(sum) * network->out[out];
        draw += (int64_t)layer(sum) * network->even[out];
    }
    int weights[NET_SQUARE];
    for (int out = 0; out < NET_SQUARE; out++) {
        int64_t sum = network->policy_bias[out];
        for (int i = 0; i < NET_SQUARE; i++) {
            sum += inputs[i] * network->policy[out][i];
        }
        weights[out] = (int)(sum >> 10);
    }
    for (int square = 0; square < size * size; square++) {
        int64_t sum = 0;
        for (int i = 0; i < NET_SQUARE; i++) {
            sum += (int64_t)numbers[square][i] * weights[i];
        }
        policy[square] = (int)(sum >> 9);
    }
    *even = (int)((draw * NET_VALUE_UNIT) >> 18);
    return (int)((value * NET_VALUE_UNIT) >> 18);
}

/* What the last two moves do for a square. */
static int slow_draw(const struct gomoku_position *position, int square, const int last[2]) {
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        if (last[i] >= 0) {
            int down = abs(square / position->size - last[i] / position->size);
            int right = abs(square % position->size - last[i] % position->size);
            down = down < NET_AWAY ? down : NET_AWAY - 1;
            right = right < NET_AWAY ? right : NET_AWAY - 1;
            sum += net_numbers()->draw[i][down > right ? down : right][down > right ? right : down];
        }
    }
    return sum;
}

/* -- both compared -- */

static void compare(struct net *net, const struct gomoku_position *position) {
    static int policy[GOMOKU_MOST_SQUARES], together[GOMOKU_MOST_SQUARES];
    uint16_t squares[GOMOKU_MOST_SQUARES];
    struct net_policy weights;
    int last[2];
    int even;
    assert_int_equal(net_value(net, &board), slow_value(net_numbers(), position, &even, policy));
    assert_int_equal(net_draw(net, &board), even);
    net_policy_begin(net, &board, &weights);
    int count = 0;
    for (int square = 0; square < board.squares; square++) {
        if (position->board[square] == GOMOKU_EMPTY) {
            assert_int_equal(net_policy_of(net, &weights, square), policy[square]);
            squares[count++] = (uint16_t)square;
        }
    }
    for (int i = 0; i < 2; i++) {
        last[i] = position->count > i ? position->order[position->count - 1 - i] : -1;
    }
    net_policies(net, &board, last, squares, count, together);
    for (int i = 0; i < count; i++) {
        assert_int_equal(together[i], policy[squares[i]] + slow_draw(position, squares[i], last));
    }
}

/* Walks forward and back through random games on all sizes, and asks only now and then, so that several moves are made
 * up for at once: thousands of positions. */
static void test_same_integers(void **state) {
    (void)state;
    struct net *net = net_new(true);
    assert_non_null(net);
    struct rng rng = {17};
    int compared = 0;
    for (int game = 0; game < GAMES; game++) {
        int size = game % 3 ? 15 : GOMOKU_LEAST_SIZE + game / 3 % (GOMOKU_MOST_SIZE - GOMOKU_LEAST_SIZE + 1);
        static struct gomoku_position line[GOMOKU_MOST_SQUARES + 1];
        int at = 0;
        gomoku_clear(&line[0], size, game & 1);
        int set_up = (int)rng_below(&rng, 12);
        for (int i = 0; i < set_up; i++) {
            int square = (int)rng_below(&rng, (uint32_t)(size * size));
            if (line[0].board[square] == GOMOKU_EMPTY && line[0].winner == GOMOKU_NO_WINNER) {
                gomoku_put(&line[0], square);
            }
        }
        if (line[0].winner != GOMOKU_NO_WINNER) {
            continue;
        }
        gboard_load(&board, &line[0], &history);
        net_load(net, &board);
        for (int step = 0; step < 40; step++) {
            if (rng_below(&rng, 3) == 0 && at > 0) {
                gboard_undo(&board);
                at--;
            } else {
                int square = (int)rng_below(&rng, (uint32_t)(size * size));
                if (line[at].board[square] != GOMOKU_EMPTY) {
                    continue;
                }
                line[at + 1] = line[at];
                gomoku_put(&line[at + 1], square);
                if (line[at + 1].winner != GOMOKU_NO_WINNER || line[at + 1].count == size * size) {
                    continue;
                }
                gboard_play(&board, square);
                at++;
            }
            if (rng_below(&rng, 3) == 0) {
                compare(net, &line[at]);
                compared++;
            }
        }
    }
    net_free(net);
    assert_true(compared > GAMES * 8);
}

/* The game's own evaluation of a position is the same as that of a search that came there by moves. */
static void test_evaluation_of_a_position(void **state) {
    (void)state;
    struct net *net = net_new(true);
    struct gomoku_position position;
    gomoku_clear(&position, 15, GOMOKU_FREESTYLE);
    gboard_load(&board, &position, &history);
    net_load(net, &board);
    static const uint16_t moves[] = {112, 113, 127, 97, 98, 128, 143};
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        gomoku_put(&position, moves[i]);
        gboard_play(&board, moves[i]);
        int value = gboard_evaluate(&board);
        assert_int_equal(gomoku_evaluate((const struct game_position *)&position), board.side == 0 ? value : -value);
    }
    net_free(net);
}

/* A network with one wrong character, or one too few or too many, is refused. */
static void test_damage_is_noticed(void **state) {
    (void)state;
    struct network *network = malloc(sizeof *network);
    size_t length = strlen(gomoku_network_text);
    char *text = malloc(length + 8);
    assert_true(network && text);
    strcpy(text, gomoku_network_text);
    assert_true(network_read(network, text, gomoku_network_digest));
    assert_false(network_read(network, text, gomoku_network_digest ^ 1));
    text[length / 2] = text[length / 2] == 'A' ? 'B' : 'A';
    assert_false(network_read(network, text, gomoku_network_digest));
    text[length / 2] = '!';
    assert_false(network_read(network, text, gomoku_network_digest));
    strcpy(text, gomoku_network_text);
    text[length - 5] = '\0';
    assert_false(network_read(network, text, gomoku_network_digest));
    strcpy(text, gomoku_network_text);
    strcat(text, "AAAA");
    assert_false(network_read(network, text, gomoku_network_digest));
    assert_false(network_read(network, "", gomoku_network_digest));
    free(text);
    free(network);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_integers),
        cmocka_unit_test(test_evaluation_of_a_position),
        cmocka_unit_test(test_damage_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
