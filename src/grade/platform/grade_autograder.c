#include "grade/platform/grade_autograder.h"

#include <archive.h>
#include <archive_entry.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "grade/find/grade_tree.h"
#include "system/file.h"

/* The earliest time a zip can say: 1980. */
#define ALL_TIMES ((time_t)315532800)
#define MOST_PROGRAM ((size_t)256 << 20)
#define MOST_CASE_FILE ((size_t)256 << 20)
#define HOME "sortie/" /* in the archive */

/* -- the scripts -- */

static const char setup_head[] =
    "#!/usr/bin/env bash\n"
    "# Gradescope calls this once, to make the image that submissions are graded in. sortie itself needs nothing.\n"
    "set -u\n"
    "cd \"$(dirname \"$0\")\" || exit 1\n"
    "# Programs that are graded run as another user, who may look neither here nor at the cases.\n"
    "chmod 700 . sortie\n"
    "sortie/sortie --version || { echo \"sortie does not run here: it is for Linux on x86-64\" >&2; exit 1; }\n";
static const char setup_tail[] =
    "if [ -n \"$packages\" ]; then\n"
    "    export DEBIAN_FRONTEND=noninteractive\n"
    "    apt-get update && apt-get install -y --no-install-recommends $packages ||\n"
    "        echo \"warning: not installed: $packages; submissions that need them are not judged\" >&2\n"
    "fi\n";

static const char run_head[] =
    "#!/usr/bin/env bash\n"
    "# Gradescope calls this for every submission.\n"
    "set -u\n"
    "root=${AUTOGRADER:-/autograder}\n"
    "umask 022\n"
    "mkdir -p \"$root/results\"\n"
    "chmod 700 \"$root/source\"\n"
    "chmod go-w \"$root/results\"\n"
    "[ ! -f \"$root/submission_metadata.json\" ] || chmod 600 \"$root/submission_metadata.json\"\n"
    "work=$(mktemp -d) || exit 1 # of mode 0700\n"
    "trap 'rm -rf \"$work\"' EXIT\n"
    "cd \"$work\" || exit 1\n"
    "words=()\n"
    "[ ! -f \"$root/submission_metadata.json\" ] || words=(--metadata \"$root/submission_metadata.json\")\n"
    "rm -f \"$root/results/results.json\"\n"
    "\"$root/source/sortie/sortie\" grade \"$root/submission\" --single --cases \"$root/source/sortie/cases\" \\\n"
    "    --gradescope \"$root/results\" \"${words[@]}\"";
static const char run_tail[] =
    "\nstatus=$?\n"
    "if [ ! -s \"$root/results/results.json\" ]; then\n"
    "    printf '%s\\n' '{\"score\": 0, \"visibility\": \"hidden\", \"stdout_visibility\": \"hidden\", \"output\": "
    "\"Not graded: the grading machine failed. This is not your program'\"'\"'s fault.\"}' "
    ">\"$root/results/results.json\"\n"
    "fi\n"
    "echo \"sortie ended with status $status\"\n";

/* A word for a shell: in quotes that keep everything. */
static void add_word(struct text *out, const char *word) {
    text_add_char(out, '\'');
    for (; *word; word++) {
        if (*word == '\'') {
            text_add_string(out, "'\\''");
        } else {
            text_add_char(out, *word);
        }
    }
    text_add_char(out, '\'');
}

/* Asks for what is not there already, so that a later image is made without a network. */
static void write_setup(const struct grade_autograder *autograder, struct text *out) {
    text_add_string(out, setup_head);
    text_add_string(out, "packages=\nfor package in ");
    text_add_string(out, autograder->packages);
    text_add_string(out, "; do\n    dpkg -s \"$package\" >/dev/null 2>&1 || packages=\"$packages $package\"\ndone\n");
    text_add_string(out, setup_tail);
}

static void write_run(const struct grade_autograder *autograder, struct text *out) {
    text_add_string(out, run_head);
    const char *end = text_string(autograder->options) + autograder->options->length;
    for (const char *word = text_string(autograder->options); word < end; word += strlen(word) + 1) {
        text_add_char(out, ' ');
        add_word(out, word);
    }
    text_add_string(out, run_tail);
}

/* -- the archive -- */

#ifdef SORTIE_NO_XAR
/* In a program of one file this takes the place of libarchive's own, which would need libxml2. */
int archive_write_set_format_xar(struct archive *archive) {
    archive_set_error(archive, ENOSYS, "xar is not written");
    return ARCHIVE_FATAL;
}
#endif

struct packing {
    const struct grade_autograder *autograder;
    struct archive *archive;
    struct error *error;
    enum status status;
};

static la_ssize_t take_bytes(struct archive *archive, void *user, const void *bytes, size_t length) {
    struct text *zip = user;
    (void)archive;
    text_add(zip, bytes, length);
    return zip->broken ? -1 : (la_ssize_t)length;
}

static enum status add_file(struct packing *packing, const char *name, const struct text *bytes, bool runs) {
    struct archive_entry *entry = archive_entry_new();
    if (!entry || bytes->broken) {
        archive_entry_free(entry);
        return error_machine(packing->error, "out of memory");
    }
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, runs ? 0755 : 0644);
    archive_entry_set_size(entry, (la_int64_t)bytes->length);
    archive_entry_set_mtime(entry, ALL_TIMES, 0);
    bool well = archive_write_header(packing->archive, entry) == ARCHIVE_OK &&
                archive_write_data(packing->archive, text_string(bytes), bytes->length) == (la_ssize_t)bytes->length;
    archive_entry_free(entry);
    return well ? STATUS_OK
                : error_machine(packing->error, "%.120s cannot be packed: %.100s", name,
                                archive_error_string(packing->archive));
}

/* Adds a file of this machine. */
static enum status add_copy(struct packing *packing, const char *name, const char *path, size_t most, bool runs) {
    struct text text = TEXT_EMPTY;
    char *bytes;
    size_t length;
    struct error cause = {0};
    enum status status = file_read(path, most, &bytes, &length, &cause);
    if (status != STATUS_OK) {
        error_fill(packing->error, 0, 0, "%.120s: %.110s", path, cause.text);
        return status;
    }
    text_add(&text, bytes, length);
    free(bytes);
    status = add_file(packing, name, &text, runs);
    text_free(&text);
    return status;
}

/* Adds a file of the cases; a table that was named elsewhere stands in for it. */
static bool add_case(void *user, const struct grade_tree_entry *entry) {
    struct packing *packing = user;
    const struct grade_autograder *autograder = packing->autograder;
    bool replaced = (autograder->points && strcmp(entry->path, "points.csv") == 0) ||
                    (autograder->overrides && strcmp(entry->path, "overrides.csv") == 0);
    if (S_ISDIR(entry->about.st_mode) || replaced || packing->status != STATUS_OK) {
        return packing->status == STATUS_OK;
    }
    struct text bytes = TEXT_EMPTY;
    struct text name = TEXT_EMPTY;
    text_addf(&name, HOME "cases/%s", entry->path);
    if (!grade_tree_read(entry->folder, entry->name, MOST_CASE_FILE, &bytes) ||
        bytes.length != (size_t)entry->about.st_size) {
        packing->status = error_at(packing->error, 0, 0, "%.200s: cannot be read as a whole", entry->path);
    } else {
        packing->status = add_file(packing, text_string(&name), &bytes, (entry->about.st_mode & 0111) != 0);
    }
    text_free(&bytes);
    text_free(&name);
    return false;
}

static enum status add_cases(struct packing *packing) {
    const struct grade_autograder *autograder = packing->autograder;
    int folder = open(autograder->cases, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return error_system(packing->error, errno, "%.200s: %s", autograder->cases, strerror(errno));
    }
    if (!grade_tree_walk(folder, add_case, packing) && packing->status == STATUS_OK) {
        packing->status = error_at(packing->error, 0, 0, "%.200s: too much to be packed", autograder->cases);
    }
    close(folder);
    enum status status = packing->status;
    if (status == STATUS_OK && autograder->points) {
        status = add_copy(packing, HOME "cases/points.csv", autograder->points, MOST_CASE_FILE, false);
    }
    if (status == STATUS_OK && autograder->overrides) {
        status = add_copy(packing, HOME "cases/overrides.csv", autograder->overrides, MOST_CASE_FILE, false);
    }
    return status;
}

static enum status add_all(struct packing *packing) {
    struct text setup = TEXT_EMPTY;
    struct text run = TEXT_EMPTY;
    write_setup(packing->autograder, &setup);
    write_run(packing->autograder, &run);
    enum status status = add_file(packing, "setup.sh", &setup, true);
    status = status == STATUS_OK ? add_file(packing, "run_autograder", &run, true) : status;
    status = status == STATUS_OK ? add_copy(packing, HOME "sortie", packing->autograder->program, MOST_PROGRAM, true)
                                 : status;
    text_free(&setup);
    text_free(&run);
    return status == STATUS_OK ? add_cases(packing) : status;
}

enum status grade_autograder_pack(const struct grade_autograder *autograder, struct text *zip, struct error *error) {
    struct packing packing = {.autograder = autograder, .archive = archive_write_new(), .error = error};
    if (!packing.archive) {
        return error_machine(error, "out of memory");
    }
    /* A zip has the time of a place. */
    setenv("TZ", "UTC", 1);
    tzset();
    archive_write_set_format_zip(packing.archive);
    archive_write_set_bytes_per_block(packing.archive, 0);
    enum status status =
        archive_write_open(packing.archive, zip, NULL, take_bytes, NULL) == ARCHIVE_OK
            ? add_all(&packing)
            : error_machine(error, "no archive can be made: %.100s", archive_error_string(packing.archive));
    if (archive_write_close(packing.archive) != ARCHIVE_OK && status == STATUS_OK) {
        status = error_machine(error, "the archive cannot be ended: %.100s", archive_error_string(packing.archive));
    }
    archive_write_free(packing.archive);
    return zip->broken ? error_machine(error, "out of memory") : status;
}

/* -- the program -- */

enum grade_program_kind grade_program_kind(const char *bytes, size_t length) {
    Elf64_Ehdr head;
    if (length < sizeof head || memcmp(bytes, ELFMAG, SELFMAG) != 0) {
        return GRADE_PROGRAM_NONE;
    }
    memcpy(&head, bytes, sizeof head);
    if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB || head.e_machine != EM_X86_64 ||
        head.e_phentsize != sizeof(Elf64_Phdr)) {
        return GRADE_PROGRAM_OTHER;
    }
    for (size_t i = 0; i < head.e_phnum; i++) {
        Elf64_Phdr part;
        if (head.e_phoff > length || (length - head.e_phoff) / sizeof part <= i) {
            return GRADE_PROGRAM_OTHER;
        }
        memcpy(&part, bytes + head.e_phoff + i * sizeof part, sizeof part);
        if (part.p_type == PT_INTERP) {
            return GRADE_PROGRAM_DYNAMIC;
        }
    }
    return GRADE_PROGRAM_STATIC;
}
