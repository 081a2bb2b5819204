/* Using up what everybody needs. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

#define MIB ((size_t)1 << 20)
/* More than this of anything is a leak: the class is given 256 MiB of memory and of files. */
#define TOO_MUCH (400 * MIB)

static char block[1 << 20];

/* Fills files of 32 MiB in a folder until that fails, then removes them. */
static void fill(const char *folder) {
    size_t total = 0;
    char path[200];
    int files = 0;
    bool going = true;
    memset(block, 'x', sizeof block);
    for (; going && files < 1000; files++) {
        snprintf(path, sizeof path, "%s/fill-%d", folder, files);
        int file = open(path, O_WRONLY | O_CREAT, 0600);
        for (int i = 0; i < 32 && going; i++) {
            ssize_t put = file >= 0 ? write(file, block, sizeof block) : -1;
            going = put == (ssize_t)sizeof block;
            total += put > 0 ? (size_t)put : 0;
        }
        close(file);
        if (total > TOO_MUCH) {
            leaked("the disk");
        }
    }
    while (files > 0) {
        snprintf(path, sizeof path, "%s/fill-%d", folder, --files);
        unlink(path);
    }
}

static void fill_disk(void) {
    fill(".");
}

static void fill_tmp(void) {
    fill("/tmp");
}

static void fill_shm(void) {
    fill("/dev/shm");
}

/* Leaves its folder full: its next input cannot be written, since removing the answer frees nothing. */
static void fill_and_stay(void) {
    play();
    unlink("input.txt");
    if (link("output.txt", "kept") != 0) {
        abort();
    }
    memset(block, 'x', sizeof block);
    for (int files = 0; files < 20; files++) {
        char path[40];
        snprintf(path, sizeof path, "stay-%d", files);
        int file = open(path, O_WRONLY | O_CREAT, 0600);
        while (file >= 0 && lseek(file, 0, SEEK_CUR) < (off_t)(60 * MIB) && write(file, block, sizeof block) > 0) {
        }
        while (file >= 0 && lseek(file, 0, SEEK_CUR) < (off_t)(60 * MIB) && write(file, block, 512) > 0) {
        }
        close(file);
    }
    _exit(0);
}

static void fill_inodes(void) {
    char path[40];
    int files = 0;
    for (; files < 200000; files++) {
        snprintf(path, sizeof path, "f%d", files);
        int file = open(path, O_WRONLY | O_CREAT, 0600);
        if (file < 0) {
            break;
        }
        close(file);
    }
    if (files == 200000) {
        leaked("any number of files");
    }
    for (int i = 0; i < 10; i++) {
        snprintf(path, sizeof path, "f%d", i);
        unlink(path);
    }
}

static void huge_file(void) {
    memset(block, 'x', sizeof block);
    int file = open("output.txt", O_WRONLY | O_CREAT, 0600);
    while (write(file, block, sizeof block) > 0) {
    }
}

static void flood(void) {
    while (write(1, block, sizeof block) > 0) {
    }
}

static void flood_errors(void) {
    while (write(2, block, sizeof block) > 0) {
    }
}

/* -- memory -- */

static void memory_heap(void) {
    for (;;) {
        char *more = malloc(MIB);
        if (!more) {
            abort();
        }
        memset(more, 1, MIB);
    }
}

static void memory_shared(void) {
    for (size_t total = 0;; total += 16 * MIB) {
        char *more = mmap(NULL, 16 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (more == MAP_FAILED) {
            abort();
        }
        memset(more, 1, 16 * MIB);
        usleep(2000);
        if (total > 4 * TOO_MUCH) {
            leaked("shared memory");
        }
    }
}

/* No process has much, all together have. */
static void memory_forked(void) {
    for (int i = 0; i < 40; i++) {
        if (fork() == 0) {
            char *own = malloc(60 * MIB);
            memset(own, 1, 60 * MIB);
            sleep(100);
        }
        usleep(20000);
    }
    sleep(2);
    leaked("memory of many processes");
}

static void memory_hidden(void) {
    int file = memfd_create("hidden", 0);
    if (file >= 0) {
        leaked("memory without a limit");
    }
    int segment = shmget(IPC_PRIVATE, 64 * MIB, IPC_CREAT | 0600);
    if (segment >= 0) {
        leaked("a System V segment");
    }
}

/* -- processes -- */

static void fork_bomb(void) {
    for (;;) {
        fork();
    }
}

static void *wait_for_ever(void *nothing) {
    for (;;) {
        pause();
    }
    return nothing;
}

static void thread_bomb(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 65536);
    int threads = 0;
    while (threads < 5000 && pthread_create(&thread, &attributes, wait_for_ever, NULL) == 0) {
        threads++;
    }
    if (threads == 5000) {
        leaked("any number of threads");
    }
}

static void stay(void) {
    setsid();
    for (int number = 1; number < 65; number++) {
        signal(number, SIG_IGN);
    }
    for (;;) {
        sleep(1000);
    }
}

static void daemon_stays(void) {
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) {
            if (fork() == 0) {
                stay();
            }
            _exit(0);
        }
    }
}

/* Goes on changing the answer after its parent is gone. */
static void daemon_writes(void) {
    play();
    if (fork() == 0) {
        setsid();
        for (;;) {
            int file = open("output.txt", O_WRONLY);
            if (file >= 0 && access("output.txt", F_OK) == 0 && getppid() == 1) {
                ssize_t put = write(file, "Z", 1);
                (void)put;
            }
            close(file);
        }
    }
    _exit(0);
}

static void sleeps(void) {
    stay();
}

static void stops(void) {
    raise(SIGSTOP);
    sleep(1000);
}

static void all_descriptors(void) {
    int count = 0;
    while (count < 100000 && dup(0) >= 0) {
        count++;
    }
    if (count == 100000) {
        leaked("any number of descriptors");
    }
    for (int i = 3; i < 40; i++) {
        close(i);
    }
}

const struct attack attacks_fill[] = {
    {"fill-disk", fill_disk},
    {"fill-tmp", fill_tmp},
    {"fill-shm", fill_shm},
    {"fill-and-stay", fill_and_stay, .matched = "babbling"},
    {"fill-inodes", fill_inodes},
    {"huge-file", huge_file, "babbling"},
    {"flood", flood, "babbling"},
    {"flood-errors", flood_errors, "babbling"},
    {"memory-heap", memory_heap, "crash"},
    {"memory-shared", memory_shared, "crash"},
    {"memory-forked", memory_forked, "crash"},
    {"memory-hidden", memory_hidden},
    {"fork-bomb", fork_bomb, "forking"},
    {"thread-bomb", thread_bomb},
    {"daemon-stays", daemon_stays},
    {"daemon-writes", daemon_writes, "any"}, /* it may spoil its own answer or be ended before */
    {"sleeps", sleeps, "too late", .group = "slow"},
    {"stops", stops, "too late", .group = "slow"},
    {"all-descriptors", all_descriptors},
    {NULL},
};
