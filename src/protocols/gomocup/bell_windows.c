/* The bell on Windows: an event. A pipe or a console cannot be waited for together with it, so both are looked at every
 * millisecond. */
#include <io.h>

#include <windows.h>

#include "base/stopwatch.h"
#include "protocols/gomocup/bell.h"

#define LOOK_MILLISECONDS 1

bool bell_open(struct bell *bell) {
    bell->handle = CreateEventA(NULL, TRUE, FALSE, NULL);
    timeBeginPeriod(LOOK_MILLISECONDS); /* otherwise a sleep of a millisecond takes sixteen */
    return bell->handle != NULL;
}

void bell_close(struct bell *bell) {
    timeEndPeriod(LOOK_MILLISECONDS);
    CloseHandle(bell->handle);
}

void bell_ring(struct bell *bell) {
    SetEvent(bell->handle);
}

void bell_hush(struct bell *bell) {
    ResetEvent(bell->handle);
}

/* Whether a read would return at once: something is there, the other end is closed, or it is no pipe. */
static bool can_read(int descriptor) {
    DWORD there = 0;
    HANDLE handle = (HANDLE)_get_osfhandle(descriptor);
    if (GetFileType(handle) != FILE_TYPE_PIPE) {
        return WaitForSingleObject(handle, 0) == WAIT_OBJECT_0;
    }
    return !PeekNamedPipe(handle, NULL, 0, NULL, &there, NULL) || there > 0;
}

enum bell_news bell_wait(struct bell *bell, double seconds, int input) {
    double end = clock_wall() + seconds;
    do {
        if (WaitForSingleObject(bell->handle, LOOK_MILLISECONDS) == WAIT_OBJECT_0) {
            return BELL_RUNG;
        }
        if (input >= 0 && can_read(input)) {
            return BELL_INPUT;
        }
    } while (clock_wall() < end);
    return BELL_SILENT;
}
