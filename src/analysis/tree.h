/* Recorded games of Gomoku put into a database, and a database made into one. */
#ifndef SORTIE_ANALYSIS_TREE_H
#define SORTIE_ANALYSIS_TREE_H

#include "analysis/analyses.h"
#include "formats/records/gametree.h"

/* What came of a file. */
struct analysis_import {
    int64_t nodes;     /* looked at */
    int64_t values;    /* kept */
    int64_t comments;  /* that were not there */
    int64_t marks;     /* and labels */
    int64_t games;     /* counted: without variations, and not there yet */
    int64_t forbidden; /* moves the rules do not allow, with all behind them; left out */
};

/* Puts all positions of a tree into the database: comments are added to those that are there, values are kept where
 * they are better, the texts on squares become marks. `usual`: the rules where none are said. `played`: a tree without
 * variations is a game that was played, and counted. It is a part of the transaction that is under way, if one is. */
enum status analyses_import(struct analyses *analyses, struct gametree *tree, int usual, bool played,
                            const struct analyses_watch *watch, struct analysis_import *import, struct error *error);

/* Makes a tree of everything known behind a position, best moves first, with remarks (remark.h) and marks. What is
 * reached by several orders of moves stands once; elsewhere its value alone. STATUS_BAD_INPUT when nothing is known. */
enum status analyses_export(struct analyses *analyses, const struct gomoku_position *root, struct gametrees *trees,
                            const struct analyses_watch *watch, int64_t *positions, struct error *error);

#endif
