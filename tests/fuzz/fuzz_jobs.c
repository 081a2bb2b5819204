/* Any bytes as an order or a result between the processes that prove together: no crash, and what is accepted reads the
 * same once written. */
#include <stdlib.h>
#include <string.h>

#include "prove/crew/jobs_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read is written and must be read again, to the same bytes. */
static void check_order(const struct job_order *order, struct error *error) {
    struct text first = TEXT_EMPTY;
    struct text second = TEXT_EMPTY;
    struct job_order again;
    job_order_write(order, &first);
    if (job_order_read(&again, text_string(&first), first.length, error) != STATUS_OK) {
        abort();
    }
    job_order_write(&again, &second);
    if (first.length != second.length || memcmp(first.data, second.data, first.length) != 0) {
        abort();
    }
    text_free(&first);
    text_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *bytes = (const char *)data;
    struct error error;
    struct job_order order;
    struct job_result result;
    struct proved proved;
    proved_init(&proved);
    if (job_order_read(&order, bytes, size, &error) == STATUS_OK) {
        check_order(&order, &error);
        proved_take(&proved, order.records, order.length);
    }
    if (job_result_read(&result, bytes, size, &error) == STATUS_OK) {
        proved_take(&proved, result.records, result.length);
    }
    proved_close(&proved);
    return 0;
}
