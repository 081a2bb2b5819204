/* Whether programs of others can be locked in here: 0, or 1 and the reason on standard output. */
#include <stdio.h>

#include "sandbox/warden.h"

int main(void) {
    struct error error = {0};
    if (warden_secure(false, NULL, &error) == STATUS_OK) {
        return 0;
    }
    puts(error.text);
    return 1;
}
