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

/* Both fill *error (which may be NULL) and return the status they are named for, so that a caller writes
 * `return error_at(...)`. */
enum status error_at(struct error *error, int line, int column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
enum status error_machine(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
