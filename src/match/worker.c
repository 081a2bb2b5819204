#include "match/worker.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "match/referee.h"
#include "sandbox/warden_wire.h"

/* An answer is this head and then `length` bytes: a packed record, or the text of a failure. */
struct answer_head {
    size_t length;
    bool failed;
};

/* -- inside the worker -- */

struct bench {
    const struct plan *plan;
    struct player *players[PLAN_MOST_PLAYERS]; /* made when first needed */
    struct warden *wardens[2];
    int built[2]; /* whose build each has; -1: nobody's */
};

static bool needs_warden(const struct plan *plan) {
    for (int i = 0; i < plan->player_count; i++) {
        if (plan->players[i].kind->needs_warden) {
            return true;
        }
    }
    return false;
}

static enum status play(struct bench *bench, int64_t index, struct worker_note *note, struct record *record,
                        struct error *error) {
    struct plan_game game;
    struct referee_seat seats[2];
    plan_game_at(bench->plan, index, &game);
    for (int side = 0; side < 2; side++) {
        int number = game.players[side];
        const struct player_spec *spec = &bench->plan->players[number];
        if (!bench->players[number]) {
            bench->players[number] = spec->kind->create(spec);
        }
        if (!bench->players[number]) {
            return error_machine(error, "out of memory");
        }
        seats[side] =
            (struct referee_seat){spec->kind, bench->players[number], bench->wardens[side], &bench->built[side]};
    }
    return referee_play(bench->plan, &game, seats, &note->turn, record, error);
}

static bool send_answer(int socket, const struct text *text, bool failed) {
    struct answer_head head = {.length = text->length, .failed = failed || text->broken};
    return warden_send(socket, &head, sizeof head) && warden_send(socket, text_string(text), text->length);
}

/* The worker's life; games come in as numbers until the socket closes. */
static void live(const struct plan *plan, int socket, struct worker_note *note) {
    struct bench bench = {.plan = plan, .built = {-1, -1}};
    struct error error = {0};
    enum status status = STATUS_OK;
    for (int side = 0; side < 2 && status == STATUS_OK && needs_warden(plan); side++) {
        status = warden_start(&bench.wardens[side], &error);
    }
    int64_t index;
    bool going = true;
    while (going && warden_receive(socket, &index, sizeof index)) {
        struct record record = {0};
        struct text text = TEXT_EMPTY;
        if (status == STATUS_OK) {
            status = play(&bench, index, note, &record, &error);
        }
        if (status == STATUS_OK) {
            record_pack(&record, &text);
        } else {
            text_add_string(&text, error.text);
        }
        going = send_answer(socket, &text, status != STATUS_OK) && status == STATUS_OK;
        text_free(&text);
        record_free(&record);
    }
    for (int i = 0; i < plan->player_count; i++) {
        if (bench.players[i]) {
            plan->players[i].kind->destroy(bench.players[i]);
        }
    }
    warden_stop(bench.wardens[0]);
    warden_stop(bench.wardens[1]);
}

/* -- outside -- */

enum status worker_start(struct worker *worker, const struct plan *plan, struct error *error) {
    int sockets[2];
    *worker = (struct worker){.pid = -1, .socket = -1};
    worker->note = mmap(NULL, sizeof *worker->note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (worker->note == MAP_FAILED) {
        worker->note = NULL;
        return error_machine(error, "no shared memory: %s", strerror(errno));
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
        return error_machine(error, "cannot make a socket pair: %s", strerror(errno));
    }
    pid_t parent = getpid();
    worker->pid = fork();
    if (worker->pid < 0) {
        int cause = errno;
        close(sockets[0]);
        close(sockets[1]);
        return error_machine(error, "cannot fork: %s", strerror(cause));
    }
    if (worker->pid == 0) {
        /* The parent decides about interruptions, which reach all of us at once: a game must not end as a crash because
         * somebody ended the match. The parent's other sockets and files are none of ours. */
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        signal(SIGPIPE, SIG_IGN);
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        if (getppid() != parent) {
            _exit(1);
        }
        dup2(sockets[1], 3);
        warden_close_from(4);
        live(plan, 3, worker->note);
        _exit(0);
    }
    close(sockets[1]);
    worker->socket = sockets[0];
    return STATUS_OK;
}

bool worker_give(struct worker *worker, int64_t game) {
    worker->busy = warden_send(worker->socket, &game, sizeof game);
    worker->game = game;
    if (!worker->busy) {
        shutdown(worker->socket, SHUT_RDWR); /* it may live, and must not wait for the rest of a number */
    }
    return worker->busy;
}

enum worker_news worker_hear(struct worker *worker, struct record *record, struct error *error) {
    struct answer_head head;
    if (!warden_receive(worker->socket, &head, sizeof head)) {
        return WORKER_GONE;
    }
    char *bytes = malloc(head.length + 1);
    if (!bytes) {
        error_machine(error, "out of memory");
        return WORKER_FAILED;
    }
    enum worker_news news = WORKER_GONE;
    if (warden_receive(worker->socket, bytes, head.length)) {
        bytes[head.length] = '\0';
        news = head.failed || !record_unpack(record, bytes, head.length) ? WORKER_FAILED : WORKER_RECORD;
        if (news == WORKER_FAILED) {
            error_machine(error, "%s", head.failed && *bytes ? bytes : "out of memory");
        }
    }
    free(bytes);
    worker->busy = false;
    return news;
}

void worker_end(struct worker *worker, bool kill_it, int *status) {
    int ended = 0;
    if (worker->socket >= 0) {
        close(worker->socket);
    }
    if (worker->pid > 0) {
        if (kill_it) {
            kill(worker->pid, SIGKILL);
        }
        while (waitpid(worker->pid, &ended, 0) < 0 && errno == EINTR) {
        }
    }
    if (worker->note) {
        munmap(worker->note, sizeof *worker->note);
    }
    if (status) {
        *status = ended;
    }
    *worker = (struct worker){.pid = -1, .socket = -1};
}

enum status worker_bury(struct worker *worker, const struct plan *plan, struct record *record, struct error *error) {
    struct plan_game game;
    int status;
    int side = atomic_load(&worker->note->turn);
    int64_t index = worker->game;
    worker_end(worker, true, &status);
    plan_game_at(plan, index, &game);
    const struct player_spec *spec = &plan->players[game.players[side]];
    if (!WIFSIGNALED(status) || spec->kind->needs_warden) {
        return error_machine(error, "a worker process ended without an answer");
    }
    if (WTERMSIG(status) == SIGKILL) { /* from outside, such as by a system without memory: no fault of a player */
        return error_machine(error, "a worker process was killed");
    }
    *record = (struct record){.index = index,
                              .players = {game.players[0], game.players[1]},
                              .start = game.start,
                              .points = side == 0 ? 0 : 2,
                              .fault = PLAYER_CRASHED,
                              .loser = side};
    text_addf(&record->detail, "the process of the built-in player was killed by signal %d (%s)", WTERMSIG(status),
              strsignal(WTERMSIG(status)));
    return worker_start(worker, plan, error);
}
