#include <string.h>
#include <windows.h>

#include "system/host.h"

int host_processors(void) {
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? (int)info.dwNumberOfProcessors : 1;
}

size_t host_free_memory(void) {
    MEMORYSTATUSEX status = {.dwLength = sizeof status};
    return GlobalMemoryStatusEx(&status) ? (size_t)status.ullAvailPhys : 0;
}

bool host_program_folder(char *folder, size_t size) {
    DWORD length = GetModuleFileNameA(NULL, folder, (DWORD)size);
    folder[length < size ? length : 0] = '\0'; /* it did not fit */
    char *slash = strrchr(folder, '\\');
    if (slash) {
        *slash = '\0';
    }
    return slash;
}

void host_ask_for_short_slices(void) {
}
