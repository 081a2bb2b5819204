#include "cli/cli.h"
#include "system/standard.h"

int main(int argc, char **argv) {
    standard_begin();
    return standard_end(cli_main(argc, argv));
}
