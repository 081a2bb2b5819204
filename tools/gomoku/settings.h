/* Settings of the tree search on the command line, for the tools that measure them: NAME=VALUE,NAME=VALUE or "-". */
#ifndef SORTIE_TOOLS_GOMOKU_SETTINGS_H
#define SORTIE_TOOLS_GOMOKU_SETTINGS_H

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/gomoku/search/search.h"

#define SETTING(name)                                                                                                  \
    { #name, offsetof(struct tree_params, name) }

static const struct {
    const char *name;
    size_t offset;
} settings_known[] = {
    SETTING(leaf_vcf_nodes),    SETTING(inner_vcf_nodes), SETTING(root_vct),       SETTING(razor_base),
    SETTING(razor_square),      SETTING(razor_depth),     SETTING(reverse_depth),  SETTING(reverse_margin),
    SETTING(reverse_improving), SETTING(late_base),       SETTING(late_slope),     SETTING(late_square),
    SETTING(late_halved),       SETTING(futility_depth),  SETTING(futility_base),  SETTING(futility_margin),
    SETTING(policy_base),       SETTING(policy_margin),   SETTING(reduce_from),    SETTING(reduce_depth),
    SETTING(reduce_scale),      SETTING(reduce_policy),   SETTING(reduce_history), SETTING(reduce_improving),
    SETTING(reduce_cut),        SETTING(reduce_pv),       SETTING(reduce_threat),  SETTING(reduce_answer),
    SETTING(lost_less),         SETTING(table_less),      SETTING(answer_more),    SETTING(singular_depth),
    SETTING(singular_margin),   SETTING(singular_far),    SETTING(window),         SETTING(killer),
    SETTING(counter),           SETTING(history)};

/* Changes what `text` names; says what is wrong with it and returns false otherwise. */
static bool settings_parse(struct tree_params *out, const char *text) {
    char copy[2000];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, ","); word && strcmp(word, "-") != 0; word = strtok(NULL, ",")) {
        char *equals = strchr(word, '=');
        bool found = false;
        for (size_t i = 0; equals && i < sizeof settings_known / sizeof *settings_known; i++) {
            if (strlen(settings_known[i].name) == (size_t)(equals - word) &&
                memcmp(settings_known[i].name, word, (size_t)(equals - word)) == 0) {
                int value = atoi(equals + 1);
                memcpy((char *)out + settings_known[i].offset, &value, sizeof value);
                found = true;
            }
        }
        if (!found) {
            fprintf(stderr, "expected NAME=VALUE with the name of a setting, found '%s'\n", word);
            return false;
        }
    }
    return true;
}

#endif
