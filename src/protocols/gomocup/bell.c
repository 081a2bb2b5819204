#include "protocols/gomocup/bell.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/assert.h"
#include "system/host.h"

bool bell_open(struct bell *bell) {
    if (pipe(bell->ends) != 0) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        fcntl(bell->ends[i], F_SETFD, FD_CLOEXEC);
        fcntl(bell->ends[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}

void bell_close(struct bell *bell) {
    close(bell->ends[0]);
    close(bell->ends[1]);
}

void bell_ring(struct bell *bell) {
    while (write(bell->ends[1], "", 1) < 0 && errno == EINTR) {
    }
}

void bell_hush(struct bell *bell) {
    char bytes[16];
    while (read(bell->ends[0], bytes, sizeof bytes) > 0) {
    }
}

bool bell_input_open(struct bell_input *input, int descriptor) {
    ASSERT(descriptor >= 0);
    *input = (struct bell_input){.descriptor = descriptor};
    return true;
}

void bell_input_close(struct bell_input *input) {
    input->descriptor = -1;
}

long bell_input_read(struct bell_input *input, char *bytes, size_t size) {
    ssize_t got = read(input->descriptor, bytes, size);
    return got >= 0 ? (long)got : errno == EINTR || errno == EAGAIN ? -1 : 0;
}

bool bell_input_ready(const struct bell_input *input) {
    struct pollfd watched = {.fd = input->descriptor, .events = POLLIN};
    return poll(&watched, 1, 0) > 0;
}

enum bell_news bell_wait(struct bell *bell, double seconds, const struct bell_input *input) {
    struct pollfd watched[2] = {{.fd = bell->ends[0], .events = POLLIN},
                                {.fd = input ? input->descriptor : -1, .events = POLLIN}};
    int ready = seconds <= 0 ? 0 : host_poll(watched, 2, seconds);
    if (ready > 0 && watched[0].revents) {
        return BELL_RUNG;
    }
    return ready > 0 && watched[1].revents ? BELL_INPUT : BELL_SILENT;
}
