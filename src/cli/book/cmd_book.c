/* The opening book of Gomoku: looking into it, checking it, making it longer. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean.h"
#include "base/json.h"
#include "cli/book/book_extend.h"
#include "cli/commands.h"
#include "games/gomoku/openings/choose.h"
#include "games/gomoku/openings/file.h"
#include "games/gomoku/openings/installed.h"

#define USUAL_NODES 2000000
#define USUAL_STONES 14
#define EVEN_TILT 16 /* as in openings/choose.c */

/* What is asked for. */
struct question {
    const char *file; /* the book */
    int stones;       /* of positions that are listed; 0: all */
    bool json;
};

/* -- one position -- */

static double chance(int value) {
    return 1.0 / (1.0 + exp(-value / 200.0));
}

static void add_value(struct text *text, int value) {
    if (abs(value) >= OPENINGS_DECIDED) {
        text_addf(text, "%6d  %s in %2d", value, value > 0 ? "wins " : "loses", (GAME_WIN_VALUE - abs(value) + 1) / 2);
    } else {
        text_addf(text, "%6d  %10.1f%%", value, 100 * chance(value));
    }
}

/* The line the book expects from a move on. */
static void add_line(const struct openings *book, const struct gomoku_position *position, int square,
                     struct text *text) {
    struct gomoku_position board = *position;
    struct openings_position said;
    char name[8];
    gomoku_square_text(board.size, square, name);
    text_add_string(text, name);
    gomoku_put(&board, square);
    while (board.winner == GOMOKU_NO_WINNER && openings_ask(book, &board, NULL, &said)) {
        gomoku_square_text(board.size, said.moves[0].square, name);
        text_addf(text, " %s", name);
        gomoku_put(&board, said.moves[0].square);
    }
}

/* The thousands of nodes that stand behind a move. */
static uint64_t behind_move(const struct openings *book, const struct openings_move *move) {
    return book->positions && move->child >= 0 ? book->positions[move->child].behind : 0;
}

/* A move and what stands behind it. */
static void add_move(const struct openings *book, const struct gomoku_position *position,
                     const struct openings_move *move, struct text *text) {
    char name[8];
    gomoku_square_text(position->size, move->square, name);
    text_addf(text, "%-4s ", name);
    add_value(text, move->worth);
    text_addf(text, "  %10.1f  ", (double)behind_move(book, move) / 1000);
    add_line(book, position, move->square, text);
    text_add_char(text, '\n');
}

static void add_json_move(const struct openings *book, const struct gomoku_position *position,
                          const struct openings_move *move, struct text *text) {
    char name[8];
    struct text line = TEXT_EMPTY;
    struct json json = {text, false};
    gomoku_square_text(position->size, move->square, name);
    add_line(book, position, move->square, &line);
    json_open_object(&json, NULL);
    json_string(&json, "move", name);
    json_int(&json, "value", move->worth);
    json_int(&json, "searched", move->value);
    json_number(&json, "win", chance(move->worth), 4);
    json_int(&json, "nodes", (int64_t)behind_move(book, move) * 1000);
    json_string(&json, "line", text_string(&line));
    json_close_object(&json);
    text_add_char(text, '\n');
    text_free(&line);
}

static int look_up(const struct question *question, const struct openings *book,
                   const struct gomoku_position *position) {
    struct openings_position said;
    struct text text = TEXT_EMPTY;
    bool found = openings_ask(book, position, NULL, &said);
    if (!found && !question->json) {
        text_add_string(&text, "not in the book\n");
    } else if (found && !question->json) {
        text_addf(&text, "%s to move, depth %d, %.1f million nodes here, %.1f with all behind it%s\n",
                  gomoku_game.properties->sides[position->count & 1], said.depth, said.effort / 1000.0,
                  (double)said.behind / 1000, said.proved ? ", proved" : "");
        text_add_string(&text, "move  value       chance     million  line\n");
    }
    for (int i = 0; found && i < said.move_count; i++) {
        (question->json ? add_json_move : add_move)(book, position, &said.moves[i], &text);
    }
    return cli_print(&text);
}

static int look_up_file(const struct question *question, const struct openings *book, const char *file,
                        const struct cli_source *source) {
    struct course_request request;
    int exit_status = cli_read_request(file, source, true, &request);
    if (exit_status != 0) {
        return exit_status;
    }
    if (request.game != &gomoku_game) {
        exit_status = cli_usage("book: expected a position of Gomoku");
    } else {
        exit_status = look_up(question, book, (const struct gomoku_position *)request.position);
    }
    course_request_free(&request);
    return exit_status;
}

/* -- the whole book -- */

/* All positions, or those of so many stones, one a line: what they are worth, what stands behind them, the best move.
 */
static int list(const struct question *question, const struct openings *book) {
    struct text text = TEXT_EMPTY;
    for (size_t i = 0; i < book->count; i++) {
        const struct openings_position *position = &book->positions[i];
        if (question->stones && position->stones != question->stones) {
            continue;
        }
        text_addf(&text, "%s %d  ", gomoku_game.properties->variants[position->variant], position->size);
        if (position->move_count == 0) {
            text_add_string(&text, "     ?            ?           0  ");
        } else {
            add_value(&text, position->worth);
            text_addf(&text, "  %10.1f  ", (double)position->behind / 1000);
        }
        openings_write_squares(position, &text);
        text_add_char(&text, '\n');
    }
    return cli_print(&text);
}

/* Counts of one board's positions. */
static void add_board(const struct openings *book, size_t from, size_t to, struct text *text) {
    const struct openings_position *first = &book->positions[from];
    uint64_t effort = 0;
    int wanted = 0;
    int even = 0;
    int counts[OPENINGS_MOST_STONES + 1] = {0};
    for (size_t i = from; i < to; i++) {
        const struct openings_position *position = &book->positions[i];
        effort += position->effort;
        wanted += position->move_count == 0;
        counts[position->stones]++;
        even += position->stones == 3 && position->move_count > 0 && abs(position->worth) <= EVEN_TILT;
    }
    text_addf(text, "%s %dx%d: %zu positions, %.0f million nodes, %d not searched yet, %d even openings for swap2\n",
              gomoku_game.properties->variants[first->variant], first->size, first->size, to - from,
              (double)effort / 1000, wanted, even);
    text_add_string(text, "  stones:positions");
    for (int stones = 0; stones <= OPENINGS_MOST_STONES; stones++) {
        if (counts[stones] > 0) {
            text_addf(text, " %d:%d", stones, counts[stones]);
        }
    }
    text_add_char(text, '\n');
}

static int describe(const struct question *question, const struct openings *book) {
    struct text text = TEXT_EMPTY;
    struct clean_line name;
    text_addf(&text, "%s: %zu positions, digest %016llx\n", clean_string(&name, question->file), book->count,
              (unsigned long long)book->digest);
    text_add_string(&text, text_string(&book->comment));
    for (size_t from = 0, to = 0; from < book->count; from = to) {
        while (to < book->count && book->positions[to].variant == book->positions[from].variant &&
               book->positions[to].size == book->positions[from].size) {
            to++;
        }
        add_board(book, from, to, &text);
    }
    return cli_print(&text);
}

/* What reading a book does not find: a win called proved whose position behind it is none. */
static int check(const struct question *question, const struct openings *book) {
    struct clean_line name;
    for (size_t i = 0; i < book->count; i++) {
        const struct openings_position *position = &book->positions[i];
        const struct openings_move *best = &position->moves[0];
        if (position->proved && position->move_count > 0 && abs(best->value) >= OPENINGS_DECIDED && best->child >= 0 &&
            book->positions[best->child].move_count > 0 && (best->value > 0) != (best->worth > 0)) {
            struct text squares = TEXT_EMPTY;
            openings_write_squares(position, &squares);
            int exit_status = cli_usage("%s: %s is called proved, and the position behind it says otherwise",
                                        clean_string(&name, question->file), text_string(&squares));
            text_free(&squares);
            return exit_status;
        }
    }
    printf("%s: in order, %zu positions, digest %016llx\n", clean_string(&name, question->file), book->count,
           (unsigned long long)book->digest);
    return 0;
}

/* Reads the book that was named, or the installed one. */
static int open_book(struct question *question, struct openings *book) {
    if (!question->file) {
        question->file = openings_installed_path();
        if (!question->file[0]) {
            return cli_usage("book: expected --book FILE, there is no gomoku.book beside the program (docs/book.md)");
        }
    }
    return book_read_file(question->file, book);
}

/* Answers whatever is asked about a book that is there already; `position`: a file, or NULL. */
static int look_into(struct question *question, bool wants_check, bool wants_list, const char *position,
                     const struct cli_source *source) {
    struct openings book = {0};
    int exit_status = open_book(question, &book);
    if (exit_status == 0) {
        exit_status = wants_check                      ? check(question, &book)
                      : wants_list || question->stones ? list(question, &book)
                      : position                       ? look_up_file(question, &book, position, source)
                                                       : describe(question, &book);
    }
    openings_free(&book);
    return exit_status;
}

/* -- the command -- */

/* Sees that the board of new openings is one; the exit status. */
static int set_board(struct book_extension *extension, const char *rules) {
    extension->variant = rules ? game_find_variant(&gomoku_game, rules, strlen(rules)) : GOMOKU_FREESTYLE;
    if (extension->variant < 0) {
        return cli_usage("book: expected freestyle, exact, renju or caro after --rules, found '%s'", rules);
    }
    return 0;
}

static int extend(struct book_extension *extension, const char *rules) {
    struct search_limits *limits = &extension->search;
    int exit_status = set_board(extension, rules);
    if (exit_status != 0) {
        return exit_status;
    }
    if (!limits->depth && !limits->nodes && !(limits->wall_seconds > 0)) {
        limits->nodes = USUAL_NODES;
    }
    extension->options.threads = extension->options.threads ? extension->options.threads : 1;
    return book_extend(extension);
}

static int run(const struct cli_command *command, int argc, char **argv) {
    struct question question = {0};
    struct cli_source source = {0};
    struct book_extension extension = {.size = 15, .most_stones = USUAL_STONES, .seed = 1};
    const char *rules = NULL;
    const char *file = NULL;
    bool wants_list = false;
    bool wants_check = false;
    const struct cli_option table[] = {
        {"book", 'b', CLI_STRING, &question.file, "FILE", "the book (default: the one beside the program)", 0, 0},
        {"list", 'l', CLI_FLAG, &wants_list, NULL, "list the positions: value, chance, million nodes, squares", 0, 0},
        {"stones", 0, CLI_INT, &question.stones, "COUNT", "of those, the ones of so many stones", 1,
         OPENINGS_MOST_STONES},
        {"check", 0, CLI_FLAG, &wants_check, NULL, "check the book: digest, order, legality, consistency", 0, 0},
        {"json", 0, CLI_FLAG, &question.json, NULL, "print the moves of a position as one JSON object a line", 0, 0},
        {"extend", 'e', CLI_STRING, &extension.file, "FILE", "make this book longer, or begin it", 0, 0},
        {"time", 't', CLI_SECONDS, &extension.search.wall_seconds, "SECONDS", "search each position so long", 0, 0},
        {"nodes", 'n', CLI_COUNT, &extension.search.nodes, "COUNT", "or so many nodes (default 2M)", 0, 0},
        {"depth", 'd', CLI_INT, &extension.search.depth, "PLIES", "or so deep", 0, 0},
        {"for", 0, CLI_SECONDS, &extension.seconds, "SECONDS", "stop after so long (default: at Ctrl-C)", 0, 0},
        {"count", 'c', CLI_INT, &extension.count, "COUNT", "or after so many searches", 0, 0},
        {"swap2", 0, CLI_INT, &extension.openings, "COUNT", "see that there are so many even openings for swap2", 0,
         100000},
        {"swap", 0, CLI_FLAG, &extension.stones, NULL, "see that every first stone is there, for the swap", 0, 0},
        {"import", 'i', CLI_STRING, &extension.import, "FILE",
         "want the positions of these games too (SGF, psq, RenLib, lines of moves)", 0, 0},
        {"most", 0, CLI_INT, &extension.most_stones, "STONES", "look for positions of so many stones (default 14)", 1,
         OPENINGS_MOST_STONES - 1},
        {"rules", 0, CLI_STRING, &rules, "NAME", "of new openings: freestyle (default), exact, renju, caro", 0, 0},
        {"size", 0, CLI_INT, &extension.size, "SIZE", "the board of new openings (default 15)", 10, GOMOKU_MOST_SIZE},
        {"seed", 0, CLI_COUNT, &extension.seed, "NUMBER", "draw new openings by this (default 1)", 0, 0},
        {"threads", 'j', CLI_INT, &extension.options.threads, "COUNT", "threads of a search (default 1)", 1, 256},
        {"hash", 0, CLI_SIZE, &extension.options.hash_bytes, "SIZE", "memory of the table", 0, 0},
        CLI_SOURCE_OPTIONS(source),
        {0},
    };
    int exit_status;
    if (!cli_parse_file(command, table, argc, argv, &file, &exit_status)) {
        return exit_status;
    }
    if (extension.file) {
        return file || question.file || wants_list || wants_check
                   ? cli_usage("book: expected one thing to do, --extend or another")
                   : extend(&extension, rules);
    }
    return look_into(&question, wants_check, wants_list, file, &source);
}

const struct cli_command cli_book = {
    .name = "book",
    .summary = "look into the opening book of Gomoku, or make it longer",
    .usage = "[FILE] [--book FILE] [--list | --check] | --extend FILE [OPTIONS]",
    .details =
        "Without a file: what is in the book. With a position (sortie's own text, SGF or another record): its moves,\n"
        "the best first, each with its value for the side to move, the chance to win, how many million nodes were\n"
        "searched behind it, and the line the book expects. The book is gomoku.book beside the program, the one\n"
        "that SORTIE_BOOK names (off: none), or that of --book.\n"
        "--extend searches the position next that the least unlikely line leads to, and again, until Ctrl-C; the\n"
        "book is saved every few seconds, beside the file and renamed, so that nothing is lost and the next call\n"
        "carries on.\n",
    .example = "  sortie book --extend my.book --swap2 3 --nodes 20K --count 5\n"
               "  sortie book --book my.book --list\n"
               "  printf 'gomoku freestyle 15\\nH8\\n' | sortie book --book my.book -\n",
    .run = run,
};
