/* The public C API: course files, answered byte for byte as their courses expect it. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "formats/course.h"
#include "formats/traversal.h"

struct sortie_course {
    struct course_request request;
};

sortie_status sortie_course_parse(const char *bytes, size_t length, const char *format, sortie_course **out,
                                  sortie_error *error) {
    return sortie_course_parse_record(bytes, length, format, 0, out, error);
}

sortie_status sortie_course_parse_record(const char *bytes, size_t length, const char *format, int record,
                                         sortie_course **out, sortie_error *error) {
    if (record < 0) {
        return api_bad(error, "expected the number of a game, from 1, or 0 for the first");
    }
    sortie_course *course = malloc(sizeof *course);
    if (!course) {
        return api_no_memory(error);
    }
    enum status status = course_parse_record(bytes, length, format, record, &course->request, api_error(error));
    if (status == STATUS_OK) {
        status = course_refuse_over(bytes, length, &course->request, api_error(error));
    }
    if (status != STATUS_OK) {
        free(course);
        return (sortie_status)status;
    }
    *out = course;
    return SORTIE_OK;
}

void sortie_course_free(sortie_course *course) {
    if (course) {
        course_request_free(&course->request);
        free(course);
    }
}

sortie_status sortie_course_about(const sortie_course *course, sortie_course_info *info, sortie_error *error) {
    const struct course_request *request = &course->request;
    const struct course_format *format = request->format;
    const struct course_player *player = &request->players[0];
    bool battle = request->battle && format->battle_file;
    sortie_course_info known = {
        .format = format->name,
        .title = format->title,
        .answer_file = battle ? format->battle_file : format->answer_file,
        .log_file = request->log ? format->log_file : NULL,
        .warning = request->warning,
        .battle = request->battle,
        .method = (sortie_method)player->method,
        .depth = player->depth,
        .cpu_seconds_left = player->cpu_seconds_left,
        .wall_seconds = player->wall_seconds,
    };
    return api_give(info, &known, sizeof known) ? SORTIE_OK : api_bad(error, "expected the info's size to be set");
}

sortie_status sortie_course_position(const sortie_course *course, sortie_position **out, sortie_error *error) {
    return api_wrap_copy(course->request.game, course->request.position, out, error);
}

/* -- answers -- */

/* One answer on its way. */
struct answering {
    const struct course_request *request;
    sortie_engine *engine;
    sortie_course_orders orders;
    sortie_limits limits; /* of the caller; zero where it gave none */
    bool own;             /* the caller's limits replace what the file asks for */
    struct text answer;
    sortie_error *error;
};

/* Whether limits that were read by api_limits replace what the file asks for. */
static bool replace_file(const sortie_limits *limits) {
    return limits->method == SORTIE_ENGINE &&
           (limits->depth || limits->nodes || limits->wall_seconds > 0 || limits->cpu_seconds > 0 ||
            limits->cpu_seconds_left > 0 || limits->wall_seconds_left > 0 || limits->goal != SORTIE_BEST);
}

int sortie_limits_replace_file(const sortie_limits *limits) {
    sortie_limits known;
    return limits && api_limits(limits, &known, NULL) == SORTIE_OK && replace_file(&known);
}

/* What an answer costs apart from its search, from what it cost before the search began. Measured on a 5x5 board: 2 to
 * 4.4 ms until then, as busy as the machine is, 0.3 ms to write the file, 0.1 to 2 ms to give the tables back, 0.2 ms
 * to end. Who starts the program may count its own part too, and cannot be asked: the sandbox of a match takes 5 to 8
 * ms. */
#define APART_TIMES 2.0
#define APART_MORE 0.010

/* How the engine is limited: by the caller, else by the file, else by what is quickest. */
static struct search_limits limits_of(const struct answering *answering, const struct course_player *player) {
    struct search_limits limits = api_search_limits(&answering->limits);
    if (answering->own) {
        return limits;
    }
    double spent = answering->orders.cpu_seconds_spent;
    if (player->cpu_seconds_left > spent) {
        limits.cpu_seconds_left = player->cpu_seconds_left - spent;
        limits.cpu_seconds_apart = spent > 0 ? APART_TIMES * spent + APART_MORE : 0;
    } else if (player->wall_seconds > 0) {
        limits.wall_seconds = player->wall_seconds;
    } else {
        limits.depth = 1; /* a file with no CPU second left: the quickest legal answer */
    }
    return limits;
}

static sortie_status choose(struct answering *answering, const struct game_position *position,
                            const struct course_player *player, const struct textbook_visitor *visitor,
                            struct search_result *result) {
    struct engine_request request = {.method = answering->own ? SEARCH_ENGINE : player->method,
                                     .depth = player->depth,
                                     .visitor = visitor,
                                     .limits = limits_of(answering, player)};
    return api_search(answering->engine, answering->request->game, position, &request, &answering->limits, result,
                      answering->error);
}

/* One move, with the log where the course wants one. */
static sortie_status answer_move(struct answering *answering, struct search_result *result) {
    const struct course_request *request = answering->request;
    const struct game *game = request->game;
    bool logs = request->log && !answering->own && answering->orders.on_log;
    struct traversal_log *log = logs ? malloc(sizeof *log) : NULL;
    struct game_position *after = malloc(game->properties->position_size);
    sortie_status status = SORTIE_OK;
    if (!after || (logs && !log)) {
        status = api_no_memory(answering->error);
    }
    if (status == SORTIE_OK && log) {
        traversal_log_begin(log, answering->orders.on_log, answering->orders.user, game->size(request->position),
                            request->players[0].method == TEXTBOOK_ALPHABETA);
    }
    if (status == SORTIE_OK) {
        status = choose(answering, request->position, &request->players[0], log ? &log->visitor : NULL, result);
    }
    if (status == SORTIE_OK) {
        struct game_undo undo;
        memcpy(after, request->position, game->properties->position_size);
        game->play(after, result->move, &undo);
        request->format->answer(game, request->position, result->move, after, &answering->answer);
    }
    if (status == SORTIE_OK && log) {
        traversal_log_end(log);
    }
    free(after);
    free(log);
    return status;
}

/* Plays on to the end of the game, the two players in turn; the result is about the first move. */
static sortie_status answer_battle(struct answering *answering, struct search_result *first) {
    const struct course_request *request = answering->request;
    const struct game *game = request->game;
    struct game_position *position = malloc(game->properties->position_size);
    if (!position) {
        return api_no_memory(answering->error);
    }
    memcpy(position, request->position, game->properties->position_size);
    sortie_status status = SORTIE_OK;
    for (int turn = 0; status == SORTIE_OK && !game->over(position); turn++) {
        struct search_result later = {0};
        struct search_result *result = turn ? &later : first;
        status = choose(answering, position, &request->players[turn % 2], NULL, result);
        if (status == SORTIE_OK) {
            struct game_undo undo;
            game->play(position, result->move, &undo);
            request->format->board(position, &answering->answer);
        }
    }
    free(position);
    return status;
}

static sortie_status read_orders(struct answering *answering, const sortie_course_orders *orders) {
    if (orders && !api_take(&answering->orders, sizeof answering->orders, orders)) {
        return api_bad(answering->error,
                       "expected the orders' size to be set, and nothing in them this version does not know");
    }
    if (!(answering->orders.cpu_seconds_spent >= 0)) {
        return api_bad(answering->error, "expected CPU seconds spent that are not negative");
    }
    if (!answering->orders.limits) {
        return SORTIE_OK;
    }
    sortie_status status = api_limits(answering->orders.limits, &answering->limits, answering->error);
    answering->own = status == SORTIE_OK && replace_file(&answering->limits);
    return status;
}

sortie_status sortie_course_answer(const sortie_course *course, sortie_engine *engine,
                                   const sortie_course_orders *orders, char **answer, sortie_result *result,
                                   sortie_error *error) {
    const struct course_request *request = &course->request;
    struct answering answering = {.request = request, .engine = engine, .error = error};
    sortie_status status = read_orders(&answering, orders);
    if (status != SORTIE_OK) {
        return status;
    }
    if (result && !api_give(result, &(sortie_result){0}, sizeof(size_t))) {
        return api_bad(error, "expected the result's size to be set");
    }
    struct search_result found = {0};
    status = api_begin(engine, error);
    if (status != SORTIE_OK) {
        return status;
    }
    status = (request->battle ? answer_battle : answer_move)(&answering, &found);
    api_end(engine);
    struct game_position *scratch = malloc(request->game->properties->position_size);
    if (status == SORTIE_OK && (answering.answer.broken || !scratch)) {
        status = api_no_memory(error);
    }
    if (status == SORTIE_OK && result) {
        sortie_result told;
        api_translate(request->game, request->position, scratch, &found, &told);
        api_give(result, &told, sizeof told);
    }
    free(scratch);
    if (status != SORTIE_OK) {
        text_free(&answering.answer);
        return status;
    }
    *answer = api_release(&answering.answer);
    return *answer ? SORTIE_OK : api_no_memory(error);
}
