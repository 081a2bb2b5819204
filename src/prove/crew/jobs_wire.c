#include "prove/crew/jobs_wire.h"

#include "base/reader.h"
#include "prove/certificate.h"

#define MOST (INT64_MAX / 2)

/* Reads the numbers of a line, each within its limits. */
static enum status read_numbers(struct reader *reader, int count, const int64_t *least, const int64_t *most,
                                int64_t *numbers, struct error *error) {
    enum status status = reader_need_line(reader, "a line of numbers", error);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = reader_integer(reader, least[i], most[i], "a number of a job", &numbers[i], error);
    }
    return status;
}

void job_order_write(const struct job_order *order, struct text *bytes) {
    const struct gomoku_position *position = &order->position;
    text_addf(bytes, "%d %lld %llu %d", (int)order->answer, (long long)order->milliseconds,
              (unsigned long long)order->nodes, position->size);
    for (int i = 0; i < position->count; i++) {
        text_addf(bytes, " %d", position->order[i]);
    }
    text_add_char(bytes, '\n');
    text_add(bytes, order->records, order->length);
}

enum status job_order_read(struct job_order *order, const char *bytes, size_t length, struct error *error) {
    static const int64_t least[4] = {0, 1, 0, GOMOKU_LEAST_SIZE};
    static const int64_t most[4] = {ANSWER_COUNT - 1, MOST, MOST, CERTIFICATE_MOST_SIZE};
    int64_t numbers[4];
    struct reader reader;
    struct gomoku_position *position = &order->position;
    reader_init(&reader, bytes, length);
    enum status status = read_numbers(&reader, 4, least, most, numbers, error);
    if (status != STATUS_OK) {
        return status;
    }
    order->answer = (enum question_answer)numbers[0];
    order->milliseconds = numbers[1];
    order->nodes = (uint64_t)numbers[2];
    gomoku_clear(position, (int)numbers[3], GOMOKU_FREESTYLE);
    int squares = position->size * position->size;
    while (reader_skip_blanks(&reader)) {
        int64_t square;
        size_t start = reader.cursor;
        status = reader_integer(&reader, 0, squares - 1, "a square", &square, error);
        if (status != STATUS_OK) {
            return status;
        }
        if (position->board[square] != GOMOKU_EMPTY) {
            reader.cursor = start;
            return reader_expected(&reader, "an empty square", error);
        }
        gomoku_put(position, (int)square);
        if (position->winner != GOMOKU_NO_WINNER || position->count == squares) {
            reader.cursor = start;
            return reader_expected(&reader, "a game that goes on", error);
        }
    }
    order->records = reader.next;
    order->length = (size_t)(reader.end - reader.next);
    return STATUS_OK;
}

void job_result_write(const struct job_result *result, struct text *bytes) {
    text_addf(bytes, "%lld %u %u %llu %llu %llu %llu\n", (long long)result->job, result->numbers.phi,
              result->numbers.delta, (unsigned long long)result->nodes, (unsigned long long)result->threat_nodes,
              (unsigned long long)result->probes, (unsigned long long)result->hits);
    text_add(bytes, result->records, result->length);
}

enum status job_result_read(struct job_result *result, const char *bytes, size_t length, struct error *error) {
    static const int64_t least[7] = {0};
    static const int64_t most[7] = {MOST, PN_NEVER, PN_NEVER, MOST, MOST, MOST, MOST};
    int64_t numbers[7];
    struct reader reader;
    reader_init(&reader, bytes, length);
    enum status status = read_numbers(&reader, 7, least, most, numbers, error);
    status = status == STATUS_OK ? reader_need_line_end(&reader, "the end of the line", error) : status;
    if (status != STATUS_OK) {
        return status;
    }
    *result = (struct job_result){
        .job = numbers[0],
        .numbers = {(uint32_t)numbers[1], (uint32_t)numbers[2]},
        .nodes = (uint64_t)numbers[3],
        .threat_nodes = (uint64_t)numbers[4],
        .probes = (uint64_t)numbers[5],
        .hits = (uint64_t)numbers[6],
        .records = reader.next,
        .length = (size_t)(reader.end - reader.next),
    };
    return STATUS_OK;
}
