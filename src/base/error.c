#include "base/error.h"

#include <errno.h>
#include <stdarg.h>

#include "base/number.h"

void error_fill(struct error *error, int line, int column, const char *format, ...) {
    if (!error) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    error->line = line;
    error->column = column;
    number_vformat(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}

enum status error_status_of(int cause) {
    static const int lacks[] = {ENOMEM, EMFILE, ENFILE, EAGAIN, EIO, ENOSPC};
    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++) {
        if (cause == lacks[i]) {
            return STATUS_FAIL;
        }
    }
#ifdef EDQUOT
    return cause == EDQUOT ? STATUS_FAIL : STATUS_BAD_INPUT;
#else
    return STATUS_BAD_INPUT;
#endif
}
