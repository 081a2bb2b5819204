/* Feeds arbitrary bytes to the reader of move_file; a move on the board must survive being written and read again. */
#include <stdlib.h>
#include <string.h>

#include "protocols/folder/folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct folder_line line;
    folder_parse_line((const char *)data, size, &line);
    if (line.content != FOLDER_MOVE && line.square != -1) {
        abort();
    }
    if (line.content == FOLDER_MOVE && line.square >= 0) {
        struct folder_line again;
        char text[FOLDER_MOST_LINE];
        folder_move_text(line.team, line.square, size % 2 == 0, text);
        folder_parse_line(text, strlen(text), &again);
        if (again.content != FOLDER_MOVE || again.square != line.square || strcmp(again.team, line.team) != 0 ||
            !again.ended) {
            abort();
        }
    }
    return 0;
}
