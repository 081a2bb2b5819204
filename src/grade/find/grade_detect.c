/* The ways to build and run what was handed in: what the student says (sortie.txt, a Makefile, CMake, run) before what
 * the sources say, and of the sources the likeliest first. */
#include "grade/find/grade_detect.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grade/find/grade_choose.h"
#include "grade/find/grade_tree.h"

/* The program we compile ourselves, and the folder of Java's classes. */
#define OUR_PROGRAM "sortie-program"
#define OUR_CLASSES "sortie-classes"
/* Sources under the names that their classes ask for. */
#define OUR_COPIES "sortie-sources"
/* So many files are weighed against each other; the report names them. */
#define MOST_CHOICES 12
/* And so many of them are tried. */
#define MOST_TRIED 4

/* What all the functions here need. */
struct looking {
    const struct grade_files *files;
    int folder;
    const char *path;
    enum grade_course course;
    struct grade_plan *plan;
};

void grade_way_give_up(struct grade_way *way, enum grade_build_state state, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    way->state = state;
    vsnprintf(way->problem, sizeof way->problem, format, arguments);
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

const char *grade_package_of(const char *tool) {
    static const char *const packages[][2] = {{"javac", "default-jdk-headless"},
                                              {"java", "default-jre-headless"},
                                              {"node", "nodejs"},
                                              {"sh", "dash"},
                                              {"cc", "gcc"},
                                              {"c++", "g++"},
                                              {"python", "python3"}};
    for (size_t i = 0; i < sizeof packages / sizeof *packages; i++) {
        if (strcmp(packages[i][0], tool) == 0) {
            return packages[i][1];
        }
    }
    return tool;
}

/* Asks for a tool; without it the way has a problem. */
static bool need_tool(struct grade_way *way, const char *tool) {
    if (grade_has_tool(tool)) {
        return true;
    }
    snprintf(way->missing_tool, sizeof way->missing_tool, "%s", tool);
    grade_way_give_up(way, GRADE_BUILD_LACKS_TOOL,
                      "needs %s, which is not installed on this machine: apt-get install %s", tool,
                      grade_package_of(tool));
    return false;
}

/* A new way; NULL when there are enough. */
static struct grade_way *add_way(struct grade_plan *plan, const char *file, const char *why) {
    if (plan->way_count == GRADE_MOST_WAYS) {
        return NULL;
    }
    struct grade_way *way = &plan->ways[plan->way_count++];
    *way = (struct grade_way){.state = GRADE_BUILD_READY};
    snprintf(way->file, sizeof way->file, "%s", file);
    snprintf(way->why, sizeof way->why, "%s", why);
    plan->state = GRADE_BUILD_READY;
    return way;
}

/* -- which files count -- */

static bool is_run(const struct grade_file *file) {
    return !strchr(file->path, '/') && strncasecmp(file->path, "run", 3) == 0 &&
           (file->path[3] == '\0' || file->path[3] == '.') &&
           (file->kind == GRADE_KIND_PROGRAM || file->kind == GRADE_KIND_SCRIPT);
}
static bool is_new_program(const struct grade_file *file) {
    return file->kind == GRADE_KIND_PROGRAM && !file->was_there;
}
static bool is_java_main(const struct grade_file *file) {
    return file->kind == GRADE_KIND_JAVA && file->source.has_main;
}
static bool is_c_main(const struct grade_file *file) {
    return (file->kind == GRADE_KIND_C || file->kind == GRADE_KIND_CPP) && file->source.has_main;
}
static bool is_python(const struct grade_file *file) {
    return file->kind == GRADE_KIND_PYTHON;
}
static bool is_source(const struct grade_file *file) {
    return is_java_main(file) || is_c_main(file) || is_python(file);
}
static bool is_candidate(const struct grade_file *file) {
    return is_source(file) || file->kind == GRADE_KIND_PROGRAM || file->kind == GRADE_KIND_SCRIPT;
}

/* How much of a path is the folder a file lies in, with its slash. */
static size_t folder_length(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

static bool lies_below(const struct grade_file *file, const char *path, size_t length) {
    return strncmp(file->path, path, length) == 0;
}

/* -- what needs no compiler -- */

/* The interpreter is chosen outside, where it is known which there are. */
static void plan_python(const struct looking *looking, const struct grade_file *file, struct grade_way *way) {
    way->is_python = true;
    way->python = GRADE_PYTHON_ANY;
    snprintf(way->how, sizeof way->how, "Python");
    grade_choose_modules(looking->files, file, &way->modules);
    const char *end = text_string(&way->modules) + way->modules.length;
    for (const char *module = text_string(&way->modules); module < end; module += strlen(module) + 1) {
        for (int i = 0; i < looking->files->count; i++) {
            const struct grade_file *one = &looking->files->list[i];
            enum grade_python asked = one->source.python;
            if (strcmp(one->path, module) != 0 || asked == GRADE_PYTHON_ANY || way->python == GRADE_PYTHON_2 ||
                (way->python != GRADE_PYTHON_ANY && asked != GRADE_PYTHON_2)) {
                continue;
            }
            way->python = asked;
            snprintf(way->sign, sizeof way->sign, "%.80s line %d: %s", one->path, one->source.sign.line,
                     one->source.sign.what);
        }
    }
    add_file(&way->command, looking->path, file->path);
}

static void plan_script(const struct looking *looking, const struct grade_file *file, struct grade_way *way) {
    static const char *const runners[][3] = {
        {".jar", "java", "-jar"}, {".js", "node", NULL}, {".sh", "sh", NULL}, {".pl", "perl", NULL}};
    for (size_t i = 0; i < sizeof runners / sizeof *runners; i++) {
        if (grade_tree_ends_with(file->path, runners[i][0])) {
            snprintf(way->how, sizeof way->how, "%s", runners[i][1]);
            if (!need_tool(way, runners[i][1])) {
                return;
            }
            add_word(&way->command, runners[i][1]);
            if (runners[i][2]) {
                add_word(&way->command, runners[i][2]);
            }
        }
    }
    add_file(&way->command, looking->path, file->path);
}

/* -- compilers -- */

/* Adds a folder that Java's compiler searches: where the packages of a file begin. */
static void add_source_root(const struct grade_file *main, struct text *script) {
    size_t length = folder_length(main->path);
    const char *class = main->source.class;
    char package[200];
    const char *dot = strrchr(class, '.');
    snprintf(package, sizeof package, "%.*s/", dot ? (int)(dot - class) : 0, class);
    for (char *at = package; *at; at++) {
        *at = *at == '.' ? '/' : *at;
    }
    size_t below = strlen(package);
    if (below > 1 && length >= below && strncmp(main->path + length - below, package, below) == 0) {
        length -= below;
    }
    char root[PATH_MAX];
    snprintf(root, sizeof root, "./%.*s", (int)length, main->path);
    text_add_string(script, " -sourcepath");
    grade_add_quoted(script, root);
}

/* Adds what lies beside the classes: libraries that were handed in, and JavaFX where it is installed, which Java 8 had
 * in itself. Nothing where there is neither. */
static void add_class_path(const struct looking *looking, const char *before, const char *folder, struct text *path) {
    static const char fx[] = "/usr/share/openjfx/lib/javafx.base.jar";
    struct text more = TEXT_EMPTY;
    for (int i = 0; i < looking->files->count; i++) {
        const char *name = looking->files->list[i].path;
        if (grade_tree_ends_with(name, ".jar") && !strchr(name, ':')) {
            text_addf(&more, ":%s%s", folder, name);
        }
    }
    text_add_string(&more, access(fx, R_OK) == 0 ? ":/usr/share/openjfx/lib/*" : "");
    if (more.length > 0) {
        text_addf(path, "%s%s", before, text_string(&more));
    }
    text_spend(&more, path);
}

/* Adds a script that is tried where the others fail, and what to say of it. */
static void add_other(struct grade_way *way, const char *note, struct text *script) {
    text_add(&way->others, note, strlen(note) + 1);
    text_add(&way->others, text_string(script), script->length);
    text_add_char(&way->others, '\0');
    text_spend(script, &way->others);
}

/* Whether javac refuses the name of a file, because the public class in it is called otherwise: a browser's
 * "homework (1).java", or letters that only some systems tell apart. */
static bool is_misnamed(const struct grade_file *file) {
    const char *name = file->path + folder_length(file->path);
    size_t length = strlen(file->source.public);
    return file->kind == GRADE_KIND_JAVA && length > 0 &&
           !(strncmp(name, file->source.public, length) == 0 && strcmp(name + length, ".java") == 0);
}

/* Whether another file has the class of this one. */
static bool is_double(const struct looking *looking, const struct grade_file *file) {
    for (int i = 0; i < looking->files->count; i++) {
        const struct grade_file *other = &looking->files->list[i];
        if (other != file && other->kind == GRADE_KIND_JAVA && strcmp(other->source.public, file->source.public) == 0) {
            return true;
        }
    }
    return false;
}

/* Compiles copies of such files under the names of their classes, together with all other files beside and below the
 * main one. Of several files with one class it is the main one, or else the one that has its name. Nothing where every
 * file has its name. */
static void add_renamed(const struct looking *looking, const struct grade_file *main, const char *begin,
                        struct grade_way *way) {
    struct text copies = TEXT_EMPTY;
    struct text all = TEXT_EMPTY;
    char note[200] = "";
    int renamed = 0;
    for (int i = 0; i < looking->files->count; i++) {
        const struct grade_file *file = &looking->files->list[i];
        bool chosen = file == main || !is_double(looking, file) || !is_misnamed(file);
        bool hidden = file != main && file->source.public[0] && strcmp(file->source.public, main->source.public) == 0;
        if (file->kind != GRADE_KIND_JAVA || !lies_below(file, main->path, folder_length(main->path)) || !chosen ||
            hidden) {
            continue;
        }
        if (!is_misnamed(file)) {
            grade_add_quoted(&all, file->path);
            continue;
        }
        text_addf(&copies, "mkdir -p " OUR_COPIES "/%d && cp", renamed);
        grade_add_quoted(&copies, file->path);
        text_addf(&copies, " " OUR_COPIES "/%d/%s.java && ", renamed, file->source.public);
        text_addf(&all, " " OUR_COPIES "/%d/%s.java", renamed, file->source.public);
        if (renamed++ == 0 || file == main) {
            snprintf(note, sizeof note, "compiled as %.120s.java", file->source.public);
        }
    }
    if (renamed > 0) {
        text_addf(&copies, "%s%s", begin, text_string(&all));
        add_other(way, note, &copies);
    }
    text_spend(&copies, &way->others);
    text_spend(&all, &way->others);
}

/* How a command of the compiler begins; `options` go before the files. */
static void add_javac_begin(const struct grade_file *main, const char *options, const char *class_path,
                            struct text *begin) {
    text_addf(begin, "javac%s -encoding %s", options, main->source.latin ? "ISO-8859-1" : "UTF-8");
    if (*class_path) {
        text_add_string(begin, " -Xprefer:source -cp"); /* a class that was handed in may be an old one */
        grade_add_quoted(begin, class_path);
    }
    text_add_string(begin, " -d " OUR_CLASSES);
}

/* First the file alone, as its course compiles it: javac finds what it uses. Where that fails, all files beside and
 * below it, for classes in files of another name. */
static void add_javac(const struct looking *looking, const struct grade_file *main, const char *options,
                      const char *class_path, struct text *script) {
    int others = 0;
    struct text all = TEXT_EMPTY;
    struct text begin = TEXT_EMPTY;
    for (int i = 0; i < looking->files->count; i++) {
        const struct grade_file *file = &looking->files->list[i];
        if (file->kind == GRADE_KIND_JAVA && lies_below(file, main->path, folder_length(main->path))) {
            grade_add_quoted(&all, file->path);
            others += file != main;
        }
    }
    add_javac_begin(main, options, class_path, &begin);
    text_add_string(script, text_string(&begin));
    add_source_root(main, script);
    grade_add_quoted(script, main->path);
    if (others > 0) {
        text_addf(script, " || %s%s", text_string(&begin), text_string(&all));
    }
    text_spend(&begin, script);
    text_spend(&all, script);
}

static void plan_java(const struct looking *looking, const struct grade_file *main, struct grade_way *way) {
    struct text compile_path = TEXT_EMPTY;
    struct text run_path = TEXT_EMPTY;
    struct text old = TEXT_EMPTY;
    struct text begin = TEXT_EMPTY;
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s/", looking->path);
    snprintf(way->how, sizeof way->how, "javac, main class %.120s", main->source.class);
    if (need_tool(way, "javac") && need_tool(way, "java")) {
        add_class_path(looking, ".", "", &compile_path);
        text_addf(&run_path, "%s/" OUR_CLASSES, looking->path);
        add_class_path(looking, "", folder, &run_path);
        add_javac(looking, main, "", text_string(&compile_path), &way->script);
        add_javac_begin(main, "", text_string(&compile_path), &begin);
        add_renamed(looking, main, text_string(&begin), way);
        add_javac(looking, main, " --release 8", text_string(&compile_path), &old);
        add_other(way, "compiled as Java 8", &old);
        add_word(&way->command, "java");
        add_word(&way->command, "-cp");
        add_word(&way->command, text_string(&run_path));
        add_word(&way->command, main->source.class);
    }
    text_spend(&compile_path, &way->others);
    text_spend(&run_path, &way->others);
    text_spend(&begin, &way->others);
}

/* Adds the files of one kind beside and below the chosen one, without programs of their own; returns how many. */
static int add_sources(const struct looking *looking, enum grade_kind kind, const struct grade_file *main,
                       struct text *script) {
    int count = 0;
    size_t length = folder_length(main->path);
    /* A program in src/ is made of what lies beside src/ too. */
    length = length == 4 && strncmp(main->path, "src/", 4) == 0 ? 0 : length;
    for (int i = 0; i < looking->files->count; i++) {
        const struct grade_file *file = &looking->files->list[i];
        if (file->kind == kind && (file == main || (!file->source.has_main && lies_below(file, main->path, length)))) {
            grade_add_quoted(script, file->path);
            count++;
        }
    }
    return count;
}

/* What a compiler is told about the language. */
struct dialect {
    const char *c;   /* flags of gcc */
    const char *cpp; /* of g++ */
    const char *note;
};

/* The sources of a program, and which of them is the one with its main. */
struct sources {
    const struct grade_file *main;
    struct text c_files;
    struct text cpp_files;
    struct text headers; /* -I and the folders they are looked for in */
    int c_count;
    int cpp_count;
};

/* Folders of headers by their usual names, at the top and beside the folder of the main file. */
static void add_header_folders(const struct looking *looking, const struct grade_file *main, struct text *headers) {
    static const char *const names[] = {"include", "inc", "headers", "src"};
    size_t own = folder_length(main->path);
    size_t parent = own;
    while (parent > 0 && (parent == own || main->path[parent - 1] != '/')) {
        parent--;
    }
    text_add_string(headers, " -I.");
    for (size_t i = 0; i < 2 * sizeof names / sizeof *names; i++) {
        char path[PATH_MAX];
        struct stat about;
        int length = snprintf(path, sizeof path, "%.*s%s", (int)(i % 2 ? parent : 0), main->path, names[i / 2]);
        if ((i % 2 == 0 || parent > 0) && length < PATH_MAX &&
            fstatat(looking->folder, path, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(about.st_mode)) {
            text_add_string(headers, " -I");
            grade_add_quoted(headers, path);
        }
    }
}

static void add_compiler(const struct sources *sources, bool cpp, const struct dialect *dialect, struct text *script) {
    text_addf(script, "%s -O2 %s%s -o " OUR_PROGRAM, cpp ? "g++" : "gcc", cpp ? dialect->cpp : dialect->c,
              text_string(&sources->headers));
}

/* The commands that compile the sources as one dialect; the main file alone where all together fail, because what lies
 * about need not belong to it. */
static void add_compilation(const struct sources *sources, const struct dialect *dialect, struct text *script) {
    bool both = sources->c_count > 0 && sources->cpp_count > 0;
    bool cpp = sources->main->kind == GRADE_KIND_CPP;
    if (both) {
        text_addf(script, "gcc -O2 %s%s -c%s && ", dialect->c, text_string(&sources->headers),
                  text_string(&sources->c_files));
    }
    add_compiler(sources, sources->cpp_count > 0, dialect, script);
    text_add_string(script, text_string(sources->cpp_count ? &sources->cpp_files : &sources->c_files));
    text_add_string(script, both ? " *.o -lm -pthread" : " -lm -pthread");
    if (sources->c_count + sources->cpp_count > 1) {
        text_add_string(script, " || ");
        add_compiler(sources, cpp, dialect, script);
        grade_add_quoted(script, sources->main->path);
        text_add_string(script, " -lm -pthread");
    }
}

static void plan_c(const struct looking *looking, const struct grade_file *main, struct grade_way *way) {
    /* What compiled in the year of the course need not compile today: names that came into std:: since (size, data,
     * byte), headers that brought others along, variables defined in a header. */
    static const struct dialect today = {"-std=gnu17", "-std=gnu++17", ""};
    static const struct dialect others[] = {
        {NULL, "-std=gnu++20", "compiled as C++20"},
        {NULL, "-std=gnu++11", "compiled as C++11"},
        {"-std=gnu17 -w -fcommon -fgnu89-inline -fpermissive",
         "-std=gnu++11 -w -fpermissive -include cmath -include climits -include cstring -include cstdlib -include "
         "cstdio -include algorithm",
         "compiled as older compilers did, which brought more headers along and allowed more"},
    };
    struct sources sources = {.main = main};
    sources.c_count = add_sources(looking, GRADE_KIND_C, main, &sources.c_files);
    sources.cpp_count = add_sources(looking, GRADE_KIND_CPP, main, &sources.cpp_files);
    add_header_folders(looking, main, &sources.headers);
    const char *compiler = sources.cpp_count ? "g++" : "gcc";
    int count = sources.c_count + sources.cpp_count;
    snprintf(way->how, sizeof way->how, "%s, %d file%s", compiler, count, count == 1 ? "" : "s");
    if (need_tool(way, compiler) && (!sources.cpp_count || !sources.c_count || need_tool(way, "gcc"))) {
        add_compilation(&sources, &today, &way->script);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            struct text script = TEXT_EMPTY;
            struct dialect dialect = others[i];
            if (dialect.c || sources.cpp_count) {
                dialect.c = dialect.c ? dialect.c : today.c;
                add_compilation(&sources, &dialect, &script);
                add_other(way, dialect.note, &script);
            }
        }
        add_file(&way->command, looking->path, OUR_PROGRAM);
    }
    text_spend(&sources.c_files, &way->script);
    text_spend(&sources.cpp_files, &way->script);
    text_spend(&sources.headers, &way->script);
}

/* One way for one file. */
static void plan_file(const struct looking *looking, const struct grade_file *file, struct grade_way *way) {
    switch (file->kind) {
    case GRADE_KIND_PYTHON:
        plan_python(looking, file, way);
        break;
    case GRADE_KIND_JAVA:
        plan_java(looking, file, way);
        break;
    case GRADE_KIND_C:
    case GRADE_KIND_CPP:
        plan_c(looking, file, way);
        break;
    case GRADE_KIND_SCRIPT:
        plan_script(looking, file, way);
        break;
    default:
        snprintf(way->how, sizeof way->how, "a program");
        add_file(&way->command, looking->path, file->path);
        break;
    }
}

/* -- the sources -- */

/* Writes down, for people, which files could be meant. */
static void note_choices(const struct grade_choice *choices, int count, struct text *considered) {
    for (int i = 0; i < count; i++) {
        text_addf(considered, "%4d  %s: %s\n", choices[i].points, choices[i].file->path, choices[i].why);
    }
}

/* Adds a way for each file that may be meant, likeliest first; false when there is none. */
static bool plan_choices(const struct looking *looking, bool (*accept)(const struct grade_file *file),
                         bool if_unbuilt) {
    struct grade_choice choices[MOST_CHOICES];
    int count = grade_choose(looking->files, looking->course, accept, choices, MOST_CHOICES);
    int kept = count < MOST_CHOICES ? count : MOST_CHOICES;
    note_choices(choices, kept, &looking->plan->considered);
    for (int i = 0; i < kept && i < MOST_TRIED && choices[0].points - choices[i].points < GRADE_CLEAR_POINTS; i++) {
        char why[300];
        snprintf(why, sizeof why, "%s%s", count == 1 ? "the only program: " : "", choices[i].why);
        struct grade_way *way = add_way(looking->plan, choices[i].file->path, why);
        if (way) {
            way->if_unbuilt = if_unbuilt;
            plan_file(looking, choices[i].file, way);
        }
    }
    return count > 0;
}

static void plan_sources(const struct looking *looking, bool if_unbuilt) {
    struct grade_plan *plan = looking->plan;
    if (plan_choices(looking, is_candidate, if_unbuilt) || if_unbuilt) {
        return;
    }
    plan->state = GRADE_BUILD_NO_PROGRAM;
    snprintf(plan->problem, sizeof plan->problem, "%s",
             looking->files->count > 0
                 ? "no program found: no source file has a main function"
                 : "no program found: expected a Makefile, CMakeLists.txt, sources (.c .cpp .java .py) or a program "
                   "called run or main");
}

/* -- what somebody has said -- */

/* The file that is meant by a name: its path, or the only one of that name. */
static const struct grade_file *find_named(const struct grade_files *files, const char *name) {
    const struct grade_file *found = NULL;
    int count = 0;
    for (int i = 0; i < files->count; i++) {
        const char *path = files->list[i].path;
        if (strcmp(path, name) == 0) {
            return &files->list[i];
        }
        /* Folders that hold nothing else were gone through, and may be part of the name; or it is the last part. */
        size_t more = strlen(name) > strlen(path) ? strlen(name) - strlen(path) : 0;
        const char *slash = strrchr(path, '/');
        if (more > 0 && name[more - 1] == '/' && strcmp(name + more, path) == 0) {
            return &files->list[i];
        }
        if (slash && strcmp(slash + 1, name) == 0) {
            found = &files->list[i];
            count++;
        }
    }
    return count == 1 ? found : NULL;
}

static void plan_named(const struct looking *looking, const char *name, const char *why) {
    const struct grade_file *file = find_named(looking->files, name);
    struct grade_plan *plan = looking->plan;
    struct grade_way *way = file ? add_way(plan, file->path, why) : NULL;
    if (way) {
        plan_file(looking, file, way);
    } else {
        plan->state = GRADE_BUILD_QUESTION;
        snprintf(plan->problem, sizeof plan->problem, "%s %.100s is the program, and there is no such file", why, name);
    }
}

/* What the folder itself says, and a version of Python it asks for. */
static void read_wish(const struct looking *looking) {
    struct text text = TEXT_EMPTY;
    struct error error = {0};
    struct grade_plan *plan = looking->plan;
    if (grade_tree_read(looking->folder, GRADE_WISH_FILE, (size_t)1 << 16, &text) &&
        grade_wish_read(text_string(&text), text.length, &plan->wish, &error) != STATUS_OK) {
        text_addf(&plan->considered, GRADE_WISH_FILE ":%d:%d: %s\n", error.line, error.column, error.text);
    }
    text.length = 0;
    if (grade_tree_read(looking->folder, ".python-version", 64, &text)) {
        snprintf(plan->version, sizeof plan->version, "%.*s", (int)strcspn(text_string(&text), " \t\r\n"),
                 text_string(&text));
        plan->version[0] = grade_is_version(plan->version) ? plan->version[0] : '\0';
    }
    text_free(&text);
}

/* -- the whole -- */

/* The student's own way to build it; a build decides which program there is, unless one is called run. */
static void plan_build(const struct looking *looking, const struct grade_file *run) {
    bool make = looking->files->has_makefile;
    struct grade_way *way = add_way(looking->plan, run ? run->path : "", make ? "a Makefile" : "a CMakeLists.txt");
    if (!way) {
        return;
    }
    if (run) {
        plan_file(looking, run, way);
    }
    snprintf(way->how, sizeof way->how, "%s", make ? "make" : "cmake");
    if (make && need_tool(way, "make")) {
        text_add_string(&way->script, "make");
    } else if (!make && need_tool(way, "cmake") && need_tool(way, "make")) {
        text_add_string(&way->script, "cmake -G 'Unix Makefiles' -DCMAKE_BUILD_TYPE=Release -S . -B sortie-build && "
                                      "cmake --build sortie-build");
    }
}

void grade_detect(const struct grade_files *files, int folder, const char *path, const struct grade_brief *brief,
                  struct grade_plan *plan) {
    struct looking looking = {files, folder, path, brief->course, plan};
    struct grade_choice run;
    *plan = (struct grade_plan){.state = GRADE_BUILD_NO_PROGRAM};
    read_wish(&looking);
    bool has_run = grade_choose(files, brief->course, is_run, &run, 1) > 0;
    if (brief->wish.main[0]) {
        plan_named(&looking, brief->wish.main, "the teacher says");
    } else if (plan->wish.main[0]) {
        plan_named(&looking, plan->wish.main, GRADE_WISH_FILE " says");
    } else if (files->has_makefile || files->has_cmake) {
        plan_build(&looking, has_run ? run.file : NULL);
        plan_choices(&looking, is_source, true);
    } else if (has_run) {
        struct grade_way *way = add_way(plan, run.file->path, "it is called run");
        plan_file(&looking, run.file, way);
    } else {
        plan_sources(&looking, false);
    }
}

/* -- after a build -- */

/* Marks what the plan says was there before, and was not made anew. */
static void remember(const struct grade_plan *plan, int folder, struct grade_files *files) {
    const char *end = text_string(&plan->programs) + plan->programs.length;
    for (const char *path = text_string(&plan->programs); path < end; path += strlen(path) + 1) {
        for (int i = 0; i < files->count; i++) {
            struct stat about;
            if (strcmp(files->list[i].path, path) == 0) {
                files->list[i].was_there =
                    fstatat(folder, path, &about, AT_SYMLINK_NOFOLLOW) != 0 || about.st_mtim.tv_sec == GRADE_OLD_TIME;
            }
        }
    }
}

/* Runs a class that the build has compiled beside its source; false when there is none. */
static bool take_class(const struct looking *looking, const struct grade_file *file, struct grade_way *way) {
    char class_file[PATH_MAX];
    int length =
        snprintf(class_file, sizeof class_file, "%.*s.class", (int)(strlen(file->path) - strlen(".java")), file->path);
    struct text bytes = TEXT_EMPTY;
    bool there = length > 0 && length < PATH_MAX && grade_tree_read(looking->folder, class_file, 1, &bytes);
    text_free(&bytes);
    if (there) {
        int top = length - (int)strlen(".class") - (int)strlen(file->source.class);
        add_word(&way->command, "java");
        add_word(&way->command, "-cp");
        text_addf(&way->command, "%s/%.*s", looking->path, top > 0 ? top : 0, class_file);
        text_add_char(&way->command, '\0');
        add_word(&way->command, file->source.class);
    }
    return there;
}

/* Takes the likeliest of the accepted files; false when there is none. */
static bool take_built(const struct looking *looking, bool (*accept)(const struct grade_file *file),
                       struct grade_way *way) {
    struct grade_choice choices[2];
    char how[sizeof way->how];
    int count = grade_choose(looking->files, looking->course, accept, choices, 2);
    if (count == 0) {
        return false;
    }
    if (count > 1 && choices[0].points == choices[1].points) {
        grade_way_give_up(way, GRADE_BUILD_QUESTION, "which is the program? building made %.100s and %.100s",
                          choices[0].file->path, choices[1].file->path);
        return true;
    }
    snprintf(how, sizeof how, "%s", way->how);
    plan_file(looking, choices[0].file, way);
    snprintf(way->how, sizeof way->how, "%s", how);
    snprintf(way->file, sizeof way->file, "%s", choices[0].file->path);
    return true;
}

static bool is_script(const struct grade_file *file) {
    return file->kind == GRADE_KIND_SCRIPT || file->kind == GRADE_KIND_PROGRAM;
}

void grade_detect_built(struct grade_files *after, int folder, const char *path, const struct grade_brief *brief,
                        struct grade_plan *plan, int number) {
    struct looking looking = {after, folder, path, brief->course, plan};
    struct grade_way *way = &plan->ways[number];
    struct grade_choice java;
    remember(plan, folder, after);
    if (take_built(&looking, is_new_program, way)) {
        return;
    }
    /* Nothing new: classes that the Makefile compiled, a script, or a program that was there. */
    bool class = grade_choose(after, brief->course, is_java_main, &java, 1) > 0 && take_class(&looking, java.file, way);
    if (class) {
        snprintf(way->file, sizeof way->file, "%s", java.file->path);
    } else if (!take_built(&looking, is_python, way) && !take_built(&looking, is_script, way)) {
        grade_way_give_up(way, GRADE_BUILD_FAILED, "building (%.60s) left no program", way->how);
    }
}
