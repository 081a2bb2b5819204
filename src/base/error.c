#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static void fill(struct error *error, int line, int column, const char *format, va_list arguments) {
    if (!error) {
        return;
    }
    error->line = line;
    error->column = column;
    vsnprintf(error->text, sizeof error->text, format, arguments);
}

enum status error_at(struct error *error, int line, int column, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, line, column, format, arguments);
    va_end(arguments);
    return STATUS_BAD_INPUT;
}

enum status error_machine(struct error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, 0, 0, format, arguments);
    va_end(arguments);
    return STATUS_FAIL;
}
