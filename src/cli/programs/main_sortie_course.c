/* The course-shaped program that takes no arguments: input.txt in, output.txt out, in the current folder. */
#include "cli/course_run.h"
#include "system/standard.h"

int main(int argc, char **argv) {
    (void)argv;
    standard_begin();
    if (argc > 1) {
        return cli_usage("this program takes no arguments; it reads input.txt in the current folder");
    }
    return standard_end(
        course_run(&(struct course_options){.input = "input.txt", .engine = SORTIE_INIT(sortie_engine_options)}));
}
