/* The bell on Windows: an event. Pipes and consoles cannot be waited for together with it, and asking a pipe how much
 * is in it fails under wine when a program of Linux holds the other end. So a thread of its own does nothing but read,
 * and says by another event that it has something. */
#include <io.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "protocols/gomocup/bell.h"

#define TICK_MILLISECONDS 1

bool bell_open(struct bell *bell) {
    bell->handle = CreateEventA(NULL, TRUE, FALSE, NULL);
    timeBeginPeriod(TICK_MILLISECONDS); /* otherwise a sleep of a millisecond takes sixteen */
    return bell->handle != NULL;
}

void bell_close(struct bell *bell) {
    timeEndPeriod(TICK_MILLISECONDS);
    CloseHandle(bell->handle);
}

void bell_ring(struct bell *bell) {
    SetEvent(bell->handle);
}

void bell_hush(struct bell *bell) {
    ResetEvent(bell->handle);
}

/* One piece of the input at a time goes from the thread to whoever asks. */
struct bell_reader {
    HANDLE handle; /* borrowed */
    HANDLE full;   /* set: the piece is the asker's */
    HANDLE empty;  /* set: it is the thread's */
    DWORD length;  /* 0: the end */
    DWORD taken;
    char bytes[4096];
};

static DWORD WINAPI read_on(void *argument) {
    struct bell_reader *reader = argument;
    do {
        WaitForSingleObject(reader->empty, INFINITE);
        reader->taken = 0;
        if (!ReadFile(reader->handle, reader->bytes, sizeof reader->bytes, &reader->length, NULL)) {
            reader->length = 0;
        }
        SetEvent(reader->full);
    } while (reader->length > 0);
    return 0;
}

static void free_reader(struct bell_reader *reader) {
    if (reader->full) {
        CloseHandle(reader->full);
    }
    if (reader->empty) {
        CloseHandle(reader->empty);
    }
    free(reader);
}

bool bell_input_open(struct bell_input *input, int descriptor) {
    struct bell_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        return false;
    }
    reader->handle = (HANDLE)_get_osfhandle(descriptor);
    reader->full = CreateEventA(NULL, TRUE, FALSE, NULL);
    reader->empty = CreateEventA(NULL, FALSE, TRUE, NULL);
    HANDLE thread = reader->full && reader->empty ? CreateThread(NULL, 0, read_on, reader, 0, NULL) : NULL;
    if (!thread) {
        free_reader(reader);
        return false;
    }
    CloseHandle(thread);
    *input = (struct bell_input){.descriptor = descriptor, .reader = reader};
    return true;
}

/* A thread that waits for input cannot be called back, so it keeps what it uses, until the process ends. */
void bell_input_close(struct bell_input *input) {
    input->reader = NULL;
}

long bell_input_read(struct bell_input *input, char *bytes, size_t size) {
    struct bell_reader *reader = input->reader;
    WaitForSingleObject(reader->full, INFINITE);
    DWORD left = reader->length - reader->taken;
    DWORD count = left < size ? left : (DWORD)size;
    memcpy(bytes, reader->bytes + reader->taken, count);
    reader->taken += count;
    if (reader->length > 0 && reader->taken == reader->length) {
        ResetEvent(reader->full);
        SetEvent(reader->empty);
    }
    return (long)count;
}

bool bell_input_ready(const struct bell_input *input) {
    return WaitForSingleObject(input->reader->full, 0) == WAIT_OBJECT_0;
}

enum bell_news bell_wait(struct bell *bell, double seconds, const struct bell_input *input) {
    HANDLE watched[2] = {bell->handle, input ? input->reader->full : NULL};
    DWORD milliseconds = seconds <= 0 ? 0 : seconds < 1e6 ? (DWORD)(seconds * 1e3) + 1 : INFINITE;
    switch (WaitForMultipleObjects(input ? 2 : 1, watched, FALSE, milliseconds)) {
    case WAIT_OBJECT_0:
        return BELL_RUNG;
    case WAIT_OBJECT_0 + 1:
        return BELL_INPUT;
    default:
        return BELL_SILENT;
    }
}
