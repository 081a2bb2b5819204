/* What the commands that stand on the public API share: how the machine is used by default, positions out of files, and
 * values as people read them. Apart from cli.c, so that a program that is one door only is linked without it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/stopwatch.h"
#include "cli/cli.h"
#include "system/machine.h"

void cli_use_machine(sortie_engine_options *options, double seconds) {
    options->size = sizeof *options;
    options->threads = options->threads ? options->threads : machine_cores();
    options->hash_bytes = options->hash_bytes ? options->hash_bytes : machine_table_share(seconds, options->threads);
}

int cli_read_course(const char *file, const struct cli_source *source, sortie_course **course) {
    sortie_error error = {0};
    char *bytes;
    size_t length;
    int exit_status = cli_read_bytes(file, &bytes, &length);
    if (exit_status != 0) {
        return exit_status;
    }
    sortie_status status = sortie_course_parse_record(bytes, length, source ? source->format : NULL,
                                                      source ? source->record : 0, course, &error);
    free(bytes);
    if (status != SORTIE_OK) {
        return cli_refuse(file, &error, status);
    }
    sortie_course_info info = SORTIE_INIT(sortie_course_info);
    sortie_course_about(*course, &info, NULL);
    if (info.warning[0]) {
        cli_warn(file, info.warning);
    }
    return 0;
}

int cli_read_position(const char *file, const struct cli_source *source, sortie_position **position) {
    sortie_error error = {0};
    char *bytes;
    size_t length;
    int exit_status = cli_read_bytes(file, &bytes, &length);
    if (exit_status != 0) {
        return exit_status;
    }
    int record = source ? source->record : 0;
    int records = 1;
    sortie_status status =
        sortie_position_parse_record(bytes, length, source ? source->format : NULL, record, position, &records, &error);
    free(bytes);
    if (status == SORTIE_OK && records > 1 && record == 0) {
        char several[64];
        number_format(several, sizeof several, "the file has %d games, this is the first", records);
        cli_warn(file, several);
    }
    return status == SORTIE_OK ? 0 : cli_refuse(file, &error, status);
}

void cli_add_value(struct text *text, const sortie_game_info *info, const sortie_result *line) {
    int value = line->value;
    bool exact = line->proved && line->lower == line->upper;
    if (!info->margin && value >= SORTIE_WIN_VALUE - 1000) {
        text_addf(text, "wins in %d%s", (SORTIE_WIN_VALUE - value + 1) / 2, line->proved ? ", proved" : "");
    } else if (!info->margin && value <= 1000 - SORTIE_WIN_VALUE) {
        text_addf(text, "loses in %d%s", (SORTIE_WIN_VALUE + value + 1) / 2, line->proved ? ", proved" : "");
    } else if (!info->margin) {
        text_addf(text, "%.1f%%", 100.0 / (1.0 + exp(-value / 200.0)));
    } else {
        text_addf(text, "%+d%s", value, exact ? " exact" : "");
    }
}

uint64_t cli_chance(void) {
    return rng_mix((uint64_t)(clock_wall() * 1e9));
}
