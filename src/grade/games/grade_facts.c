#include "grade/games/grade_facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

#define FIELDS 11
#define MOST_FIELD 64 /* of those that are copied */

static const char *const end_names[GRADE_ENDS] = {"lost", "drawn", "won"};

/* -- lines -- */

void grade_facts_add(struct text *facts, const struct grade_fact *fact) {
    text_addf(facts, "%s\t%s\t%d\t%d\t%s\t%d\t%d\t%.6f\t%.6f\t", fact->second ? "second" : "first",
              end_names[fact->end], fact->own, fact->other, player_fault_name(fact->fault), fact->opened, fact->plies,
              fact->slowest, fact->seconds);
    for (size_t i = 0; i < fact->detail_length; i++) {
        bool splits = (unsigned char)fact->detail[i] < ' ';
        text_add_char(facts, splits ? ' ' : fact->detail[i]);
    }
    text_add_char(facts, '\t');
    text_add(facts, fact->moves, fact->moves_length);
    text_add_char(facts, '\n');
}

/* A line that is being taken apart. */
struct fields {
    const char *at[FIELDS];
    size_t length[FIELDS];
};

static bool split(const char *line, size_t length, struct fields *fields) {
    const char *end = line + length;
    for (int i = 0; i < FIELDS; i++) {
        const char *stop = i + 1 < FIELDS ? memchr(line, '\t', (size_t)(end - line)) : end;
        if (!stop) {
            return false;
        }
        fields->at[i] = line;
        fields->length[i] = (size_t)(stop - line);
        line = stop + 1;
    }
    return true;
}

static bool field_is(const struct fields *fields, int field, const char *word) {
    return strlen(word) == fields->length[field] && memcmp(fields->at[field], word, fields->length[field]) == 0;
}

static bool take_number(const struct fields *fields, int field, double least, double most, double *number) {
    return fields->length[field] > 0 && fields->length[field] < MOST_FIELD &&
           number_read(fields->at[field], fields->length[field], number) == fields->length[field] && *number >= least &&
           *number <= most;
}

static bool take_integer(const struct fields *fields, int field, int least, int *integer) {
    double number = 0;
    bool well = take_number(fields, field, least, 2147483647, &number);
    *integer = well ? (int)number : 0;
    return well && number == *integer;
}

static bool take_words(const struct fields *fields, struct grade_fact *fact) {
    char fault[MOST_FIELD];
    int end = 0;
    while (end < GRADE_ENDS && !field_is(fields, 1, end_names[end])) {
        end++;
    }
    fact->second = field_is(fields, 0, "second");
    fact->end = (enum grade_end)end;
    snprintf(fault, sizeof fault, "%.*s", (int)(fields->length[4] < MOST_FIELD ? fields->length[4] : 0), fields->at[4]);
    fact->fault = player_fault_find(fault);
    return (fact->second || field_is(fields, 0, "first")) && end < GRADE_ENDS && fact->fault < PLAYER_FAULTS &&
           (fact->fault == PLAYER_NO_FAULT || fact->end == GRADE_LOST);
}

bool grade_facts_next(const char **at, struct grade_fact *fact) {
    size_t length = strcspn(*at, "\n");
    struct fields fields;
    *fact = (struct grade_fact){0};
    if ((*at)[length] != '\n' || !split(*at, length, &fields) || !take_words(&fields, fact) ||
        !take_integer(&fields, 2, 0, &fact->own) || !take_integer(&fields, 3, 0, &fact->other) ||
        !take_integer(&fields, 5, 0, &fact->opened) || !take_integer(&fields, 6, fact->opened, &fact->plies) ||
        !take_number(&fields, 7, 0, 1e9, &fact->slowest) || !take_number(&fields, 8, 0, 1e9, &fact->seconds)) {
        return false;
    }
    fact->detail = fields.at[9];
    fact->detail_length = fields.length[9];
    fact->moves = fields.at[10];
    fact->moves_length = fields.length[10];
    *at += length + 1;
    return true;
}

bool grade_facts_fit(const struct grade_game *game, const char *facts) {
    struct grade_fact fact;
    int count = 0;
    while (grade_facts_next(&facts, &fact)) {
        count++;
    }
    return *facts == '\0' && (count == 0 || (game && count == game->games));
}

/* -- what they earn -- */

/* What a number earns, in percent. */
static double scale_percent(const struct grade_scale *scale, double number) {
    int above = 0;
    while (above < scale->count && scale->steps[above].at <= number) {
        above++;
    }
    if (above == 0 || above == scale->count) {
        return scale->count == 0 ? 0 : scale->steps[above == 0 ? 0 : above - 1].percent;
    }
    double from = scale->steps[above - 1].at;
    double part = (number - from) / (scale->steps[above].at - from);
    double percent = scale->steps[above - 1].percent;
    return percent + part * (scale->steps[above].percent - percent);
}

double grade_fact_percent(const struct grade_game *game, const struct grade_fact *fact) {
    if (fact->fault != PLAYER_NO_FAULT) {
        return game->fault;
    }
    double outcome = fact->end == GRADE_WON ? game->win : fact->end == GRADE_DRAWN ? game->draw : game->loss;
    return fmin(100, outcome + scale_percent(&game->margin, (double)fact->own - fact->other) +
                         scale_percent(&game->score, fact->own));
}

double grade_facts_share(const struct grade_game *game, const char *facts) {
    struct grade_fact fact;
    double percent = 0;
    while (grade_facts_next(&facts, &fact)) {
        percent += grade_fact_percent(game, &fact);
    }
    return percent / 100 / game->games;
}

void grade_facts_count(const char *facts, int counts[GRADE_ENDS]) {
    struct grade_fact fact;
    while (grade_facts_next(&facts, &fact)) {
        counts[fact.end]++;
    }
}

/* -- in words -- */

/* Appends to a line that is full at `size`. */
static void add_words(char *words, size_t size, const char *more) {
    size_t length = strlen(words);
    snprintf(words + length, size - length, "%s", more);
}

/* The first game that was lost by a fault, after `lead`. */
static void add_fault(const char *facts, char *words, size_t size) {
    struct grade_fact fact;
    for (int number = 1; grade_facts_next(&facts, &fact); number++) {
        if (fact.fault != PLAYER_NO_FAULT) {
            char more[320];
            snprintf(more, sizeof more, "%s in move %d of game %d%s%.*s", player_fault_name(fact.fault), fact.plies + 1,
                     number, fact.detail_length ? ": " : "", (int)(fact.detail_length < 200 ? fact.detail_length : 200),
                     fact.detail);
            add_words(words, size, "; ");
            add_words(words, size, more);
            return;
        }
    }
}

void grade_facts_words(const struct grade_game *game, const char *facts, char *words, size_t size) {
    static const char *const verbs[GRADE_ENDS] = {"lost to", "drew with", "won against"};
    int counts[GRADE_ENDS] = {0};
    struct grade_fact fact;
    char more[200];
    const char *at = facts;
    words[0] = '\0';
    if (!grade_facts_next(&at, &fact)) {
        return;
    }
    grade_facts_count(facts, counts);
    if (*at == '\0') {
        snprintf(more, sizeof more, "%s %.60s, %d to %d points", verbs[fact.end], game->opponent.name, fact.own,
                 fact.other);
    } else {
        snprintf(more, sizeof more, "won %d, drew %d, lost %d of %d games against %.60s", counts[GRADE_WON],
                 counts[GRADE_DRAWN], counts[GRADE_LOST], counts[GRADE_WON] + counts[GRADE_DRAWN] + counts[GRADE_LOST],
                 game->opponent.name);
    }
    add_words(words, size, more);
    snprintf(more, sizeof more, ", %.4g %% of the points", 100 * grade_facts_share(game, facts));
    add_words(words, size, more);
    add_fault(facts, words, size);
}

void grade_facts_list(const struct grade_game *game, const char *facts, struct text *out) {
    static const char *const verbs[GRADE_ENDS] = {"lost", "drawn", "won"};
    struct grade_fact fact;
    char words[400];
    grade_facts_words(game, facts, words, sizeof words);
    text_addf(out, "%s\n", words);
    for (int number = 1; grade_facts_next(&facts, &fact); number++) {
        text_addf(out, "game %d, %s begins: %s, %d to %d points: ", number,
                  fact.second ? "the opponent" : "the program", verbs[fact.end], fact.own, fact.other);
        for (size_t i = 0; i < fact.moves_length; i++) {
            text_add_string(out, fact.moves[i] == ';' ? ", " : "");
            if (fact.moves[i] != ';') {
                text_add_char(out, fact.moves[i]);
            }
        }
        text_add_char(out, '\n');
    }
}
