/* The public C API: the best moves of a position, in every game. A game whose search reports on several lines itself is
 * asked for them. In the others each move is searched on its own, from the position behind it: first exactly, where the
 * whole position can be solved in a part of the time, then deeper and deeper, with half of the moves left behind at
 * each step. All searches share one table, so that what one learns helps the next. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/stopwatch.h"

/* The share of the limits that a first try to solve the whole position may use up. */
#define SHARE_OF_SOLVING 0.3
/* How many more moves than asked for stay in the race. */
#define SPARE_MOVES 4
/* From this depth on moves are left behind. */
#define NARROWING_DEPTH 3

/* One move with what is known of it; `found` is from the view of the side to move at the root. */
struct candidate {
    struct search_result found;
    struct search_result next; /* found by the step under way, which counts when it is complete */
    int order;                 /* its place in the game's own order, which decides between equals */
};

struct analysis {
    sortie_engine *engine;
    const struct game *game;
    const struct game_position *board;
    const sortie_limits *limits;
    int wanted;
    struct candidate *candidates; /* owned */
    int count;
    struct game_position *scratch; /* owned */
    double wall_end;               /* 0: none */
    double cpu_end;
    double wall_start;
    double cpu_start;
    uint64_t nodes;
    sortie_result *heard; /* owned; while solving for a listener: what is known of the whole position */
};

static bool is_exact(const struct search_result *result) {
    return result->certainty == SEARCH_PROVED && result->lower == result->upper;
}

/* Best first. */
static int compare(const void *left, const void *right) {
    const struct candidate *a = left;
    const struct candidate *b = right;
    if (a->found.value != b->found.value) {
        return a->found.value > b->found.value ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

static bool is_out_of_time(const struct analysis *analysis) {
    return atomic_load(&analysis->engine->control.stop) ||
           (analysis->limits->nodes && analysis->nodes >= analysis->limits->nodes) ||
           (analysis->wall_end > 0 && clock_wall() >= analysis->wall_end) ||
           (analysis->cpu_end > 0 && clock_cpu() >= analysis->cpu_end);
}

/* The limits of one search: a share of what is left of the whole. */
static struct search_limits part_of(const struct analysis *analysis, double share) {
    struct search_limits part = {.goal = (enum search_goal)analysis->limits->goal};
    if (analysis->limits->nodes) {
        uint64_t left = analysis->limits->nodes > analysis->nodes ? analysis->limits->nodes - analysis->nodes : 1;
        part.nodes = (uint64_t)((double)left * share) + 1;
    }
    if (analysis->wall_end > 0) {
        double left = analysis->wall_end - clock_wall();
        part.wall_seconds = left > 1e-3 ? left * share : 1e-3;
    }
    if (analysis->cpu_end > 0) {
        double left = analysis->cpu_end - clock_cpu();
        part.cpu_seconds = left > 1e-3 ? left * share : 1e-3;
    }
    return part;
}

static bool is_limited(const struct analysis *analysis) {
    return analysis->limits->nodes || analysis->wall_end > 0 || analysis->cpu_end > 0;
}

static void tell_lines(struct analysis *analysis) {
    int lines = analysis->wanted < analysis->count ? analysis->wanted : analysis->count;
    for (int i = 0; analysis->limits->on_info && i < lines; i++) {
        struct search_result *found = &analysis->candidates[i].found;
        sortie_result report;
        found->line = i;
        found->nodes = analysis->nodes;
        found->wall_seconds = clock_wall() - analysis->wall_start;
        found->cpu_seconds = clock_cpu() - analysis->cpu_start;
        api_translate(analysis->game, analysis->board, analysis->scratch, found, &report);
        analysis->limits->on_info(analysis->limits->user, &report);
    }
}

/* A word from the search of the whole position. */
static void hear_root(void *user, const sortie_result *report) {
    struct analysis *analysis = user;
    *analysis->heard = *report;
    analysis->limits->on_info(analysis->limits->user, report);
}

/* And from that of a position behind a move: what is known of the whole one, and what has been spent on it. */
static void hear_behind(void *user, const sortie_result *report) {
    const struct analysis *analysis = user;
    if (analysis->heard->move[0]) {
        sortie_result now = *analysis->heard;
        now.nodes = analysis->nodes + report->nodes;
        now.wall_seconds = clock_wall() - analysis->wall_start;
        now.cpu_seconds = clock_cpu() - analysis->cpu_start;
        analysis->limits->on_info(analysis->limits->user, &now);
    }
}

/* Puts the move before the line of the position behind it and turns its values round. */
static void turn_round(struct search_result *behind, game_move move) {
    game_score lower = behind->lower;
    int length = behind->pv_length < SEARCH_MOST_PV ? behind->pv_length : SEARCH_MOST_PV - 1;
    memmove(behind->pv + 1, behind->pv, (size_t)length * sizeof behind->pv[0]);
    behind->pv[0] = behind->move = move;
    behind->pv_length = length + 1;
    behind->value = -behind->value;
    behind->lower = -behind->upper;
    behind->upper = -lower;
    behind->depth++;
}

/* Searches the position behind a move. True when the result is whole, not cut short by a limit. */
static sortie_status search_behind(struct analysis *analysis, game_move move, const struct engine_request *request,
                                   struct search_result *result, bool *whole, sortie_error *error) {
    const struct game *game = analysis->game;
    struct game_undo undo;
    struct game_position *behind = analysis->scratch;
    memcpy(behind, analysis->board, game->properties->position_size);
    game->play(behind, move, &undo);
    *whole = true;
    if (game->over(behind) || request->depth < 1) {
        bool over = game->over(behind);
        game_score score = over ? game->score(behind) : game->evaluate(behind);
        memset(result, 0, sizeof *result);
        result->value = game->to_move(behind) == 0 ? score : -score;
        result->certainty = over ? SEARCH_PROVED : SEARCH_HEURISTIC;
        result->lower = over ? result->value : -GAME_INFINITY;
        result->upper = over ? result->value : GAME_INFINITY;
    } else {
        sortie_limits listening = {
            .size = sizeof listening, .on_info = analysis->heard ? hear_behind : NULL, .user = analysis};
        sortie_status status = api_search(analysis->engine, game, behind, request, &listening, result, error);
        if (status != SORTIE_OK) {
            return status;
        }
        analysis->nodes += result->nodes;
        bool deep = request->method != SEARCH_ENGINE || result->depth >= request->limits.depth;
        bool solved = request->limits.goal == SEARCH_WIN ? result->lower > 0 || result->upper <= 0 : is_exact(result);
        *whole = is_exact(result) || (request->limits.goal == SEARCH_BEST ? deep : solved) ||
                 (deep && !is_out_of_time(analysis));
    }
    turn_round(result, move);
    return SORTIE_OK;
}

/* One step over all moves still in the race; those with an exact value need no other. */
static sortie_status search_all(struct analysis *analysis, struct engine_request *request, int still, bool *complete,
                                sortie_error *error) {
    *complete = false;
    for (int i = 0; i < still; i++) {
        struct candidate *candidate = &analysis->candidates[i];
        candidate->next = candidate->found;
        if (is_exact(&candidate->found)) {
            continue;
        }
        if (request->depth >= 1 && is_out_of_time(analysis)) { /* a look at each move is always taken */
            return SORTIE_OK;
        }
        struct search_result result;
        bool whole;
        struct search_limits part = part_of(analysis, 1.0);
        part.goal = request->limits.goal;
        part.depth = request->limits.depth;
        request->limits = part;
        sortie_status status = search_behind(analysis, candidate->found.move, request, &result, &whole, error);
        if (status != SORTIE_OK) {
            return status;
        }
        if (whole) {
            candidate->next = result;
            candidate->found = is_exact(&result) ? result : candidate->found;
        } else if (request->limits.goal != SEARCH_BEST && result.certainty == SEARCH_PROVED) {
            candidate->found.certainty = SEARCH_PROVED; /* not the value, but what was proved of it */
            candidate->found.lower = result.lower;
            candidate->found.upper = result.upper;
        }
    }
    for (int i = 0; i < still; i++) {
        analysis->candidates[i].found = analysis->candidates[i].next;
    }
    *complete = true;
    return SORTIE_OK;
}

/* Whether deeper searches could still change the lines told. */
static bool is_settled(const struct analysis *analysis, int still) {
    for (int i = 0; i < still; i++) {
        if (!is_exact(&analysis->candidates[i].found)) {
            return false;
        }
    }
    return true;
}

/* Solves the whole position first: where that takes too long, no move can be solved either. */
static sortie_status solve_moves(struct analysis *analysis, sortie_error *error) {
    bool asked = analysis->limits->goal != SORTIE_BEST;
    struct engine_request request = {.method = SEARCH_ENGINE, .depth = 1};
    struct search_result root;
    request.limits = part_of(analysis, asked ? 1.0 : SHARE_OF_SOLVING);
    request.limits.goal = asked ? request.limits.goal : SEARCH_EXACT;
    bool heard = asked && analysis->limits->on_info;
    analysis->heard = heard ? calloc(1, sizeof *analysis->heard) : NULL;
    if (heard && !analysis->heard) {
        return api_no_memory(error);
    }
    sortie_limits listening = {.size = sizeof listening, .on_info = heard ? hear_root : NULL, .user = analysis};
    sortie_status status =
        api_search(analysis->engine, analysis->game, analysis->board, &request, &listening, &root, error);
    if (status != SORTIE_OK) {
        return status;
    }
    analysis->nodes += root.nodes;
    if (!asked && !is_exact(&root)) {
        return SORTIE_OK;
    }
    bool complete;
    status = search_all(analysis, &request, analysis->count, &complete, error);
    free(analysis->heard);
    analysis->heard = NULL;
    qsort(analysis->candidates, (size_t)analysis->count, sizeof *analysis->candidates, compare);
    tell_lines(analysis);
    return status;
}

/* Deeper and deeper, with fewer and fewer moves. */
static sortie_status deepen(struct analysis *analysis, sortie_error *error) {
    int least = 2 * analysis->wanted + SPARE_MOVES;
    int still = analysis->count;
    int most = analysis->limits->depth ? analysis->limits->depth
               : is_limited(analysis)  ? analysis->game->properties->most_plies
                                       : 1;
    bool complete = true;
    sortie_status status = SORTIE_OK;
    for (int depth = 1; status == SORTIE_OK && complete && depth <= most && !is_settled(analysis, still); depth++) {
        struct engine_request request = {.method = SEARCH_ENGINE, .depth = depth - 1, .limits = {.depth = depth - 1}};
        if (depth > NARROWING_DEPTH && still > least) {
            still = (still + 1) / 2 > least ? (still + 1) / 2 : least;
        }
        status = search_all(analysis, &request, still, &complete, error);
        if (complete || depth == 1) {
            qsort(analysis->candidates, (size_t)still, sizeof *analysis->candidates, compare);
            tell_lines(analysis);
        }
    }
    return status;
}

/* The textbook's methods: each move to the depth asked for, whatever it takes. */
static sortie_status search_textbook(struct analysis *analysis, sortie_error *error) {
    bool greedy = analysis->limits->method == SORTIE_GREEDY;
    struct engine_request request = {.method = greedy ? TEXTBOOK_MINIMAX : (enum search_method)analysis->limits->method,
                                     .depth = greedy || analysis->limits->depth < 1 ? 0 : analysis->limits->depth - 1};
    bool complete;
    sortie_status status = search_all(analysis, &request, analysis->count, &complete, error);
    qsort(analysis->candidates, (size_t)analysis->count, sizeof *analysis->candidates, compare);
    tell_lines(analysis);
    return status;
}

static sortie_status analyze_moves(struct analysis *analysis, sortie_error *error) {
    if (analysis->limits->method != SORTIE_ENGINE) {
        return search_textbook(analysis, error);
    }
    sortie_status status = SORTIE_OK;
    if (analysis->limits->goal != SORTIE_BEST || (is_limited(analysis) && !analysis->limits->depth)) {
        status = solve_moves(analysis, error);
    }
    return status == SORTIE_OK && !is_settled(analysis, analysis->count) ? deepen(analysis, error) : status;
}

/* Lists the moves, each with nothing known of it. */
static bool list_moves(struct analysis *analysis) {
    const struct game_properties *properties = analysis->game->properties;
    game_move *moves = malloc((size_t)properties->most_moves * sizeof *moves);
    analysis->count = moves ? analysis->game->moves(analysis->board, moves) : 0;
    analysis->candidates = moves ? calloc((size_t)analysis->count, sizeof *analysis->candidates) : NULL;
    for (int i = 0; analysis->candidates && i < analysis->count; i++) {
        analysis->candidates[i].order = i;
        analysis->candidates[i].found =
            (struct search_result){.move = moves[i], .pv = {moves[i]}, .pv_length = 1, .value = -GAME_INFINITY};
        analysis->candidates[i].found.lower = -GAME_INFINITY;
        analysis->candidates[i].found.upper = GAME_INFINITY;
    }
    free(moves);
    return analysis->candidates;
}

/* The lines of a finished analysis, as many as are asked for. */
static int give_lines(struct analysis *analysis, sortie_result *lines, size_t stride) {
    int count = analysis->wanted < analysis->count ? analysis->wanted : analysis->count;
    for (int i = 0; i < count; i++) {
        struct search_result *found = &analysis->candidates[i].found;
        sortie_result told;
        found->line = i;
        found->nodes = analysis->nodes;
        found->wall_seconds = clock_wall() - analysis->wall_start;
        found->cpu_seconds = clock_cpu() - analysis->cpu_start;
        api_translate(analysis->game, analysis->board, analysis->scratch, found, &told);
        told.size = stride;
        memcpy((char *)lines + (size_t)i * stride, &told, stride < sizeof told ? stride : sizeof told);
    }
    return count;
}

static sortie_status analyze_each(struct analysis *analysis, sortie_result *lines, size_t stride, int *count,
                                  sortie_error *error) {
    const sortie_limits *limits = analysis->limits;
    analysis->wall_start = clock_wall();
    analysis->cpu_start = clock_cpu();
    analysis->wall_end = limits->wall_seconds > 0 ? analysis->wall_start + limits->wall_seconds : 0;
    analysis->cpu_end = limits->cpu_seconds > 0 ? analysis->cpu_start + limits->cpu_seconds : 0;
    analysis->scratch = malloc(analysis->game->properties->position_size);
    sortie_status status = SORTIE_OK;
    if (!analysis->scratch || !list_moves(analysis)) {
        status = api_no_memory(error);
    } else {
        status = analyze_moves(analysis, error);
    }
    if (status == SORTIE_OK) {
        *count = give_lines(analysis, lines, stride);
    }
    free(analysis->heard);
    free(analysis->candidates);
    free(analysis->scratch);
    return status;
}

/* -- games that report on several lines themselves -- */

/* Keeps the last whole set of lines: one that was cut short mixes depths. */
struct collector {
    const sortie_limits *limits;
    sortie_result *fresh; /* owned; the set being told */
    int fresh_count;
    sortie_result *lines; /* the caller's; the last whole set */
    size_t stride;
    int count;
};

/* Best first; equals keep their order. */
static int compare_lines(const void *left, const void *right) {
    const sortie_result *a = left;
    const sortie_result *b = right;
    return a->value != b->value ? (a->value > b->value ? -1 : 1) : a->line - b->line;
}

/* Makes the set told last the one that counts. A later line may turn out better than the one before it. */
static void settle(struct collector *collector) {
    qsort(collector->fresh, (size_t)collector->fresh_count, sizeof *collector->fresh, compare_lines);
    for (int i = 0; i < collector->fresh_count; i++) {
        sortie_result *line = (sortie_result *)((char *)collector->lines + (size_t)i * collector->stride);
        size_t length = collector->stride < sizeof *line ? collector->stride : sizeof *line;
        collector->fresh[i].size = collector->stride;
        collector->fresh[i].line = i;
        memcpy(line, &collector->fresh[i], length);
    }
    collector->count = collector->fresh_count;
    collector->fresh_count = 0;
}

static void collect(void *user, const sortie_result *report) {
    struct collector *collector = user;
    if (report->line == 0 && collector->fresh_count > 0) {
        settle(collector);
    }
    if (report->line < collector->limits->multi_pv) {
        collector->fresh[report->line] = *report;
        collector->fresh_count = report->line + 1;
    }
    if (collector->limits->on_info) {
        collector->limits->on_info(collector->limits->user, report);
    }
}

static sortie_status analyze_together(sortie_engine *engine, const sortie_position *position,
                                      struct collector *collector, sortie_error *error) {
    int wanted = collector->limits->multi_pv;
    sortie_limits listening = *collector->limits;
    sortie_result *last = malloc(sizeof *last);
    collector->fresh = malloc((size_t)wanted * sizeof *collector->fresh);
    sortie_status status = last && collector->fresh ? SORTIE_OK : api_no_memory(error);
    if (last && status == SORTIE_OK) {
        listening.on_info = collect;
        listening.user = collector;
        last->size = sizeof *last;
        status = sortie_engine_go(engine, position, &listening, last, error);
    }
    if (last && status == SORTIE_OK && (wanted == 1 || (!collector->count && !collector->fresh_count))) {
        collector->fresh[0] = *last; /* the final word, with the totals of all threads */
        collector->fresh_count = 1;
    }
    if (status == SORTIE_OK && collector->fresh_count >= collector->count) {
        settle(collector);
    }
    free(collector->fresh);
    free(last);
    return status;
}

sortie_status sortie_engine_analyze(sortie_engine *engine, const sortie_position *position, const sortie_limits *limits,
                                    sortie_result *lines, int capacity, int *count, sortie_error *error) {
    sortie_limits known;
    sortie_status status = api_limits(limits, &known, error);
    if (status != SORTIE_OK) {
        return status;
    }
    size_t stride = lines ? lines->size : 0;
    if (capacity < 1 || !api_give(lines, &(sortie_result){0}, sizeof(size_t))) {
        return api_bad(error, "expected room for a line, and the first one's size to be set");
    }
    if (position->game->over(position->board)) {
        return api_bad(error, "expected a position with a move left, the game is over");
    }
    known.multi_pv = known.multi_pv < 1 ? 1 : known.multi_pv > capacity ? capacity : known.multi_pv;
    *count = 0;
    bool many = position->game->properties->many_lines && known.goal == SORTIE_BEST;
    if (known.multi_pv == 1 || (many && known.method == SORTIE_ENGINE)) {
        struct collector collector = {.limits = &known, .lines = lines, .stride = stride};
        status = analyze_together(engine, position, &collector, error);
        *count = collector.count;
        return status;
    }
    struct analysis analysis = {
        .engine = engine, .game = position->game, .board = position->board, .limits = &known, .wanted = known.multi_pv};
    status = api_begin(engine, error);
    if (status == SORTIE_OK) {
        status = analyze_each(&analysis, lines, stride, count, error);
        api_end(engine);
    }
    return status;
}
