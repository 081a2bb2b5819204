/* What is kept of the games of a case: a line each, of fields between tabs. What they earn is worked out from it, so a
 * scale may change and no game is played again. */
#ifndef SORTIE_GRADE_GAMES_GRADE_FACTS_H
#define SORTIE_GRADE_GAMES_GRADE_FACTS_H

#include "grade/games/grade_game.h"

/* More than all games of a case need; a longer text is none of ours. */
#define GRADE_MOST_FACTS ((size_t)16 << 20)

enum grade_end { GRADE_LOST, GRADE_DRAWN, GRADE_WON, GRADE_ENDS };

/* One game, from the program's view. The texts point into the line. */
struct grade_fact {
    bool second; /* the opponent moved first */
    enum grade_end end;
    int own; /* its points as the board stood, and the opponent's */
    int other;
    enum player_fault fault; /* the program lost by it */
    int opened;              /* random moves at the beginning */
    int plies;               /* these included */
    double slowest;          /* seconds of its slowest move */
    double seconds;          /* of all its moves */
    const char *detail;      /* of the fault */
    size_t detail_length;
    const char *moves; /* with ';' between them */
    size_t moves_length;
};

/* Appends a line. Tabs and line ends in the detail become blanks. */
void grade_facts_add(struct text *facts, const struct grade_fact *fact);
/* Takes the next line off; false at the end, or where the rest is no line of ours: then *at is not at the end. */
bool grade_facts_next(const char **at, struct grade_fact *fact);
/* Whether a text can be of this game (NULL: of a case that is none): such lines, as many as games, or nothing. */
bool grade_facts_fit(const struct grade_game *game, const char *facts);

/* What they earn: 1 is all that the case is worth. */
double grade_facts_share(const struct grade_game *game, const char *facts);
/* What one of them earns, in percent. */
double grade_fact_percent(const struct grade_game *game, const struct grade_fact *fact);
/* How they ended, in one line of at most `size` bytes. */
void grade_facts_words(const struct grade_game *game, const char *facts, char *words, size_t size);
/* The same with a line for each game and its moves, for people. */
void grade_facts_list(const struct grade_game *game, const char *facts, struct text *out);
/* How many ended how. */
void grade_facts_count(const char *facts, int counts[GRADE_ENDS]);

#endif
