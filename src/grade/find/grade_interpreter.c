#include "grade/find/grade_interpreter.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool grade_version_fits(const char *version, const char *wanted) {
    size_t length = strlen(wanted);
    return strncmp(version, wanted, length) == 0 && (version[length] == '\0' || version[length] == '.');
}

static bool is_within(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0' || length == 1);
}

/* -- what has to be shown -- */

static bool has(const char *folder, const char *name) {
    char path[PATH_MAX];
    return snprintf(path, sizeof path, "%s/%s", folder, name) < PATH_MAX && access(path, F_OK) == 0;
}

static bool is_python_library(const struct dirent *entry) {
    return strncmp(entry->d_name, "python", 6) == 0;
}

/* Whether a folder is one that an interpreter was installed in: with its library, or an environment. */
static bool is_installation(const char *folder) {
    char path[PATH_MAX];
    DIR *library = snprintf(path, sizeof path, "%s/lib", folder) < PATH_MAX ? opendir(path) : NULL;
    bool found = has(folder, "pyvenv.cfg");
    struct dirent *entry;
    while (library && !found && (entry = readdir(library)) != NULL) {
        found = is_python_library(entry);
    }
    if (library) {
        closedir(library);
    }
    return found;
}

static bool may_be_shown(const char *folder, const char *const *secrets) {
    const char *home = getenv("HOME");
    if (!folder[0] || (home && is_within(home, folder)) || is_within("/tmp", folder)) {
        return false;
    }
    for (; secrets && *secrets; secrets++) {
        if (is_within(*secrets, folder)) {
            return false;
        }
    }
    return true;
}

/* The folder an interpreter was installed in, or the file alone. */
static void find_shown(const char *path, const char *const *secrets, char shown[PATH_MAX]) {
    snprintf(shown, PATH_MAX, "%s", path);
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(shown, '/');
        if (slash) {
            *slash = '\0';
        }
    }
    if (!is_installation(shown) || !may_be_shown(shown, secrets)) {
        snprintf(shown, PATH_MAX, "%s", path);
    }
}

/* -- the list -- */

struct grade_interpreter *grade_interpreters_add(struct grade_interpreters *found, const char *path,
                                                 const char *version, bool first, const char *const *secrets) {
    for (int i = 0; i < found->count; i++) {
        if (strcmp(found->list[i].path, path) == 0) {
            return &found->list[i];
        }
    }
    if (found->count == GRADE_MOST_INTERPRETERS) {
        return NULL;
    }
    int place = first ? 0 : found->count;
    memmove(&found->list[place + 1], &found->list[place], (size_t)(found->count - place) * sizeof found->list[0]);
    found->count++;
    struct grade_interpreter *one = &found->list[place];
    *one = (struct grade_interpreter){0};
    char real[PATH_MAX];
    snprintf(one->path, sizeof one->path, "%s", path);
    snprintf(one->version, sizeof one->version, "%s", version);
    find_shown(path, secrets, one->shown[0]);
    if (realpath(path, real) && !is_within(real, one->shown[0])) {
        find_shown(real, secrets, one->shown[1]);
    }
    return one;
}

/* Adds what a folder of programs has. `version` is what is known about all of it. */
static void add_folder(struct grade_interpreters *found, const char *folder, const char *version,
                       const char *const *secrets) {
    static const char *const names[][2] = {{"python2.7", "2.7"}, {"python2", "2"}, {"python3", "3"}, {"python", ""}};
    bool any = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX];
        bool wanted = (i != 1 && i != 3) || !any;
        if (wanted && snprintf(path, sizeof path, "%s/%s", folder, names[i][0]) < PATH_MAX && access(path, X_OK) == 0) {
            any = true;
            grade_interpreters_add(found, path, *version ? version : names[i][1], false, secrets);
        }
    }
}

/* Adds the bin of every folder in a folder, newest names first; `versions` when those names are versions. */
static void add_all_below(struct grade_interpreters *found, const char *folder, bool versions,
                          const char *const *secrets) {
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, versionsort);
    for (int i = count - 1; i >= 0; i--) {
        char bin[PATH_MAX];
        const char *name = entries[i]->d_name;
        bool known = versions && strspn(name, "0123456789.") == strlen(name) && name[0] != '.';
        if (name[0] != '.' && snprintf(bin, sizeof bin, "%s/%s/bin", folder, name) < PATH_MAX) {
            add_folder(found, bin, known ? name : "", secrets);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
}

static void add_environment(struct grade_interpreters *found, const char *variable, const char *const *secrets) {
    const char *folder = getenv(variable);
    char bin[PATH_MAX];
    if (folder && *folder == '/' && snprintf(bin, sizeof bin, "%s/bin", folder) < PATH_MAX) {
        add_folder(found, bin, "", secrets);
    }
}

/* The PATH; what pyenv puts there only finds the others. */
static void add_path(struct grade_interpreters *found, const char *const *secrets) {
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at;) {
        char folder[PATH_MAX];
        size_t length = strcspn(at, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)(length < PATH_MAX - 1 ? length : PATH_MAX - 1), at);
        if (folder[0] == '/' && !strstr(folder, "/shims")) {
            add_folder(found, folder, "", secrets);
        }
        at += length + (at[length] == ':');
    }
}

void grade_interpreters_find(struct grade_interpreters *found, const char *const *secrets) {
    static const char *const homes[] = {".pyenv/versions", "miniconda3/envs", "anaconda3/envs",
                                        "miniforge3/envs", ".virtualenvs",    ".local/share/uv/python"};
    static const char *const bases[] = {"miniconda3/bin", "anaconda3/bin", "miniforge3/bin"};
    const char *home = getenv("HOME");
    const char *root = getenv("PYENV_ROOT");
    char path[PATH_MAX];
    add_environment(found, "VIRTUAL_ENV", secrets);
    add_environment(found, "CONDA_PREFIX", secrets);
    add_folder(found, "/usr/local/bin", "", secrets);
    add_folder(found, "/usr/bin", "", secrets);
    add_path(found, secrets);
    if (root && *root == '/' && snprintf(path, sizeof path, "%s/versions", root) < PATH_MAX) {
        add_all_below(found, path, true, secrets);
    }
    for (size_t i = 0; i < sizeof homes / sizeof *homes && home; i++) {
        if (snprintf(path, sizeof path, "%s/%s", home, homes[i]) < PATH_MAX) {
            add_all_below(found, path, i == 0, secrets);
        }
    }
    for (size_t i = 0; i < sizeof bases / sizeof *bases && home; i++) {
        if (snprintf(path, sizeof path, "%s/%s", home, bases[i]) < PATH_MAX) {
            add_folder(found, path, "", secrets);
        }
    }
    add_folder(found, "/opt/bin", "", secrets);
    add_all_below(found, "/opt", false, secrets);
    add_all_below(found, "/opt/conda/envs", false, secrets);
    add_all_below(found, "/opt/python", true, secrets);
}
