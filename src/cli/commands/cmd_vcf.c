#include <stdio.h>

#include "cli/commands.h"
#include "games/gomoku/rules/gomoku.h"

static void print_line(const struct gomoku_position *position, const struct gomoku_forced *forced) {
    for (int i = 0; i < forced->length; i++) {
        char square[8];
        gomoku_square_text(position->size, forced->line[i], square);
        printf("%s%s", i ? " " : "", square);
    }
    printf("\n");
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct cli_source source = {0};
    uint64_t nodes = 20000000;
    bool threats = false;
    const struct cli_option table[] = {
        {"threats", 0, CLI_FLAG, &threats, NULL, "let open threes count as threats too (VCT)", 0, 0},
        {"nodes", 0, CLI_COUNT, &nodes, "N", "give up after N nodes (default 20M)", 0, 0},
        CLI_SOURCE_OPTIONS(source),
        {0},
    };
    const char *file = "input.txt";
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &file, &exit_status)) {
        return exit_status;
    }
    struct course_request request;
    exit_status = cli_read_request(file, &source, false, &request);
    if (exit_status != 0) {
        return exit_status;
    }
    if (request.game != &gomoku_game) {
        course_request_free(&request);
        return cli_usage("vcf: expected a position of Gomoku");
    }
    const struct gomoku_position *position = (const struct gomoku_position *)request.position;
    struct gomoku_forced forced;
    struct error error = {0};
    enum status status = gomoku_find_forced(position, threats, nodes, &cli_control()->stop, &forced, &error);
    const char *side = gomoku_game.properties->sides[position->count & 1];
    const char *means = threats ? "fours and open threes" : "fours";
    if (status != STATUS_OK) {
        exit_status = cli_fail(NULL, &error, status);
    } else if (forced.answer == GOMOKU_FORCED_WIN) {
        printf("%s wins in %d moves by %s\n", side, (forced.plies + 1) / 2, forced.by_fours ? "fours" : means);
        print_line(position, &forced);
    } else if (forced.answer == GOMOKU_FORCED_NONE) {
        printf("%s has no win by %s\n", side, means);
    } else {
        printf("not known within %llu nodes\n", (unsigned long long)nodes);
    }
    course_request_free(&request);
    return exit_status;
}

const struct cli_command cli_vcf = {
    .name = "vcf",
    .summary = "find or refute a forced win in Gomoku",
    .usage = "[FILE] [--threats] [--nodes N]",
    .details = "Looks for a win of the side to move in which every move is a four (or, with --threats, a four or an\n"
               "open three) and prints it with a best defence; or says that there is none, or that it could not\n"
               "tell within the nodes.\n",
    .example = "  printf 'gomoku freestyle 15\\nH8 A1 I8 A3 J8 O1 H9 O15 H10 A15\\n' | sortie vcf -\n",
    .run = run,
};
