#include "base/standard.h"
#include "cli/cli.h"

int main(int argc, char **argv) {
    standard_begin();
    return standard_end(cli_main(argc, argv));
}
