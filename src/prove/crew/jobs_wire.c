#include "prove/crew/jobs_wire.h"

#include "certificate/certificate.h"
#include "crew/wire.h"

#define MOST (INT64_MAX / 2)

void job_order_write(const struct job_order *order, struct text *bytes) {
    const struct gomoku_position *position = &order->position;
    wire_add_number(bytes, order->answer);
    wire_add_number(bytes, order->milliseconds);
    wire_add_number(bytes, (int64_t)order->nodes);
    wire_add_number(bytes, position->size);
    wire_add_number(bytes, position->count);
    for (int i = 0; i < position->count; i++) {
        wire_add_number(bytes, position->order[i]);
    }
    wire_add_bytes(bytes, order->records, order->length);
}

/* Reads the stones: each on an empty square, and the game goes on behind the last. */
static void read_stones(struct wire *wire, struct gomoku_position *position) {
    int squares = position->size * position->size;
    int count = (int)wire_number(wire, 0, squares - 1);
    for (int i = 0; i < count && !wire->failed; i++) {
        int square = (int)wire_number(wire, 0, squares - 1);
        if (wire->failed || position->board[square] != GOMOKU_EMPTY) {
            wire->failed = true;
            break;
        }
        gomoku_put(position, square);
        wire->failed = position->winner != GOMOKU_NO_WINNER;
    }
}

enum status job_order_read(struct job_order *order, const char *bytes, size_t length, struct error *error) {
    struct wire wire;
    wire_init(&wire, bytes, length);
    order->answer = (enum question_answer)wire_number(&wire, 0, ANSWER_COUNT - 1);
    order->milliseconds = wire_number(&wire, 1, MOST);
    order->nodes = (uint64_t)wire_number(&wire, 0, MOST);
    gomoku_clear(&order->position, (int)wire_number(&wire, GOMOKU_LEAST_SIZE, CERTIFICATE_MOST_SIZE), GOMOKU_FREESTYLE);
    read_stones(&wire, &order->position);
    order->records = wire_bytes(&wire, SIZE_MAX, &order->length);
    return wire_end(&wire) ? STATUS_OK : error_machine(error, "expected the order of a job");
}

void job_result_write(const struct job_result *result, struct text *bytes) {
    wire_add_number(bytes, result->job);
    wire_add_number(bytes, result->numbers.phi);
    wire_add_number(bytes, result->numbers.delta);
    wire_add_number(bytes, (int64_t)result->nodes);
    wire_add_number(bytes, (int64_t)result->threat_nodes);
    wire_add_number(bytes, (int64_t)result->probes);
    wire_add_number(bytes, (int64_t)result->hits);
    wire_add_bytes(bytes, result->records, result->length);
}

enum status job_result_read(struct job_result *result, const char *bytes, size_t length, struct error *error) {
    struct wire wire;
    wire_init(&wire, bytes, length);
    result->job = wire_number(&wire, 0, MOST);
    result->numbers.phi = (uint32_t)wire_number(&wire, 0, PN_NEVER);
    result->numbers.delta = (uint32_t)wire_number(&wire, 0, PN_NEVER);
    result->nodes = (uint64_t)wire_number(&wire, 0, MOST);
    result->threat_nodes = (uint64_t)wire_number(&wire, 0, MOST);
    result->probes = (uint64_t)wire_number(&wire, 0, MOST);
    result->hits = (uint64_t)wire_number(&wire, 0, MOST);
    result->records = wire_bytes(&wire, SIZE_MAX, &result->length);
    return wire_end(&wire) ? STATUS_OK : error_machine(error, "expected the result of a job");
}
