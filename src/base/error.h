/* How a function says that it failed. The text is made once, where the cause is known; front doors only
 * print it and turn the status into the exit code of the process. */
#ifndef SORTIE_BASE_ERROR_H
#define SORTIE_BASE_ERROR_H

enum status {
    STATUS_OK = 0,
    STATUS_FAIL = 1,     /* the machine failed us: no memory, disk full, cannot start a thread */
    STATUS_BAD_INPUT = 2 /* what the user gave is wrong: usage, file content, unreadable file */
};

struct error {
    int line;   /* from 1; 0 when the fault has no place in a text */
    int column; /* from 1, in bytes */
    char text[240];
};

/* Fills *error, which may be NULL. */
void error_fill(struct error *error, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Both fill the error and have the status they are named for as their value, so that a caller writes
 * `return error_at(error, line, column, format, ...)`. Macros, so that a checker sees which status it is. */
#define error_at(...) (error_fill(__VA_ARGS__), error_status(STATUS_BAD_INPUT))
#define error_machine(error, ...) (error_fill(error, 0, 0, __VA_ARGS__), error_status(STATUS_FAIL))

/* For a call of the system that failed with `cause`: what only the machine can lack (memory, descriptors, room, a disk
 * that works) is its failure, and everything else is about what the user named. */
enum status error_status_of(int cause);
#define error_system(error, cause, ...) (error_fill(error, 0, 0, __VA_ARGS__), error_status_of(cause))

/* Lets a caller drop the value of the two without a warning. */
static inline enum status error_status(enum status status) {
    return status;
}

#endif
