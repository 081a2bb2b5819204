#include "grade/explain/grade_explain.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clean.h"
#include "grade/grade_prepare.h"
#include "grade/grade_try.h"
#include "players/course_turn.h"
#include "sandbox/warden.h"

#define RUN_FILE "run.sh"

/* The words of a command as a line for a shell; "-i input.txt" where the course wants it. */
static void add_command(const struct grade *grade, const char *command, struct text *line) {
    for (const char *word = command; *word; word += strlen(word) + 1) {
        bool plain =
            strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:+-") == strlen(word);
        if (plain) {
            text_addf(line, "%s%s", word == command ? "" : " ", word);
        } else {
            grade_add_quoted(line, word);
        }
    }
    const struct course_request *request = &grade->cases[0].request;
    const struct course_format *course = course_format_of(request->game, request->game->variant(request->position));
    text_add_string(line, course && course->input_argument ? " -i " COURSE_INPUT_FILE : "");
}

/* Adds lines of somebody's text, each behind some blanks. */
static void add_indented(struct text *out, const char *text, const char *blanks) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        struct text line = TEXT_EMPTY;
        text_add(&line, text, length);
        text_add_string(out, blanks);
        clean_add(out, text_string(&line));
        text_add_char(out, '\n');
        text_spend(&line, out);
        text += length + (text[length] == '\n');
    }
}

static void add_named(struct text *out, const char *name, const char *value) {
    if (*value) {
        text_addf(out, "  %-9s", name);
        clean_add_whole(out, value);
        text_add_char(out, '\n');
    }
}

/* One way: which file, why, and the commands. */
static void add_way(const struct grade *grade, const struct grade_submission *submission,
                    const struct grade_prepared *prepared, int number, const char *command, struct text *out) {
    const struct grade_plan *plan = &prepared->plan;
    const struct grade_way *way = &plan->ways[number];
    const struct grade_build *build = &submission->build;
    struct text line = TEXT_EMPTY;
    text_addf(out, "%s %d of %d%s\n", number ? "\nway" : "way", number + 1, plan->way_count,
              way->if_unbuilt ? ", only where the one before cannot be built" : "");
    add_named(out, "program", build->file);
    add_named(out, "by", build->tool[0] ? build->tool : build->how);
    add_named(out, "because", build->why);
    if (way->script.length > 0) {
        text_addf(&line, "cd /build/%s && %s", plan->folder, text_string(&way->script));
        add_named(out, "built by", text_string(&line));
        line.length = 0;
    }
    add_named(out, "problem", build->problem);
    if (build->state == GRADE_BUILD_READY) {
        add_command(grade, command, &line);
        add_named(out, "run by", text_string(&line));
    }
    text_free(&line);
}

/* Everything that is known once it was laid out. */
static enum status add_ways(struct grade *grade, struct warden *warden, struct grade_submission *submission,
                            const struct grade_options *options, struct text *out, struct error *error) {
    struct grade_prepared prepared;
    enum status status = grade_prepare(&prepared, warden, submission, options, error);
    if (status == STATUS_OK && prepared.plan.considered.length > 0) {
        text_add_string(out, "\nlooked at, likeliest first\n");
        add_indented(out, text_string(&prepared.plan.considered), "  ");
    }
    text_add_char(out, '\n');
    if (prepared.plan.way_count == 0) {
        add_named(out, "problem", submission->build.problem);
    }
    for (int i = 0; i < prepared.plan.way_count && status == STATUS_OK; i++) {
        struct text command = TEXT_EMPTY;
        text_free(&submission->build.messages);
        status = grade_prepare_way(&prepared, i, warden, submission, options, &command, error);
        if (status == STATUS_OK) {
            add_way(grade, submission, &prepared, i, text_string(&command), out);
            add_indented(out, text_string(&submission->build.messages), "    | ");
        }
        text_free(&command);
    }
    if (prepared.plan.way_count > 1) {
        text_add_string(out, "\nThe first way that passes every case counts, otherwise the best one.\n");
    }
    if (prepared.plan.way_count > 0) {
        text_addf(out,
                  "\nA way that leaves no answer is run again in a copy of the program's own folder, as after\n"
                  "cp -Rn /build/%s/. .\n",
                  prepared.plan.folder);
    }
    grade_prepared_free(&prepared);
    return status;
}

enum status grade_explain(struct grade *grade, int number, const struct grade_options *options, struct text *out,
                          struct error *error) {
    struct grade_submission *submission = &grade->submissions[number];
    struct grade_options own = grade_options_for(submission, options);
    struct warden *warden = NULL;
    own.course = grade_course_of(grade);
    clean_add(out, submission->name);
    text_add_string(out, ": ");
    clean_add(out, submission->path);
    text_add_char(out, '\n');
    if (submission->wish.excused) {
        text_add_string(out, "excused: not graded\n");
    }
    enum status status = warden_start(&warden, error);
    if (status == STATUS_OK) {
        status = add_ways(grade, warden, submission, &own, out, error);
    }
    warden_stop(warden);
    return status == STATUS_OK && out->broken ? error_machine(error, "out of memory") : status;
}

/* -- the shell -- */

/* Bytes on their way to the shell. */
struct relay {
    char bytes[4096];
    size_t from;
    size_t to;
    int in; /* -1: at its end */
    int to_shell;
};

static void take_input(struct relay *relay) {
    ssize_t got = read(relay->in, relay->bytes, sizeof relay->bytes);
    relay->from = 0;
    relay->to = got > 0 ? (size_t)got : 0;
    relay->in = got > 0 || (got < 0 && errno == EINTR) ? relay->in : -1;
}

static void give_input(struct relay *relay) {
    ssize_t given = write(relay->to_shell, relay->bytes + relay->from, relay->to - relay->from);
    relay->from += given > 0 ? (size_t)given : 0;
    if (given < 0 && errno != EAGAIN && errno != EINTR) {
        relay->from = relay->to = 0;
        relay->in = -1;
    }
    if (relay->in < 0 && relay->from == relay->to && relay->to_shell >= 0) {
        close(relay->to_shell); /* the shell sees the end of its input */
        relay->to_shell = -1;
    }
}

/* Hands a line or a program's words on; false when the shell has ended. */
static bool pass_output(int from_shell, int out) {
    char bytes[4096];
    ssize_t got = read(from_shell, bytes, sizeof bytes);
    for (ssize_t done = 0; done < got;) {
        ssize_t written = write(out, bytes + done, (size_t)(got - done));
        if (written < 0 && errno != EINTR) {
            return false;
        }
        done += written > 0 ? written : 0;
    }
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

static void relay_all(struct relay *relay, int from_shell, int out, const struct grade_options *options) {
    bool going = true;
    while (going && !(options->stop && atomic_load(options->stop))) {
        bool waiting = relay->from < relay->to || (relay->in < 0 && relay->to_shell >= 0);
        struct pollfd watched[3] = {{.fd = from_shell, .events = POLLIN},
                                    {.fd = waiting ? relay->to_shell : -1, .events = POLLOUT},
                                    {.fd = waiting ? -1 : relay->in, .events = POLLIN}};
        if (poll(watched, 3, 200) < 0 && errno != EINTR) {
            return;
        }
        if (watched[2].revents) {
            take_input(relay);
        }
        if (watched[1].revents) {
            give_input(relay);
        }
        going = !watched[0].revents || pass_output(from_shell, out);
    }
}

/* What lies in the folder the shell begins in. */
static enum status furnish(const struct grade *grade, struct warden *warden, const char *command, struct error *error) {
    struct text line = TEXT_EMPTY;
    const struct text *input = &grade->cases[0].input;
    add_command(grade, command, &line);
    text_add_char(&line, '\n');
    enum status status = warden_clean(warden, error);
    if (status == STATUS_OK) {
        status = warden_put(warden, COURSE_INPUT_FILE, text_string(input), input->length, error);
    }
    if (status == STATUS_OK && *command) {
        status = warden_put(warden, RUN_FILE, text_string(&line), line.length, error);
    }
    text_free(&line);
    return status;
}

static void say_hello(const struct grade *grade, const struct grade_submission *submission,
                      const struct grade_prepared *prepared, void (*hello)(const char *text)) {
    struct text text = TEXT_EMPTY;
    text_add_string(&text, "the sandbox of ");
    clean_add(&text, submission->name);
    text_addf(&text, ": its files are in /build/");
    clean_add(&text, prepared->plan.folder);
    text_add_string(&text, ", input.txt is that of case ");
    clean_add(&text, grade->cases[0].name);
    if (submission->build.state == GRADE_BUILD_READY) {
        text_add_string(&text, ", and 'sh " RUN_FILE "' runs the program; 'exit' leaves");
    } else {
        text_add_string(&text, "; there is nothing to run: ");
        clean_add(&text, submission->build.problem);
    }
    hello(text_string(&text));
    text_free(&text);
}

static enum status run_shell(struct warden *warden, const struct grade_options *options, int in, int out,
                             struct error *error) {
    struct warden_limits limits = options->limits;
    struct warden_report report;
    bool typed = isatty(in);
    const char *const words[] = {"/bin/sh", "-c",
                                 typed ? "exec 2>&1; PS1='sandbox$ ' exec /bin/sh -i +m" : "exec /bin/sh 2>&1", NULL};
    struct relay relay = {.in = in};
    int from_shell;
    limits.wall_seconds = limits.cpu_seconds = 0;
    enum status status = warden_open(warden, words, &limits, &relay.to_shell, &from_shell, error);
    if (status == STATUS_OK) {
        relay_all(&relay, from_shell, out, options);
        if (relay.to_shell >= 0) {
            close(relay.to_shell);
        }
        close(from_shell);
        status = warden_close(warden, 0.2, &report, NULL, error);
    }
    return status;
}

enum status grade_shell(struct grade *grade, int number, const struct grade_options *options, int in, int out,
                        void (*hello)(const char *text), struct error *error) {
    struct grade_submission *submission = &grade->submissions[number];
    struct grade_options own = grade_options_for(submission, options);
    struct grade_prepared prepared = {0};
    struct text command = TEXT_EMPTY;
    struct warden *warden = NULL;
    own.course = grade_course_of(grade);
    enum status status = warden_start(&warden, error);
    if (status == STATUS_OK) {
        status = grade_prepare_first(&prepared, warden, submission, &own, &command, error);
    }
    bool ready = status == STATUS_OK && submission->build.state == GRADE_BUILD_READY;
    if (status == STATUS_OK) {
        say_hello(grade, submission, &prepared, hello);
        status = furnish(grade, warden, ready ? text_string(&command) : "", error);
    }
    if (status == STATUS_OK) {
        status = run_shell(warden, &own, in, out, error);
    }
    text_free(&command);
    grade_prepared_free(&prepared);
    warden_stop(warden);
    return status;
}
