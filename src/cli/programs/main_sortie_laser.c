/* The course-shaped program of Laser Checkmate: no arguments, input.txt in, output.txt out, in the current
 * folder. Unlike the general one it takes every file for a laser board, so that faults are named as such. */
#include "cli/course_run.h"
#include "system/standard.h"

int main(int argc, char **argv) {
    (void)argv;
    standard_begin();
    if (argc > 1) {
        return cli_usage("this program takes no arguments; it reads input.txt in the current folder");
    }
    return standard_end(course_run(&(struct course_options){
        .input = "input.txt", .source.format = "laser", .engine = SORTIE_INIT(sortie_engine_options)}));
}
