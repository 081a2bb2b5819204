#include "support/tactics.h"

bool tactics_open(struct tactics *tactics, const char *path) {
    tactics->file = fopen(path, "r");
    tactics->broken = false;
    return tactics->file != NULL;
}

bool tactics_next(struct tactics *tactics) {
    char line[1536];
    int used;
    if (!fgets(line, sizeof line, tactics->file)) {
        return false;
    }
    if (sscanf(line, "%15s %d%n", tactics->kind, &tactics->moves, &used) != 2) {
        tactics->broken = true;
        return false;
    }
    snprintf(tactics->text, sizeof tactics->text, "gomoku freestyle 15\n%s", line + used);
    return true;
}

bool tactics_close(struct tactics *tactics) {
    bool whole = feof(tactics->file) && !tactics->broken;
    fclose(tactics->file);
    return whole;
}
