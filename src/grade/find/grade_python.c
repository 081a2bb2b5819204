/* Reads just enough of Python to tell its two languages apart: comments and texts are skipped, and what is left is
 * looked at word by word, with the word's place in its statement. */
#include "grade/find/grade_python.h"

#include <ctype.h>
#include <string.h>

#include "grade/find/grade_source.h"

struct scanner {
    const char *at;
    const char *end;
    int line;
    int depth;        /* of brackets */
    bool at_start;    /* of a statement */
    const char *word; /* the name or sign just read */
    size_t length;
    bool is_text; /* it was a text in quotes */
};

/* Goes over a text in quotes, one or three of them. */
static void skip_text(struct scanner *scanner) {
    char quote = *scanner->at;
    const char *at = scanner->at;
    bool triple = scanner->end - at >= 3 && at[1] == quote && at[2] == quote;
    at += triple ? 3 : 1;
    for (; at < scanner->end; at++) {
        if (*at == '\\') {
            scanner->line += at + 1 < scanner->end && at[1] == '\n';
            at++;
        } else if (*at == '\n' && !triple) {
            break; /* never closed */
        } else if (*at == '\n') {
            scanner->line++;
        } else if (*at == quote && (!triple || (scanner->end - at >= 3 && at[1] == quote && at[2] == quote))) {
            at += triple ? 3 : 1;
            break;
        }
    }
    scanner->at = at < scanner->end ? at : scanner->end;
}

static bool is_name_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* A line end outside brackets begins a new statement. */
static void pass_line_end(struct scanner *scanner) {
    scanner->line++;
    scanner->at_start = scanner->at_start || scanner->depth == 0;
}

/* Skips what stands between words. */
static void skip_blanks(struct scanner *scanner) {
    while (scanner->at < scanner->end) {
        char c = *scanner->at;
        if (c == '\n') {
            pass_line_end(scanner);
        } else if (c == '\\' && scanner->at + 1 < scanner->end && scanner->at[1] == '\n') {
            scanner->line++;
            scanner->at++;
        } else if (c == '#') {
            const char *stop = memchr(scanner->at, '\n', (size_t)(scanner->end - scanner->at));
            scanner->at = stop ? stop : scanner->end;
            continue;
        } else if (!isspace((unsigned char)c) && c != ';') {
            return;
        }
        scanner->at_start = scanner->at_start || (c == ';' && scanner->depth == 0);
        scanner->at++;
    }
}

/* Whether a quote follows a name as its prefix: b'', ur'', f''. */
static bool is_prefix(const struct scanner *scanner, const char *stop) {
    size_t length = (size_t)(stop - scanner->at);
    if (length > 2 || stop >= scanner->end || (*stop != '"' && *stop != '\'')) {
        return false;
    }
    for (const char *at = scanner->at; at < stop; at++) {
        if (!strchr("bBuUrRfF", *at)) {
            return false;
        }
    }
    return true;
}

/* Reads the next word, text or sign; *first tells whether it begins a statement. False at the end. */
static bool next_word(struct scanner *scanner, bool *first) {
    skip_blanks(scanner);
    if (scanner->at >= scanner->end) {
        return false;
    }
    *first = scanner->at_start;
    scanner->at_start = false;
    scanner->word = scanner->at;
    scanner->is_text = false;
    char c = *scanner->at;
    const char *stop = scanner->at;
    while (stop < scanner->end && is_name_byte(*stop)) {
        stop++;
    }
    bool prefix = stop > scanner->at && is_prefix(scanner, stop);
    if (prefix || c == '"' || c == '\'') {
        scanner->at = prefix ? stop : scanner->at;
        scanner->is_text = true;
        skip_text(scanner);
    } else if (stop > scanner->at) {
        scanner->at = stop;
    } else {
        scanner->depth += strchr("([{", c) && c ? 1 : 0;
        scanner->depth -= strchr(")]}", c) && c && scanner->depth > 0 ? 1 : 0;
        bool unequal = c == '<' && scanner->at + 1 < scanner->end && scanner->at[1] == '>';
        scanner->at += unequal ? 2 : 1;
    }
    scanner->length = (size_t)(scanner->at - scanner->word);
    /* After a colon outside brackets a statement may stand on the same line. */
    scanner->at_start = c == ':' && scanner->depth == 0;
    return true;
}

static bool is(const struct scanner *scanner, const char *word) {
    return !scanner->is_text && scanner->length == strlen(word) && memcmp(scanner->word, word, scanner->length) == 0;
}

/* What the first line asks for. */
static enum grade_python asked_for(const char *bytes, size_t length) {
    if (length < 3 || memcmp(bytes, "#!", 2) != 0) {
        return GRADE_PYTHON_ANY;
    }
    const char *stop = memchr(bytes, '\n', length);
    size_t line = stop ? (size_t)(stop - bytes) : length;
    return memmem(bytes, line, "python2", 7)   ? GRADE_PYTHON_2
           : memmem(bytes, line, "python3", 7) ? GRADE_PYTHON_3_REQUIRED
                                               : GRADE_PYTHON_ANY;
}

/* Whether a statement that begins with `print` or `exec` is one of Python 2: something follows that cannot follow a
 * name. A lone `print` and `print (x)` mean something in both. */
static bool is_old_statement(const struct scanner *scanner) {
    struct scanner ahead = *scanner;
    bool first;
    int line = ahead.line;
    ahead.at_start = false;
    if (!next_word(&ahead, &first) || first || ahead.line != line) {
        return false;
    }
    bool is_operator = is(&ahead, "in") || is(&ahead, "is") || is(&ahead, "and") || is(&ahead, "or") ||
                       is(&ahead, "if") || is(&ahead, "not");
    bool shifts = *ahead.word == '>' && ahead.at < ahead.end && *ahead.at == '>';
    return ahead.is_text || shifts || *ahead.word == '`' || (is_name_byte(*ahead.word) && !is_operator);
}

/* Whether `except A, b:` or `raise A, "text"` stands here: a comma outside brackets. */
static bool has_bare_comma(const struct scanner *scanner) {
    struct scanner ahead = *scanner;
    bool first;
    int depth = ahead.depth;
    while (next_word(&ahead, &first) && !first && !is(&ahead, ":")) {
        if (is(&ahead, ",") && ahead.depth == depth) {
            return true;
        }
    }
    return false;
}

/* Whether a number such as 0777 stands here, which Python 3 does not read. */
static bool is_old_number(const struct scanner *scanner) {
    if (scanner->is_text || scanner->length < 2 || scanner->word[0] != '0') {
        return false;
    }
    bool only_digits = true;
    bool zeros = true;
    for (size_t i = 0; i < scanner->length; i++) {
        only_digits = only_digits && isdigit((unsigned char)scanner->word[i]);
        zeros = zeros && scanner->word[i] == '0';
    }
    bool fraction = scanner->at < scanner->end && *scanner->at == '.';
    return only_digits && !zeros && !fraction;
}

/* What Python 3 cannot read at this word; NULL: nothing. */
static const char *old_syntax(const struct scanner *scanner, bool first, bool after_dot) {
    if (first && is(scanner, "print") && is_old_statement(scanner)) {
        return "a print statement";
    }
    if (first && is(scanner, "exec") && is_old_statement(scanner)) {
        return "an exec statement";
    }
    if (first && is(scanner, "except") && has_bare_comma(scanner)) {
        return "'except ERROR, NAME'";
    }
    if (first && is(scanner, "raise") && has_bare_comma(scanner)) {
        return "'raise ERROR, TEXT'";
    }
    if (is(scanner, "<>")) {
        return "the operator <>";
    }
    if (is(scanner, "`")) {
        return "backquotes";
    }
    return !after_dot && is_old_number(scanner) ? "a number such as 0777" : NULL;
}

/* Whether a name is one that only Python 2 knows; modules only where something is imported. */
static bool is_old_name(const struct scanner *scanner, bool after_dot, bool importing) {
    static const char *const names[] = {"xrange", "raw_input", "unicode", "basestring", "execfile", "unichr", NULL};
    static const char *const methods[] = {"iteritems", "itervalues", "iterkeys", "has_key", NULL};
    static const char *const modules[] = {"Queue",   "ConfigParser", "StringIO", "cStringIO",   "cPickle",
                                          "Tkinter", "urllib2",      "sets",     "__builtin__", NULL};
    for (const char *const *name = importing ? modules : after_dot ? methods : names; *name; name++) {
        if (is(scanner, *name)) {
            return true;
        }
    }
    return false;
}

/* -- what it imports -- */

/* Reads a dotted name into `name`, which may hold a beginning already; false when none stands here. The scanner is at
 * the first sign behind it afterwards. */
static bool take_dotted(struct scanner *scanner, bool *more, char name[160]) {
    size_t length = strlen(name);
    bool any = false;
    bool first = false;
    while (*more && !scanner->is_text && (is_name_byte(*scanner->word) || *scanner->word == '.') &&
           !is(scanner, "import") && !is(scanner, "as")) {
        bool dot = *scanner->word == '.';
        if (!dot && any && name[length - 1] != '.') {
            break;
        }
        if (length + scanner->length + 1 >= 160) {
            return false;
        }
        memcpy(name + length, scanner->word, scanner->length);
        length += scanner->length;
        name[length] = '\0';
        any = true;
        *more = next_word(scanner, &first) && !first;
    }
    return any;
}

/* "import a.b as c, d" or "from a import b, c": the scanner is a copy, at the first word. */
static void take_imports(struct scanner scanner, struct text *imports) {
    bool from = is(&scanner, "from");
    bool first;
    bool more = next_word(&scanner, &first) && !first;
    char base[160] = "";
    if (from && take_dotted(&scanner, &more, base)) {
        grade_source_add_name(imports, base, strlen(base));
    }
    while (more) {
        char name[160] = "";
        size_t length = strlen(base);
        memcpy(name, base, length);
        if (from && length > 0 && length < 159 && base[length - 1] != '.') {
            name[length++] = '.';
            name[length] = '\0';
        }
        struct scanner before = scanner;
        bool skip = is(&scanner, "import") || is(&scanner, "as") || !is_name_byte(*scanner.word) || scanner.is_text;
        bool renamed = is(&scanner, "as");
        if (!skip && take_dotted(&scanner, &more, name)) {
            grade_source_add_name(imports, name, strlen(name));
        }
        if (renamed) { /* the name behind it is not a module's */
            more = next_word(&scanner, &first) && !first && next_word(&scanner, &first) && !first;
        }
        if (scanner.at == before.at && more) {
            more = next_word(&scanner, &first) && !first;
        }
    }
}

/* -- whether it does something -- */

static bool is_one_of(const struct scanner *scanner, const char *const *words) {
    for (; *words; words++) {
        if (is(scanner, *words)) {
            return true;
        }
    }
    return false;
}

/* Whether a statement at the left edge does something when the file is run: loops, conditions, calls. */
static bool does_something(struct scanner scanner) {
    static const char *const quiet[] = {"import", "from",   "def",  "class", "global", "pass", "@",
                                        "else",   "except", "elif", "async", "del",    NULL};
    static const char *const busy[] = {"if", "for", "while", "with", "try", "print", "exec", "raise", "assert", NULL};
    bool first;
    if (scanner.is_text || is_one_of(&scanner, quiet)) {
        return false;
    }
    if (is_one_of(&scanner, busy)) {
        return true;
    }
    while (next_word(&scanner, &first) && !first) {
        if (is(&scanner, "(")) {
            return true;
        }
    }
    return false;
}

/* -- the whole -- */

/* Looks at one word for what Python 3 does not know. */
static void take_version(const struct scanner *scanner, bool first, bool after_dot, bool importing,
                         struct grade_python_facts *facts) {
    if (facts->version == GRADE_PYTHON_2 || facts->version == GRADE_PYTHON_3_REQUIRED) {
        return;
    }
    const char *old = old_syntax(scanner, first, after_dot);
    if (old) {
        facts->version = GRADE_PYTHON_2;
        facts->sign = (struct grade_python_sign){scanner->line, old};
    } else if (facts->version == GRADE_PYTHON_ANY && is_old_name(scanner, after_dot, importing)) {
        facts->version = GRADE_PYTHON_2_NAMES;
        facts->sign = (struct grade_python_sign){scanner->line, "a name only Python 2 knows"};
    }
}

void grade_python_read(const char *bytes, size_t length, struct grade_python_facts *facts) {
    size_t mark = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* editors put it there */
    struct scanner scanner = {.at = bytes + mark, .end = bytes + length, .line = 1, .at_start = true};
    facts->version = asked_for(bytes + mark, length - mark);
    facts->sign =
        (struct grade_python_sign){1, facts->version == GRADE_PYTHON_2 ? "its first line asks for python2" : ""};
    bool first;
    bool after_dot = false;
    bool importing = false;
    while (next_word(&scanner, &first)) {
        bool begins = first && (is(&scanner, "import") || is(&scanner, "from"));
        importing = first ? begins : importing;
        take_version(&scanner, first, after_dot, importing, facts);
        if (begins) {
            take_imports(scanner, &facts->imports);
        }
        bool at_edge = scanner.word == bytes + mark || scanner.word[-1] == '\n';
        facts->runs = facts->runs || (first && at_edge && does_something(scanner));
        if (scanner.is_text) {
            facts->says |= grade_says_of(scanner.word, scanner.length);
            facts->has_main = facts->has_main || memmem(scanner.word, scanner.length, "__main__", 8);
        } else {
            facts->says |=
                is(&scanner, "argv") || is(&scanner, "argparse") || is(&scanner, "getopt") || is(&scanner, "optparse")
                    ? GRADE_SAYS_ARGUMENTS
                    : 0;
            facts->says |= grade_says_of(scanner.word, scanner.length) & GRADE_SAYS_LASER;
        }
        after_dot = is(&scanner, ".");
    }
}

enum grade_python grade_python_version(const char *bytes, size_t length, struct grade_python_sign *sign) {
    struct grade_python_facts facts = {0};
    grade_python_read(bytes, length, &facts);
    text_free(&facts.imports);
    *sign = facts.sign;
    return facts.version;
}
