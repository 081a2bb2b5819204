/* Messages between the processes of an MPI job. Waiting sleeps: MPI's own waiting takes a whole core, which the games
 * under way need. */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "crew/crew.h"
#include "process.h"

#define SHORTEST_NAP 50000 /* nanoseconds; each is longer by half than the one before, */
#define LONGEST_NAP 2000000
#define TAG 17

static bool in_crew; /* messages are used here, so the end must be spoken about */
static pid_t self;   /* children that a process of the job forks are none of the job's */

/* Sleeps for *length nanoseconds and makes it longer: what comes at once is seen at once, and long waiting costs
 * little. */
static void nap(long *length) {
    struct timespec moment = {0, *length};
    nanosleep(&moment, NULL);
    *length = *length * 3 / 2 < LONGEST_NAP ? *length * 3 / 2 : LONGEST_NAP;
}

static int crew_size(void) {
    int size;
    process_rank();
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

static void crew_send(int to, const char *bytes, size_t length) {
    MPI_Request request;
    long length_of_nap = SHORTEST_NAP;
    int done = 0;
    MPI_Isend(bytes, (int)length, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE)) {
        nap(&length_of_nap);
    }
}

static int crew_wait(int milliseconds) {
    long length_of_nap = SHORTEST_NAP;
    for (int64_t left = (int64_t)milliseconds * 1000000;;) {
        int there = 0;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status);
        if (there || left <= 0) {
            return there ? status.MPI_SOURCE : -1;
        }
        left -= length_of_nap;
        nap(&length_of_nap);
    }
}

static void crew_receive(int from, struct text *bytes) {
    int there = 0;
    int length = 0;
    long length_of_nap = SHORTEST_NAP;
    MPI_Status status;
    for (MPI_Iprobe(from, TAG, MPI_COMM_WORLD, &there, &status); !there;
         MPI_Iprobe(from, TAG, MPI_COMM_WORLD, &there, &status)) {
        nap(&length_of_nap);
    }
    MPI_Get_count(&status, MPI_BYTE, &length);
    char *room = malloc((size_t)length + 1);
    if (!room) { /* the job cannot go on without the message */
        MPI_Abort(MPI_COMM_WORLD, STATUS_FAIL);
    }
    MPI_Recv(room, length, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    text_add(bytes, room, (size_t)length);
    free(room);
}

/* The leader may end while helpers are at work or wait for their brief: each is told, and what they still send is
 * received, until they say that they end too. */
static void part(void) {
    if (process_rank() != 0) {
        crew_send(0, "", 0);
        return;
    }
    int left = crew_size() - 1;
    for (int helper = 1; helper <= left; helper++) {
        crew_send(helper, "", 0);
    }
    while (left > 0) {
        struct text message = TEXT_EMPTY;
        int from = crew_wait(1000);
        if (from > 0) {
            crew_receive(from, &message);
            left -= message.length == 0;
        }
        text_free(&message);
    }
}

static void end_process(void) {
    if (getpid() != self) {
        return;
    }
    if (in_crew) {
        part();
    }
    MPI_Finalize();
}

int process_rank(void) {
    int ready = 0;
    int rank = 0;
    MPI_Initialized(&ready);
    if (!ready) {
        MPI_Init(NULL, NULL);
        self = getpid();
        atexit(end_process);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static int crew_rank(void) {
    in_crew = true;
    return process_rank();
}

__attribute__((visibility("default"))) const struct crew_link sortie_crew_link = {
    .rank = crew_rank,
    .size = crew_size,
    .send = crew_send,
    .wait = crew_wait,
    .receive = crew_receive,
};
