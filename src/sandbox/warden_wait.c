#include "sandbox/warden_wait.h"

#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* To look at every thread takes a while; nobody needs it more exact. */
#define STEP_SECONDS 0.25
/* Of a processor: less is what a program uses that only waits. */
#define LEAST_USE 0.02

void wait_begin(struct wait *wait, double now) {
    *wait = (struct wait){.looked = now};
}

bool wait_is_due(const struct wait *wait, double now) {
    return now - wait->looked >= STEP_SECONDS;
}

/* Seconds a thread has waited for a processor; less than 0 when the kernel does not say. */
static double delay_of(pid_t process, const char *thread) {
    char name[60];
    char text[200];
    unsigned long long delay;
    snprintf(name, sizeof name, "task/%.20s/schedstat", thread);
    return tree_read(process, name, text, sizeof text) && sscanf(text, "%*u %llu", &delay) == 1 ? 1e-9 * (double)delay
                                                                                                : -1.0;
}

static double delay_of_all(const struct tree *tree) {
    double sum = 0.0;
    bool told = false;
    for (int i = 0; i < tree->count; i++) {
        char path[60];
        snprintf(path, sizeof path, "/proc/%d/task", (int)tree->processes[i]);
        DIR *folder = opendir(path);
        struct dirent *entry;
        while (folder && (entry = readdir(folder)) != NULL) {
            double delay =
                isdigit((unsigned char)entry->d_name[0]) ? delay_of(tree->processes[i], entry->d_name) : -1.0;
            told = told || delay >= 0.0;
            sum += fmax(delay, 0.0);
        }
        if (folder) {
            closedir(folder);
        }
    }
    return told ? sum : -1.0;
}

void wait_add(struct wait *wait, double now, double cpu_seconds, double delayed) {
    double passed = now - wait->looked;
    double used = fmax(cpu_seconds - wait->cpu, 0.0);
    /* Who is gone takes what it had waited along. */
    double waited = fmax(delayed - wait->delayed, 0.0);
    if (delayed < 0.0) {
        waited = used > LEAST_USE * passed ? fmax(passed - used, 0.0) : 0.0;
    }
    /* A wait is told when it is over: it may be longer than the time since the look before. */
    wait->idle = fmax(wait->idle + passed - used - waited, 0.0);
    /* Several threads may wait at the same time, also for each other. */
    wait->starved += fmax(fmin(waited, passed - used), 0.0);
    wait->looked = now;
    wait->cpu = fmax(cpu_seconds, wait->cpu);
    wait->delayed = fmax(delayed, 0.0);
}

void wait_look(struct wait *wait, const struct tree *tree, double now, double cpu_seconds) {
    wait_add(wait, now, cpu_seconds, delay_of_all(tree));
}
