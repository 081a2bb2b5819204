/* Choosing how to build and run: what the student says (run, a Makefile, CMake) before what the sources say. */
#include "grade/find/grade_detect.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grade/find/grade_python.h"
#include "grade/find/grade_tree.h"

/* The program we compile ourselves, and the folder of Java's classes. */
#define OUR_PROGRAM "sortie-program"
#define OUR_CLASSES "sortie-classes"

/* Gives the plan up, with the reason. */
static __attribute__((format(printf, 3, 4))) void give_up(struct grade_plan *plan, enum grade_build_state state,
                                                          const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    plan->state = state;
    vsnprintf(plan->problem, sizeof plan->problem, format, arguments);
    va_end(arguments);
}

void grade_add_quoted(struct text *script, const char *word) {
    text_add_string(script, word[0] == '-' ? " './" : " '");
    for (; *word; word++) {
        if (*word == '\'') {
            text_add_string(script, "'\\''");
        } else {
            text_add_char(script, *word);
        }
    }
    text_add_char(script, '\'');
}

static void add_word(struct text *command, const char *word) {
    text_add(command, word, strlen(word) + 1);
}

static void add_file(struct text *command, const char *folder, const char *path) {
    text_addf(command, "%s/%s", folder, path);
    text_add_char(command, '\0');
}

/* Asks for a tool; without it the plan has a problem. */
static bool need_tool(struct grade_plan *plan, const char *tool, const char *package) {
    if (grade_has_tool(tool)) {
        return true;
    }
    snprintf(plan->missing_tool, sizeof plan->missing_tool, "%s", tool);
    give_up(plan, GRADE_BUILD_LACKS_TOOL, "needs %s, which is not installed on this machine (Debian: %s)", tool,
            package);
    return false;
}

/* -- which file is the program -- */

/* How likely a file is meant to be the program, by its name; smaller is likelier. */
static int rank_of(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    int stem = (int)strcspn(name, ".");
    static const char *const likely[] = {"run", "main", "homework", "solution", "agent", "player"};
    for (int i = 0; i < (int)(sizeof likely / sizeof *likely); i++) {
        if ((int)strlen(likely[i]) == stem && strncasecmp(name, likely[i], (size_t)stem) == 0) {
            return i;
        }
    }
    return strncasecmp(name, "homework", 8) == 0 || strncasecmp(name, "hw", 2) == 0 ? 10 : 11;
}

/* The one file of the accepted ones with the likeliest name; NULL when there is none or nothing tells them apart
 * (*count says how many there are). Files nearer the top go first. */
static const struct grade_file *choose(const struct grade_files *files, bool (*accept)(const struct grade_file *file),
                                       int *count) {
    const struct grade_file *best = NULL;
    int best_rank = 0;
    bool tie = false;
    *count = 0;
    for (int i = 0; i < files->count; i++) {
        const struct grade_file *file = &files->list[i];
        if (!accept(file)) {
            continue;
        }
        int depth = 0;
        for (const char *at = file->path; *at; at++) {
            depth += *at == '/';
        }
        int rank = rank_of(file->path) * 64 + depth;
        tie = best && rank == best_rank ? true : (best && rank > best_rank ? tie : false);
        if (!best || rank < best_rank) {
            best = file;
            best_rank = rank;
        }
        ++*count;
    }
    return tie ? NULL : best;
}

static bool is_run(const struct grade_file *file) {
    return !strchr(file->path, '/') && rank_of(file->path) == 0 &&
           (file->kind == GRADE_KIND_PROGRAM || file->kind == GRADE_KIND_SCRIPT || file->kind == GRADE_KIND_PYTHON);
}
static bool is_new_program(const struct grade_file *file) {
    return file->kind == GRADE_KIND_PROGRAM && !file->was_there;
}
static bool is_program(const struct grade_file *file) {
    return file->kind == GRADE_KIND_PROGRAM || file->kind == GRADE_KIND_SCRIPT;
}
static bool is_java_main(const struct grade_file *file) {
    return file->kind == GRADE_KIND_JAVA && file->has_main && file->class;
}
static bool is_c_main(const struct grade_file *file) {
    return (file->kind == GRADE_KIND_C || file->kind == GRADE_KIND_CPP) && file->has_main;
}
static bool is_python(const struct grade_file *file) {
    return file->kind == GRADE_KIND_PYTHON;
}
static bool is_python_main(const struct grade_file *file) {
    return file->kind == GRADE_KIND_PYTHON && file->has_main;
}

static int count_kind(const struct grade_files *files, enum grade_kind kind) {
    int count = 0;
    for (int i = 0; i < files->count; i++) {
        count += files->list[i].kind == kind;
    }
    return count;
}

/* Says that several files could be the program. */
static void say_ambiguous(struct grade_plan *plan, const struct grade_files *files,
                          bool (*accept)(const struct grade_file *file), const char *what) {
    give_up(plan, GRADE_BUILD_NO_PROGRAM, "%s:", what);
    int length = (int)strlen(plan->problem);
    int named = 0;
    for (int i = 0; i < files->count && length < 200; i++) {
        if (accept(&files->list[i])) {
            length += snprintf(plan->problem + length, sizeof plan->problem - (size_t)length, "%s %.60s",
                               named++ ? "," : "", files->list[i].path);
        }
    }
    snprintf(plan->problem + length, sizeof plan->problem - (size_t)length,
             "; expected one of them, or one called main or run");
}

/* -- Python -- */

/* The version all Python files together ask for. */
static enum grade_python python_version(const struct grade_files *files, int folder, char sign[120]) {
    enum grade_python strongest = GRADE_PYTHON_ANY;
    for (int i = 0; i < files->count; i++) {
        struct text text = TEXT_EMPTY;
        struct grade_python_sign here;
        if (is_python(&files->list[i]) && grade_tree_read(folder, files->list[i].path, (size_t)1 << 20, &text)) {
            enum grade_python version = grade_python_version(text_string(&text), text.length, &here);
            if (version != GRADE_PYTHON_ANY && strongest != GRADE_PYTHON_2 &&
                (strongest == GRADE_PYTHON_ANY || version == GRADE_PYTHON_2)) {
                strongest = version;
                snprintf(sign, 120, "%.60s line %d: %s", files->list[i].path, here.line, here.what);
            }
        }
        text_free(&text);
    }
    return strongest;
}

static void plan_python(const struct grade_files *files, int folder, const char *path, const char *file,
                        struct grade_plan *plan) {
    char sign[120] = "";
    enum grade_python version = python_version(files, folder, sign);
    const char *python2 = grade_has_tool("python2.7") ? "python2.7" : grade_has_tool("python2") ? "python2" : NULL;
    bool old = version == GRADE_PYTHON_2 || (version == GRADE_PYTHON_2_NAMES && python2);
    if (old && !python2) {
        snprintf(plan->missing_tool, sizeof plan->missing_tool, "python2");
        snprintf(plan->how, sizeof plan->how, "Python 2");
        give_up(plan, GRADE_BUILD_LACKS_TOOL, "written for Python 2 (%s), and there is no python2 on this machine",
                sign);
        return;
    }
    if (!old && !need_tool(plan, "python3", "python3")) {
        return;
    }
    snprintf(plan->how, sizeof plan->how, "%s%s%.119s%s", old ? "Python 2" : "Python 3", *sign ? " (" : "", sign,
             *sign ? ")" : "");
    add_word(&plan->command, old ? python2 : "python3");
    add_file(&plan->command, path, file);
}

/* The script that is the program: by its name, by its test of __name__, or the one no other imports. */
static const struct grade_file *choose_python(const struct grade_files *files, int folder) {
    int count;
    const struct grade_file *chosen = choose(files, is_python, &count);
    if (chosen && (count == 1 || rank_of(chosen->path) < 11)) {
        return chosen;
    }
    chosen = choose(files, is_python_main, &count);
    if (chosen && count == 1) {
        return chosen;
    }
    chosen = NULL;
    for (int i = 0; i < files->count; i++) {
        const char *slash = strrchr(files->list[i].path, '/');
        char module[128];
        const char *name = slash ? slash + 1 : files->list[i].path;
        snprintf(module, sizeof module, "%.*s", (int)strcspn(name, "."), name);
        bool imported = !is_python(&files->list[i]);
        for (int k = 0; k < files->count && !imported; k++) {
            struct text text = TEXT_EMPTY;
            imported = is_python(&files->list[k]) && k != i &&
                       grade_tree_read(folder, files->list[k].path, (size_t)1 << 20, &text) &&
                       grade_python_imports(text_string(&text), text.length, module);
            text_free(&text);
        }
        if (!imported && chosen) {
            return NULL;
        }
        chosen = imported ? chosen : &files->list[i];
    }
    return chosen;
}

/* -- what needs no compiler -- */

static void plan_script(const char *path, const struct grade_file *file, struct grade_plan *plan) {
    static const struct {
        const char *ending;
        const char *tool;
        const char *package;
        const char *option;
    } runners[] = {{".jar", "java", "default-jre-headless", "-jar"},
                   {".js", "node", "nodejs", NULL},
                   {".sh", "sh", "dash", NULL},
                   {".pl", "perl", "perl", NULL}};
    for (size_t i = 0; i < sizeof runners / sizeof *runners; i++) {
        if (grade_tree_ends_with(file->path, runners[i].ending)) {
            snprintf(plan->how, sizeof plan->how, "%s %.100s", runners[i].tool, file->path);
            if (!need_tool(plan, runners[i].tool, runners[i].package)) {
                return;
            }
            add_word(&plan->command, runners[i].tool);
            if (runners[i].option) {
                add_word(&plan->command, runners[i].option);
            }
        }
    }
    add_file(&plan->command, path, file->path);
}

static void plan_file(const struct grade_files *files, int folder, const char *path, const struct grade_file *file,
                      struct grade_plan *plan) {
    if (file->kind == GRADE_KIND_PYTHON) {
        plan_python(files, folder, path, file->path, plan);
    } else if (file->kind == GRADE_KIND_SCRIPT) {
        plan_script(path, file, plan);
    } else {
        if (!plan->how[0]) {
            snprintf(plan->how, sizeof plan->how, "the program %.100s", file->path);
        }
        add_file(&plan->command, path, file->path);
    }
}

/* -- compilers -- */

static void plan_java(const struct grade_files *files, const char *path, struct grade_plan *plan) {
    int count;
    const struct grade_file *main = choose(files, is_java_main, &count);
    snprintf(plan->how, sizeof plan->how, "javac, %d files%s%.80s", count_kind(files, GRADE_KIND_JAVA),
             main ? ", main class " : "", main ? main->class : "");
    if (!main) {
        say_ambiguous(plan, files, is_java_main, "several classes have a main function");
        return;
    }
    if (!need_tool(plan, "javac", "default-jdk-headless") || !need_tool(plan, "java", "default-jre-headless")) {
        return;
    }
    text_add_string(&plan->script, "javac -encoding UTF-8 -d " OUR_CLASSES);
    for (int i = 0; i < files->count; i++) {
        if (files->list[i].kind == GRADE_KIND_JAVA) {
            grade_add_quoted(&plan->script, files->list[i].path);
        }
    }
    add_word(&plan->command, "java");
    add_word(&plan->command, "-cp");
    add_file(&plan->command, path, OUR_CLASSES);
    add_word(&plan->command, main->class);
}

/* Adds the files of one kind, without programs of their own besides the chosen one. */
static int add_sources(const struct grade_files *files, enum grade_kind kind, const struct grade_file *main,
                       struct text *script) {
    int count = 0;
    for (int i = 0; i < files->count; i++) {
        const struct grade_file *file = &files->list[i];
        if (file->kind == kind && (!file->has_main || file == main)) {
            grade_add_quoted(script, file->path);
            count++;
        }
    }
    return count;
}

static void plan_c(const struct grade_files *files, const char *path, struct grade_plan *plan) {
    int count;
    const struct grade_file *main = choose(files, is_c_main, &count);
    int c_files = count_kind(files, GRADE_KIND_C);
    int cpp_files = count_kind(files, GRADE_KIND_CPP);
    const char *compiler = cpp_files ? "g++" : "gcc";
    snprintf(plan->how, sizeof plan->how, "%s, %d file%s", compiler, c_files + cpp_files,
             c_files + cpp_files == 1 ? "" : "s");
    if (!main) {
        say_ambiguous(plan, files, is_c_main, "several files have a main function");
        return;
    }
    if (!need_tool(plan, compiler, compiler) || (cpp_files && c_files && !need_tool(plan, "gcc", "gcc"))) {
        return;
    }
    if (cpp_files && c_files) {
        text_add_string(&plan->script, "gcc -O2 -std=gnu17 -I. -c");
        add_sources(files, GRADE_KIND_C, main, &plan->script);
        text_add_string(&plan->script, " && ");
    }
    text_addf(&plan->script, "%s -O2 -std=%s -I. -o " OUR_PROGRAM, compiler, cpp_files ? "gnu++17" : "gnu17");
    add_sources(files, cpp_files ? GRADE_KIND_CPP : GRADE_KIND_C, main, &plan->script);
    text_add_string(&plan->script, cpp_files && c_files ? " *.o -lm -pthread" : " -lm -pthread");
    add_file(&plan->command, path, OUR_PROGRAM);
}

static void plan_cmake(struct grade_plan *plan) {
    snprintf(plan->how, sizeof plan->how, "cmake");
    if (need_tool(plan, "cmake", "cmake") && need_tool(plan, "make", "make")) {
        text_add_string(&plan->script, "cmake -G 'Unix Makefiles' -DCMAKE_BUILD_TYPE=Release -S . -B sortie-build && "
                                       "cmake --build sortie-build");
    }
}

/* -- the whole -- */

/* By the sources and programs alone. */
static void plan_sources(const struct grade_files *files, int folder, const char *path, struct grade_plan *plan) {
    int count;
    const struct grade_file *file;
    if (choose(files, is_java_main, &count) || count > 0) {
        plan_java(files, path, plan);
    } else if (choose(files, is_c_main, &count) || count > 0) {
        plan_c(files, path, plan);
    } else if (count_kind(files, GRADE_KIND_PYTHON) > 0) {
        file = choose_python(files, folder);
        if (file) {
            plan_file(files, folder, path, file, plan);
        } else {
            say_ambiguous(plan, files, is_python, "several Python files could be the program");
        }
    } else if ((file = choose(files, is_program, &count)) != NULL) {
        plan_file(files, folder, path, file, plan);
    } else if (count > 0) {
        say_ambiguous(plan, files, is_program, "several files could be the program");
    } else if (files->count > 0) {
        give_up(plan, GRADE_BUILD_NO_PROGRAM, "no program found: no source file has a main function");
    } else {
        give_up(plan, GRADE_BUILD_NO_PROGRAM,
                "no program found: expected a Makefile, CMakeLists.txt, sources (.c .cpp .java .py) or a program "
                "called run or main");
    }
}

void grade_detect(const struct grade_files *files, int folder, const char *path, struct grade_plan *plan) {
    int count;
    *plan = (struct grade_plan){.state = GRADE_BUILD_READY};
    const struct grade_file *run = choose(files, is_run, &count);
    if (files->has_makefile) {
        snprintf(plan->how, sizeof plan->how, "make");
        if (need_tool(plan, "make", "make")) {
            text_add_string(&plan->script, "make");
        }
    } else if (files->has_cmake) {
        plan_cmake(plan);
    } else if (!run) {
        plan_sources(files, folder, path, plan);
        return;
    }
    if (run && plan->state == GRADE_BUILD_READY) {
        plan_file(files, folder, path, run, plan);
    }
}

/* Marks what the plan says was there before. */
static void remember(const struct grade_plan *plan, struct grade_files *files) {
    const char *end = text_string(&plan->programs) + plan->programs.length;
    for (const char *path = text_string(&plan->programs); path < end; path += strlen(path) + 1) {
        for (int i = 0; i < files->count; i++) {
            files->list[i].was_there = files->list[i].was_there || strcmp(files->list[i].path, path) == 0;
        }
    }
}

void grade_detect_built(struct grade_files *after, int folder, const char *path, struct grade_plan *plan) {
    int count;
    remember(plan, after);
    const struct grade_file *file = choose(after, is_new_program, &count);
    if (file) {
        plan_file(after, folder, path, file, plan);
        return;
    }
    if (count > 0) {
        say_ambiguous(plan, after, is_new_program, "building made several programs");
        return;
    }
    /* Nothing new: classes that the Makefile compiled, a script, or a program that was there. */
    char how[sizeof plan->how];
    snprintf(how, sizeof how, "%s", plan->how);
    plan->script.length = 0;
    file = choose(after, is_java_main, &count);
    char class_file[PATH_MAX];
    int length = file ? snprintf(class_file, sizeof class_file, "%.*s.class",
                                 (int)(strlen(file->path) - strlen(".java")), file->path)
                      : 0;
    struct text bytes = TEXT_EMPTY;
    if (length > 0 && length < PATH_MAX && grade_tree_read(folder, class_file, 1, &bytes)) {
        int top = length - (int)strlen(".class") - (int)strlen(file->class);
        add_word(&plan->command, "java");
        add_word(&plan->command, "-cp");
        text_addf(&plan->command, "%s/%.*s", path, top > 0 ? top : 0, class_file);
        text_add_char(&plan->command, '\0');
        add_word(&plan->command, file->class);
    } else if ((file = choose_python(after, folder)) != NULL || (file = choose(after, is_program, &count)) != NULL) {
        plan_file(after, folder, path, file, plan);
    } else {
        give_up(plan, GRADE_BUILD_FAILED, "building (%.60s) left no program", how);
    }
    text_free(&bytes);
    if (how[0]) {
        snprintf(plan->how, sizeof plan->how, "%s", how);
    }
}
