/* Any bytes as a course file or a position: no crash, no hang, and what is accepted can be written again. */
#include <stddef.h>
#include <stdint.h>

#include "formats/course.h"
#include "formats/draw.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct course_request request;
    struct error error = {0};
    const char *bytes = (const char *)data;
    for (int i = -1; i < 0 || course_formats()[i]; i++) {
        const char *name = i < 0 ? NULL : course_formats()[i]->name;
        if (course_parse_any(bytes, size, name, &request, &error) != STATUS_OK) {
            if (error.text[0] == '\0') {
                __builtin_trap();
            }
            continue;
        }
        struct text text = TEXT_EMPTY;
        request.game->write(request.position, &text);
        draw_svg(request.game, request.position, &text);
        draw_terminal(request.game, request.position, true, &text);
        text_free(&text);
        course_request_free(&request);
    }
    return 0;
}
