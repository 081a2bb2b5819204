#include "grade/grade_pythons.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODULES "modules" /* in the scratch folder: the files to compile */
#define BUILD "/build"
#define ASK_SECONDS 30.0

/* Every interpreter of this machine is looked for and asked once for the process. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct grade_interpreters *known;

/* -- asking -- */

void grade_pythons_show(const struct grade_interpreter *python, struct warden_view *view) {
    for (int i = 0; python && i < 2; i++) {
        if (python->shown[i][0] && !warden_is_system(python->shown[i])) {
            warden_view_add(view, python->shown[i], NULL);
        }
    }
}

/* Runs a piece of Python; what it prints is added to *said. False when it did not end well. */
static bool run_python(struct warden *warden, const struct grade_interpreter *python, const char *code,
                       const char *word, const struct text *modules, const struct grade_options *options,
                       struct text *said) {
    struct warden_view view = {.build = modules ? WARDEN_BUILD_READ : WARDEN_NO_BUILD, .keep_output = true};
    struct warden_limits limits = options->limits;
    struct warden_report report = {0};
    const char *const words[] = {python->path, "-E", "-s", "-B", "-c", code, word, NULL};
    limits.wall_seconds = ASK_SECONDS;
    grade_pythons_show(python, &view);
    bool well = warden_show(warden, &view, NULL) == STATUS_OK && warden_clean(warden, NULL) == STATUS_OK &&
                (!modules || warden_put(warden, MODULES, text_string(modules), modules->length, NULL) == STATUS_OK) &&
                warden_run(warden, words, &limits, &report, said, NULL) == STATUS_OK;
    if (well && report.end == WARDEN_NOT_STARTED) {
        text_add_string(said, strerror(report.code));
    }
    return well && report.end == WARDEN_EXITED && report.code == 0;
}

/* The last line of a text that says something. */
static const char *last_line(struct text *said) {
    while (said->length > 0 && strchr(" \t\r\n", said->data[said->length - 1])) {
        said->data[--said->length] = '\0';
    }
    const char *text = text_string(said);
    const char *feed = strrchr(text, '\n');
    return feed ? feed + 1 : text;
}

/* Asks an interpreter for its version, once; the lock is held. */
static void ask(struct warden *warden, struct grade_interpreter *python, const struct grade_options *options) {
    struct text said = TEXT_EMPTY;
    if (python->asked) {
        return;
    }
    python->asked = true;
    bool well = run_python(warden, python, "import sys, os; sys.stdout.write('%d.%d.%d' % tuple(sys.version_info[:3]))",
                           NULL, NULL, options, &said);
    const char *line = last_line(&said);
    if (well && grade_is_version(line)) {
        snprintf(python->version, sizeof python->version, "%s", line);
    } else {
        snprintf(python->problem, sizeof python->problem, "%.120s cannot be started: %.60s", python->path,
                 *line ? line : "it says nothing");
    }
    text_free(&said);
}

/* Finds all there are; the lock is held. */
static bool find_all(const struct grade_options *options) {
    if (!known && (known = calloc(1, sizeof *known)) != NULL) {
        grade_interpreters_find(known, options->secrets);
        for (int i = GRADE_MOST_PYTHONS - 1; i >= 0; i--) {
            if (options->pythons[i].path[0]) {
                struct grade_interpreter *named = grade_interpreters_add(
                    known, options->pythons[i].path, options->pythons[i].version, true, options->secrets);
                /* It may have been found behind others. */
                if (named && named != &known->list[0]) {
                    struct grade_interpreter one = *named;
                    memmove(&known->list[1], &known->list[0], (size_t)(named - known->list) * sizeof one);
                    known->list[0] = one;
                }
            }
        }
    }
    return known != NULL;
}

/* Whether an interpreter may be what is wanted, as far as is known before it is asked. */
static bool may_fit(const struct grade_interpreter *python, const char *wanted) {
    return !python->version[0] || grade_version_fits(python->version, wanted) ||
           (!python->asked && grade_version_fits(wanted, python->version));
}

const struct grade_interpreter *grade_pythons_get(struct warden *warden, const char *wanted,
                                                  const struct grade_options *options, char problem[400]) {
    const struct grade_interpreter *found = NULL;
    problem[0] = '\0';
    pthread_mutex_lock(&lock);
    bool there = find_all(options);
    if (there && wanted[0] == '/') {
        struct grade_interpreter *one = grade_interpreters_add(known, wanted, "", false, options->secrets);
        if (one) {
            ask(warden, one, options);
            found = one->problem[0] ? NULL : one;
            snprintf(problem, 400, "%s", one->problem);
        }
    }
    for (int i = 0; there && wanted[0] != '/' && i < known->count && !found; i++) {
        struct grade_interpreter *one = &known->list[i];
        if (may_fit(one, wanted)) {
            ask(warden, one, options);
            found = !one->problem[0] && grade_version_fits(one->version, wanted) ? one : NULL;
            if (one->problem[0] && !problem[0]) {
                snprintf(problem, 400, "%s", one->problem);
            }
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* -- compiling -- */

/* Goes through the files and says the first thing wrong with one of them. It must be read by every Python. */
static const char compile_code[] =
    "import os, sys\n"
    "names = open('" MODULES "', 'rb').read().decode('utf-8', 'replace').split('\\0')\n"
    "for name in names[:-1]:\n"
    "    try:\n"
    "        source = open(os.path.join(sys.argv[1], name), 'rb')\n"
    "        compile(source.read() + '\\n'.encode('ascii'), name, 'exec', 0, 1)\n"
    "    except Exception:\n"
    "        error = sys.exc_info()[1]\n"
    "        sys.stdout.write('\\n%s line %s: %s: %s' % (name, getattr(error, 'lineno', None) or '?',\n"
    "                         error.__class__.__name__, getattr(error, 'msg', None) or ''))\n"
    "        sys.exit(1)\n";

/* What one interpreter makes of a way. */
struct opinion {
    const struct grade_interpreter *python; /* NULL: there is none */
    bool reads;
    char reason[200]; /* why it does not */
};

static void form_opinion(struct opinion *opinion, struct warden *warden, const struct grade_plan *plan,
                         const struct grade_way *way, const struct grade_options *options) {
    struct text said = TEXT_EMPTY;
    char folder[PATH_MAX + sizeof BUILD];
    if (!opinion->python) {
        return;
    }
    snprintf(folder, sizeof folder, BUILD "/%s", plan->folder);
    opinion->reads = run_python(warden, opinion->python, compile_code, folder, &way->modules, options, &said);
    snprintf(opinion->reason, sizeof opinion->reason, "%s", last_line(&said));
    text_free(&said);
}

/* -- deciding -- */

struct settling {
    struct grade_prepared *prepared;
    struct warden *warden;
    const struct grade_options *options;
    struct grade_way ways[GRADE_MOST_WAYS]; /* the new ones */
    const struct grade_interpreter *pythons[GRADE_MOST_WAYS];
    int count;
};

static void copy_text(struct text *to, const struct text *from) {
    *to = TEXT_EMPTY;
    text_add(to, text_string(from), from->length);
}

/* Adds a way that is run by an interpreter. */
static void add_way(struct settling *settling, const struct grade_way *from, const struct grade_interpreter *python,
                    const char *why) {
    if (settling->count == GRADE_MOST_WAYS) {
        return;
    }
    struct grade_way *way = &settling->ways[settling->count];
    settling->pythons[settling->count++] = python;
    *way = *from;
    copy_text(&way->script, &from->script);
    copy_text(&way->others, &from->others);
    copy_text(&way->modules, &from->modules);
    way->command = TEXT_EMPTY;
    size_t length = strlen(way->why);
    snprintf(way->why + length, sizeof way->why - length, "%s%s", *why ? "; " : "", why);
    if (python) {
        text_add(&way->command, python->path, strlen(python->path) + 1);
        if (strcmp(way->how, "Python") == 0) {
            snprintf(way->how, sizeof way->how, "Python %s", python->version);
        }
    }
    text_add(&way->command, text_string(&from->command), from->command.length);
}

static void add_lacking(struct settling *settling, const struct grade_way *from, const char *tool, const char *reason) {
    add_way(settling, from, NULL, "");
    struct grade_way *way = &settling->ways[settling->count - 1];
    snprintf(way->missing_tool, sizeof way->missing_tool, "%s", tool);
    grade_way_give_up(way, GRADE_BUILD_LACKS_TOOL, "%s", reason);
}

/* What somebody has asked for; true when that settles it. */
static bool take_wanted(struct settling *settling, const struct grade_way *way, const char *wanted, const char *who,
                        bool may_differ) {
    char problem[400];
    char reason[400];
    char why[80];
    const struct grade_interpreter *python = grade_pythons_get(settling->warden, wanted, settling->options, problem);
    if (!python && may_differ) {
        return false;
    }
    if (python) {
        snprintf(why, sizeof why, "Python %s: %s", python->version, who);
        add_way(settling, way, python, why);
        return true;
    }
    snprintf(reason, sizeof reason, "%s it needs Python %.60s, and this machine has none: %.200s", who, wanted,
             problem[0] ? problem : "name one with --python VERSION=PATH");
    add_lacking(settling, way, "python", reason);
    return true;
}

/* Python 2 is needed and not there. */
static void lack_two(struct settling *settling, const struct grade_way *way, const char *sign, const char *problem) {
    char reason[400];
    snprintf(reason, sizeof reason,
             "written for Python 2 (%.150s), and there is no python2 on this machine%s%.100s: pyenv install 2.7.18, or "
             "--python 2=PATH",
             sign, *problem ? ": " : "", problem);
    add_lacking(settling, way, "python2", reason);
}

/* The two Pythons have looked at it. */
static void weigh(struct settling *settling, const struct grade_way *way, const struct opinion *two,
                  const struct opinion *three, const char *problem) {
    char why[300];
    bool old = way->python == GRADE_PYTHON_2 || way->python == GRADE_PYTHON_2_NAMES;
    bool tabs = strstr(three->reason, "TabError") != NULL;
    const char *sign = way->sign[0] ? way->sign : three->reason;
    if (three->python && three->reads && two->python && two->reads) {
        const struct grade_interpreter *first = old ? two->python : three->python;
        const struct grade_interpreter *second = old ? three->python : two->python;
        snprintf(why, sizeof why, "Python %s: both 2 and 3 can read it%s%.120s", first->version, old ? ", " : "",
                 old ? sign : "");
        add_way(settling, way, first, why);
        snprintf(why, sizeof why, "Python %s: both 2 and 3 can read it", second->version);
        add_way(settling, way, second, why);
    } else if (two->python && (two->reads || (!(three->python && three->reads) && old))) {
        snprintf(why, sizeof why, "Python %s: Python 3 cannot read it (%.150s)", two->python->version,
                 way->python == GRADE_PYTHON_2 ? sign : three->reason);
        struct grade_way marked = *way;
        marked.unread = !two->reads;
        add_way(settling, &marked, two->python, why);
    } else if (!two->python && three->python && !three->reads && (way->python == GRADE_PYTHON_2 || tabs)) {
        lack_two(settling, way, way->python == GRADE_PYTHON_2 ? sign : three->reason, problem);
    } else if (three->python) {
        snprintf(why, sizeof why, "Python %s%s%.150s", three->python->version,
                 two->python && three->reads ? ": Python 2 cannot read it" : "",
                 three->reads ? "" : ": nothing reads it");
        struct grade_way marked = *way;
        marked.unread = !three->reads;
        add_way(settling, &marked, three->python, why);
    } else {
        add_lacking(settling, way, "python3",
                    "needs python3, which is not installed on this machine: apt-get install python3");
    }
}

static void settle(struct settling *settling, const struct grade_submission *submission, const struct grade_way *way) {
    const struct grade_plan *plan = &settling->prepared->plan;
    char problem[2][400];
    if (submission->wish.python[0]) {
        take_wanted(settling, way, submission->wish.python, "the teacher says", false);
        return;
    }
    if (plan->wish.python[0]) {
        take_wanted(settling, way, plan->wish.python, GRADE_WISH_FILE " says", false);
        return;
    }
    if (plan->version[0]) { /* exactly, or at least the two first parts of it */
        char shorter[sizeof plan->version];
        size_t dot = strcspn(plan->version, ".");
        dot += plan->version[dot] ? 1 + strcspn(plan->version + dot + 1, ".") : 0;
        snprintf(shorter, sizeof shorter, "%.*s", (int)dot, plan->version);
        if (take_wanted(settling, way, plan->version, ".python-version asks for it", true) ||
            take_wanted(settling, way, shorter, ".python-version asks for it", true)) {
            return;
        }
    }
    struct opinion three = {.python = grade_pythons_get(settling->warden, "3", settling->options, problem[0])};
    struct opinion two = {.python = grade_pythons_get(settling->warden, "2", settling->options, problem[1])};
    form_opinion(&three, settling->warden, plan, way, settling->options);
    form_opinion(&two, settling->warden, plan, way, settling->options);
    weigh(settling, way, &two, &three, problem[1]);
}

enum status grade_pythons_settle(struct grade_prepared *prepared, struct warden *warden,
                                 const struct grade_submission *submission, const struct grade_options *options,
                                 struct error *error) {
    struct grade_plan *plan = &prepared->plan;
    struct settling *settling = calloc(1, sizeof *settling);
    if (!settling) {
        return error_machine(error, "out of memory");
    }
    *settling = (struct settling){.prepared = prepared, .warden = warden, .options = options};
    for (int i = 0; i < plan->way_count; i++) {
        struct grade_way *way = &plan->ways[i];
        if (way->is_python && way->state == GRADE_BUILD_READY) {
            settle(settling, submission, way);
            grade_way_free(way);
        } else if (settling->count < GRADE_MOST_WAYS) {
            settling->ways[settling->count++] = *way;
        } else {
            grade_way_free(way);
        }
    }
    memcpy(plan->ways, settling->ways, sizeof plan->ways);
    memcpy(prepared->pythons, settling->pythons, sizeof prepared->pythons);
    plan->way_count = settling->count;
    free(settling);
    return STATUS_OK;
}

enum status grade_pythons_settle_one(struct grade_prepared *prepared, int number, struct warden *warden,
                                     const struct grade_submission *submission, const struct grade_options *options,
                                     struct error *error) {
    struct grade_way *way = &prepared->plan.ways[number];
    struct settling *settling = calloc(1, sizeof *settling);
    if (!settling) {
        return error_machine(error, "out of memory");
    }
    *settling = (struct settling){.prepared = prepared, .warden = warden, .options = options};
    settle(settling, submission, way);
    grade_way_free(way);
    *way = settling->ways[0];
    prepared->pythons[number] = settling->pythons[0];
    for (int i = 1; i < settling->count; i++) {
        grade_way_free(&settling->ways[i]);
    }
    free(settling);
    return STATUS_OK;
}

/* -- other tools -- */

/* How each tells its version. */
static const struct {
    const char *name;
    const char *option;
} tools[] = {{"gcc", "-dumpfullversion"}, {"g++", "-dumpfullversion"},     {"javac", "-version"},
             {"node", "--version"},       {"perl", "-eprintf '%vd', $^V"}, {"java", "-version"}};
static char tool_versions[sizeof tools / sizeof *tools][64];

/* Asks a tool, once for the process; the lock is held. */
static void ask_tool(struct warden *warden, size_t number, const struct grade_options *options) {
    const char *const words[] = {tools[number].name, tools[number].option, NULL};
    struct warden_view view = {.keep_output = true};
    struct warden_limits limits = options->limits;
    struct warden_report report;
    struct text said = TEXT_EMPTY;
    limits.wall_seconds = ASK_SECONDS;
    bool well = warden_show(warden, &view, NULL) == STATUS_OK && warden_clean(warden, NULL) == STATUS_OK &&
                warden_run(warden, words, &limits, &report, &said, NULL) == STATUS_OK && report.end == WARDEN_EXITED &&
                report.code == 0;
    const char *from = text_string(&said);
    from += strcspn(from, "0123456789");
    snprintf(tool_versions[number], sizeof tool_versions[number], "%s %.*s", tools[number].name,
             well ? (int)strspn(from, "0123456789.") : 0, from);
    text_free(&said);
}

void grade_tool_version(struct warden *warden, const struct grade_way *way, const struct grade_options *options,
                        char tool[64]) {
    const char *made = text_string(way->script.length ? &way->script : &way->command);
    tool[0] = '\0';
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        size_t length = strlen(tools[i].name);
        if (strncmp(made, tools[i].name, length) == 0 && (made[length] == ' ' || made[length] == '\0')) {
            pthread_mutex_lock(&lock);
            if (!tool_versions[i][0]) {
                ask_tool(warden, i, options);
            }
            snprintf(tool, 64, "%s", tool_versions[i]);
            pthread_mutex_unlock(&lock);
            return;
        }
    }
}

/* -- modules -- */

/* What is installed by a package whose name is not python3- and the module's. */
static const char *package_of(const char *module) {
    static const char *const packages[][2] = {{"numpy", "python3-numpy"},
                                              {"scipy", "python3-scipy"},
                                              {"pandas", "python3-pandas"},
                                              {"matplotlib", "python3-matplotlib"},
                                              {"networkx", "python3-networkx"},
                                              {"numba", "python3-numba"},
                                              {"sympy", "python3-sympy"},
                                              {"psutil", "python3-psutil"},
                                              {"six", "python3-six"},
                                              {"tqdm", "python3-tqdm"},
                                              {"requests", "python3-requests"},
                                              {"sortedcontainers", "python3-sortedcontainers"},
                                              {"sklearn", "python3-sklearn"},
                                              {"PIL", "python3-pil"},
                                              {"cv2", "python3-opencv"},
                                              {"yaml", "python3-yaml"},
                                              {"pygame", "python3-pygame"},
                                              {"tkinter", "python3-tk"},
                                              {"Tkinter", "python-tk"},
                                              {"bitarray", "python3-bitarray"},
                                              {"gmpy2", "python3-gmpy2"},
                                              {"pytest", "python3-pytest"},
                                              {"colorama", "python3-colorama"},
                                              {"termcolor", "python3-termcolor"},
                                              {"joblib", "python3-joblib"},
                                              {"dill", "python3-dill"},
                                              {"enum", "python3-minimal"},
                                              {"typing", "python3-minimal"},
                                              {"torch", "python3-torch"},
                                              {"tensorflow", NULL},
                                              {"keras", NULL},
                                              {"future", "python3-future"},
                                              {"cython", "cython3"},
                                              {"Cython", "cython3"}};
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        if (strcmp(packages[i][0], module) == 0) {
            return packages[i][1] ? packages[i][1] : "";
        }
    }
    return NULL;
}

/* The module that a traceback ends with the lack of; false when it ends otherwise. */
static bool missing_module(const char *errors, char module[64]) {
    static const char words[] = "No module named ";
    const char *found = NULL;
    for (const char *at = errors; (at = strstr(at, words)) != NULL; at++) {
        found = at;
    }
    if (!found || strchr(found, '\n') != strrchr(found, '\n')) { /* not in the last line */
        return false;
    }
    found += strlen(words);
    found += *found == '\'' || *found == '"';
    size_t length = strcspn(found, "'\".\r\n ;");
    snprintf(module, 64, "%.*s", (int)(length < 63 ? length : 63), found);
    return length > 0 && length < 64;
}

static bool has_module(struct warden *warden, const struct grade_interpreter *python, const char *module,
                       const struct grade_options *options) {
    char code[120];
    struct text said = TEXT_EMPTY;
    snprintf(code, sizeof code, "import %s", module);
    bool has = run_python(warden, python, code, NULL, NULL, options, &said);
    text_free(&said);
    return has;
}

/* Another interpreter of the same major version that has the module; the lock is held. */
static const struct grade_interpreter *find_with(struct warden *warden, const struct grade_interpreter *not_this,
                                                 const char *module, const struct grade_options *options) {
    char major[3];
    snprintf(major, sizeof major, "%.1s", not_this->version);
    for (int i = 0; i < known->count; i++) {
        struct grade_interpreter *one = &known->list[i];
        if (one != not_this && may_fit(one, major)) {
            ask(warden, one, options);
            if (!one->problem[0] && grade_version_fits(one->version, major) &&
                has_module(warden, one, module, options)) {
                return one;
            }
        }
    }
    return NULL;
}

bool grade_pythons_lacks(struct warden *warden, const char *errors, const struct grade_options *options,
                         const struct grade_interpreter **python, char tool[32], char problem[400]) {
    char module[64];
    if (!*python || !missing_module(errors, module) || !package_of(module) ||
        has_module(warden, *python, module, options)) {
        return false;
    }
    const char *package = package_of(module);
    bool three = (*python)->version[0] == '3';
    snprintf(tool, 32, "%.31s", module);
    if (three && *package) {
        snprintf(problem, 400, "needs the module %s, which Python %s on this machine has not: apt-get install %s",
                 module, (*python)->version, package);
    } else {
        snprintf(problem, 400,
                 "needs the module %s, which Python %s on this machine has not: %.160s -m pip install %.60s", module,
                 (*python)->version, (*python)->path, module);
    }
    pthread_mutex_lock(&lock);
    *python = find_with(warden, *python, module, options);
    pthread_mutex_unlock(&lock);
    return true;
}
