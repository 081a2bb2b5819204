#include "cli/commands.h"
#include "cli/course_run.h"

static int run(const struct cli_command *command, int argc, char **argv) {
    struct course_options options = {.input = "input.txt", .engine = SORTIE_INIT(sortie_engine_options)};
    const struct cli_option table[] = {
        {"input", 'i', CLI_STRING, &options.input, "FILE", "read FILE (default input.txt; - is standard input)", 0, 0},
        {"output", 'o', CLI_STRING, &options.output, "FILE", "write the answer to FILE, or into it if it is a folder",
         0, 0},
        {"log", 0, CLI_STRING, &options.log, "FILE", "write the traversal log to FILE", 0, 0},
        {"stdout", 0, CLI_FLAG, &options.to_stdout, NULL, "print the answer, write no file", 0, 0},
        CLI_SOURCE_OPTIONS(options.source),
        {"json", 0, CLI_FLAG, &options.json, NULL, "also print move, value, depth, nodes and variation as JSON", 0, 0},
        {"stats", 0, CLI_FLAG, &options.stats, NULL, "print the textbook's nodes, leaves, cut-offs; depth, value, time",
         0, 0},
        {"time", 't', CLI_SECONDS, &options.limits.wall_seconds, "SECONDS", "let the engine think so long", 0, 0},
        {"nodes", 'n', CLI_COUNT, &options.limits.nodes, "COUNT", "let the engine visit so many nodes", 0, 0},
        {"depth", 'd', CLI_INT, &options.limits.depth, "PLIES", "let the engine search so deep", 0, 0},
        {"threads", 0, CLI_INT, &options.engine.threads, "COUNT", "threads of the engine (default 1)", 1, 256},
        {"hash", 0, CLI_SIZE, &options.engine.hash_bytes, "SIZE", "memory of the engine's table: 256M, 2G", 0, 0},
        {0},
    };
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &options.input, &exit_status)) {
        return exit_status;
    }
    return course_run(&options);
}

const struct cli_command cli_move = {
    .name = "move",
    .summary = "answer a course file: read input.txt, write what the course expects",
    .usage = "[FILE] [-i FILE] [-o FILE] [OPTIONS]",
    .details = "Reads a course file, finds out which course it is from, searches as the file asks and writes the\n"
               "answer into the current folder: output.txt (Stake-Raid, Laser Checkmate), or next_state.txt,\n"
               "traverse_log.txt and trace_state.txt (Sneak-Raid). --time, --nodes or --depth let the engine choose\n"
               "instead of the method in the file.\n",
    .example = "  printf '2\\nMINIMAX\\nX\\n2\\n3 1\\n2 5\\n..\\n.O\\n' | sortie move -i - --stdout\n",
    .run = run,
};
