#include "base/error.h"

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
