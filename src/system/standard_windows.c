/* Standard input and output on Windows: bytes as they are, without a carriage return before each line end. */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "system/standard.h"

void standard_begin(void) {
    _setmode(_fileno(stdin), _O_BINARY);
    _setmode(_fileno(stdout), _O_BINARY);
    _fmode = _O_BINARY;
}

int standard_end(int status) {
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_OK) {
        fprintf(stderr, "sortie: standard output: cannot be written\n");
        return STATUS_FAIL;
    }
    return status;
}
