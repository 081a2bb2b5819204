/* The course-shaped program called as PROGRAM -i input_file; it writes into the current folder. */
#include <string.h>

#include "cli/course_run.h"
#include "system/standard.h"

int main(int argc, char **argv) {
    standard_begin();
    if (argc != 3 || strcmp(argv[1], "-i") != 0) {
        return cli_usage("usage: %s -i input_file", argv[0]);
    }
    return standard_end(
        course_run(&(struct course_options){.input = argv[2], .engine = SORTIE_INIT(sortie_engine_options)}));
}
