#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean.h"
#include "base/number.h"
#include "base/stopwatch.h"
#include "crew/backend.h"
#include "system/file.h"

/* No course file comes near this; a larger one is refused before it is parsed. */
#define MOST_BYTES ((size_t)1 << 20)

/* -- help -- */

static void print_options(const struct cli_option *options) {
    for (const struct cli_option *option = options; option->name; option++) {
        char left[64];
        int length = snprintf(left, sizeof left, "  %c%c%s--%s%s%s", option->letter ? '-' : ' ',
                              option->letter ? option->letter : ' ', option->letter ? ", " : "  ", option->name,
                              option->argument ? " " : "", option->argument ? option->argument : "");
        printf("%s%*s%s\n", left, length < 28 ? 28 - length : 1, "", option->help);
    }
    printf("  -h, --help                show this page\n");
}

void cli_game_names(const char *usual, char names[200]) {
    size_t length = 0;
    const char *name;
    names[0] = '\0';
    for (int i = 0; (name = sortie_game_name(i)) != NULL && length < 160; i++) {
        length += (size_t)snprintf(names + length, 200 - length, "%s%.20s%s", i ? ", " : "", name,
                                   strcmp(name, usual) == 0 ? " (default)" : "");
    }
}

void cli_print_titles(FILE *stream) {
    const char *name;
    for (int i = 0; (name = sortie_game_name(i)) != NULL; i++) {
        sortie_game_info info = SORTIE_INIT(sortie_game_info);
        sortie_game_about(name, &info, NULL);
        fprintf(stream, "%s%s", i == 0 ? "" : sortie_game_name(i + 1) ? ", " : " and ", info.title);
    }
}

static void print_help(const struct cli_command *command, const struct cli_option *options) {
    if (backend_helps()) {
        return;
    }
    printf("usage: sortie %s %s\n\n%s\n", command->name, command->usage, command->details);
    printf("Options:\n");
    print_options(options);
    if (command->example) {
        printf("\nExample:\n%s", command->example);
    }
}

/* -- options -- */

static bool parse_number(const char *text, int64_t *value, char *suffix) {
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || errno || (*end && end[1])) {
        return false;
    }
    *value = number;
    *suffix = *end;
    return true;
}

/* Multiplies by the power of `base` the suffix stands for; false when it is none or it overflows. */
static bool scale(int64_t *value, char suffix, int64_t base) {
    int power = suffix == 'K' || suffix == 'k' ? 1 : suffix == 'M' ? 2 : suffix == 'G' ? 3 : suffix ? -1 : 0;
    if (power < 0 || *value < 1) {
        return false;
    }
    for (; power; power--) {
        if (*value > INT64_MAX / base) {
            return false;
        }
        *value *= base;
    }
    return true;
}

static bool store(const struct cli_option *option, const char *text) {
    int64_t number = 0;
    char suffix = 0;
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)option->target = true;
        return true;
    case CLI_STRING:
        *(const char **)option->target = text;
        return true;
    case CLI_INT: {
        bool any = option->least == 0 && option->most == 0;
        int least = any ? 1 : option->least;
        int most = any ? INT_MAX : option->most;
        if (!parse_number(text, &number, &suffix) || suffix || number < least || number > most) {
            cli_usage("expected a whole number of %d to %d for --%s, found '%s'", least, most, option->name, text);
            return false;
        }
        *(int *)option->target = (int)number;
        return true;
    }
    case CLI_COUNT:
        if (!parse_number(text, &number, &suffix) || !scale(&number, suffix, 1000)) {
            cli_usage("expected a positive number such as 5000 or 2M for --%s, found '%s'", option->name, text);
            return false;
        }
        *(uint64_t *)option->target = (uint64_t)number;
        return true;
    case CLI_SIZE:
        if (!parse_number(text, &number, &suffix) || !scale(&number, suffix ? suffix : 'M', 1024)) {
            cli_usage("expected a size such as 512M or 4G for --%s, found '%s'", option->name, text);
            return false;
        }
        *(size_t *)option->target = (size_t)number;
        return true;
    case CLI_SECONDS: {
        double seconds;
        if (!number_parse(text, &seconds) || !(seconds > 0) || seconds > 1e9) {
            cli_usage("expected a positive number of seconds for --%s, found '%s'", option->name, text);
            return false;
        }
        *(double *)option->target = seconds;
        return true;
    }
    }
    return false;
}

/* Finds the option an argument names; *value points behind "=" where there is one. */
static const struct cli_option *find_option(const struct cli_option *options, const char *argument,
                                            const char **value) {
    *value = NULL;
    for (const struct cli_option *option = options; option->name; option++) {
        if (argument[1] != '-') {
            if (option->letter && argument[1] == option->letter) {
                *value = argument[2] ? argument + 2 : NULL;
                return option;
            }
            continue;
        }
        size_t length = strlen(option->name);
        if (strncmp(argument + 2, option->name, length) == 0) {
            char next = argument[2 + length];
            if (next == '\0' || next == '=') {
                *value = next ? argument + 3 + length : NULL;
                return option;
            }
        }
    }
    return NULL;
}

bool cli_parse(const struct cli_command *command, const struct cli_option *options, int argc, char **argv,
               int *operands, int *exit_status) {
    int kept = 0;
    bool only_operands = false;
    *exit_status = STATUS_BAD_INPUT;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        if (only_operands || argument[0] != '-' || argument[1] == '\0') {
            argv[kept++] = argv[i];
            continue;
        }
        if (strcmp(argument, "--") == 0) {
            only_operands = true;
            continue;
        }
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            print_help(command, options);
            *exit_status = 0;
            return false;
        }
        if (strcmp(argument, "--manual") == 0 || strcmp(argument, "--words") == 0) {
            if (argument[2] == 'm') {
                cli_print_manual(command, options);
            } else {
                cli_print_words(options);
            }
            *exit_status = 0;
            return false;
        }
        const char *value;
        const struct cli_option *option = find_option(options, argument, &value);
        if (!option) {
            cli_usage("%s: unknown option %s; 'sortie %s --help' lists them", command->name, argument, command->name);
            return false;
        }
        if (option->kind == CLI_FLAG && value) {
            cli_usage("%s: --%s takes no value", command->name, option->name);
            return false;
        }
        if (option->kind != CLI_FLAG && !value) {
            if (i + 1 == argc) {
                cli_usage("%s: expected %s after %s", command->name, option->argument, argument);
                return false;
            }
            value = argv[++i];
        }
        if (!store(option, value)) {
            return false;
        }
    }
    *operands = kept;
    *exit_status = 0;
    return true;
}

bool cli_parse_file(const struct cli_command *command, const struct cli_option *options, int argc, char **argv,
                    const char **file, int *exit_status) {
    int operands;
    if (!cli_parse(command, options, argc, argv, &operands, exit_status)) {
        return false;
    }
    if (operands > 1) {
        *exit_status = cli_usage("%s: expected one file, found also '%s'", command->name, argv[1]);
        return false;
    }
    if (operands == 1) {
        *file = argv[0];
    }
    return true;
}

/* -- messages -- */

static bool left_to_first;

bool cli_left_to_first(void) {
    return left_to_first;
}

int cli_fail(const char *file, const struct error *error, enum status status) {
    struct clean_line name;
    struct clean_line text;
    clean_string(&text, error->text);
    if (file && error->line > 0) {
        fprintf(stderr, "sortie: %s:%d:%d: %s\n", clean_string(&name, file), error->line, error->column, text.text);
    } else if (file) {
        fprintf(stderr, "sortie: %s: %s\n", clean_string(&name, file), text.text);
    } else {
        fprintf(stderr, "sortie: %s\n", text.text);
    }
    return (int)status;
}

int cli_no_memory(void) {
    return cli_fail(NULL, &(struct error){.text = "out of memory"}, STATUS_FAIL);
}

int cli_refuse(const char *file, const sortie_error *error, sortie_status status) {
    return cli_fail(file, (const struct error *)error, (enum status)status); /* the same bytes: api.h asserts it */
}

int cli_print(struct text *text) {
    bool whole = !text->broken;
    fwrite(text_string(text), 1, text->length, stdout);
    text_free(text);
    return whole ? 0 : cli_no_memory();
}

int cli_usage(const char *format, ...) {
    if (backend_helps()) {
        left_to_first = true;
        return STATUS_BAD_INPUT;
    }
    char text[2048];
    struct clean_line line;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "sortie: %s\n", clean_string(&line, text));
    return STATUS_BAD_INPUT;
}

void cli_warn(const char *file, const char *text) {
    struct clean_line name;
    struct clean_line line;
    fprintf(stderr, "sortie: %s: warning: %s\n", clean_string(&name, file), clean_string(&line, text));
}

int cli_read_bytes(const char *file, char **bytes, size_t *length) {
    struct error error = {0};
    enum status status = file_read(file, MOST_BYTES, bytes, length, &error);
    return status == STATUS_OK ? 0 : cli_fail(file, &error, status);
}

int cli_read_request(const char *file, const struct cli_source *source, bool allow_over,
                     struct course_request *request) {
    struct error error = {0};
    char *bytes;
    size_t length;
    int exit_status = cli_read_bytes(file, &bytes, &length);
    if (exit_status != 0) {
        return exit_status;
    }
    enum status status = course_parse_record(bytes, length, source ? source->format : NULL, source ? source->record : 0,
                                             request, &error);
    if (status == STATUS_OK && !allow_over) {
        status = course_refuse_over(bytes, length, request, &error);
    }
    free(bytes);
    if (status != STATUS_OK) {
        return cli_fail(file, &error, status);
    }
    if (request->warning[0]) {
        cli_warn(file, request->warning);
    }
    return 0;
}

/* -- interruption and progress -- */

static struct search_control control;
static _Atomic(sortie_engine *) watched;

#define ECHO_MILLISECONDS 300
#define SIGNALS 256

/* The first interruption, if any: when it came, in milliseconds, times SIGNALS, and its signal. */
static atomic_llong heard;

/* The same signal again within moments is an echo: timeout and mpirun send theirs to a program and to its group. */
static bool is_echo(int signal_number, long long now) {
    long long first = atomic_load(&heard);
    return first % SIGNALS == signal_number && now - first / SIGNALS < ECHO_MILLISECONDS;
}

static void on_interrupt(int signal_number) {
    long long now = (long long)(clock_wall() * 1000);
    long long none = 0;
    if (!atomic_compare_exchange_strong(&heard, &none, now * SIGNALS + signal_number)) {
        if (!is_echo(signal_number, now)) {
            file_remove_unfinished();
            _exit(128 + signal_number);
        }
        return;
    }
    atomic_store(&control.stop, true);
    sortie_engine *engine = atomic_load(&watched);
    if (engine) {
        sortie_engine_stop(engine);
    }
}

struct search_control *cli_control(void) {
#ifdef _WIN32
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
#else
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
#endif
    return &control;
}

void cli_watch(sortie_engine *engine) {
    atomic_store(&watched, engine);
    cli_control();
}

bool cli_interrupted(void) {
    return atomic_load(&control.stop);
}

void cli_forget_interrupt(void) {
    atomic_store(&heard, 0);
    atomic_store(&control.stop, false);
}

bool cli_shows_progress(void) {
    return isatty(STDERR_FILENO);
}

void cli_progress(const char *line) {
    if (cli_shows_progress()) {
        struct text shown = TEXT_EMPTY;
        clean_add_column(&shown, line ? line : "", 0, 200);
        fprintf(stderr, "\r%s\033[K", text_string(&shown));
        text_free(&shown);
        fflush(stderr);
    }
}
