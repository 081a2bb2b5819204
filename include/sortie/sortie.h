/** @file
 * sortie: plays and solves adversarial board games. The public C API.
 *
 * Handles are opaque. A function that can fail returns a status and fills an error when one is given. Structs that may
 * grow begin with their own size, results as well as options: set it with SORTIE_INIT(type). A program built against
 * an older header, with shorter structs, keeps working: what it does not know is taken as zero or not told. A program
 * built against a newer one works as long as it leaves what this library does not know at zero. Texts handed out
 * belong to the caller and are freed with sortie_free. sortie_error and sortie_move never change.
 *
 * A handle may be used by one thread at a time; only sortie_engine_stop may be called from any thread. Different
 * handles are independent of each other. An engine that is searching refuses another search. In the child of a fork an
 * engine starts threads of its own, unless it was searching when the child was made. The locale changes nothing.
 *
 * What is where: games and their properties; positions (start, parse, play, cells, pictures); moves as numbers and
 * boards in bulk; batches of games for learners; the engine (go, analyze, stop); games and matches between players;
 * proofs (prove, verify); course files (answers and logs byte for byte as the courses expect them). */
#ifndef SORTIE_SORTIE_H
#define SORTIE_SORTIE_H

#include <stddef.h>
#include <stdint.h>

#ifndef SORTIE_API
#if defined(_WIN32) && defined(SORTIE_DLL)
/* Set by programs that use sortie.dll; it works without, by one jump more. */
#define SORTIE_API __declspec(dllimport)
#elif defined(__GNUC__) && !defined(_WIN32)
#define SORTIE_API __attribute__((visibility("default")))
#else
#define SORTIE_API
#endif
#endif

#ifdef __cplusplus
/** The struct with its size set and everything else zero. */
#define SORTIE_INIT(type) (sortie_init<type>())
template <typename type> inline type sortie_init() {
    type fresh = type();
    fresh.size = sizeof fresh;
    return fresh;
}
extern "C" {
#else
/** The struct with its size set and everything else zero: `sortie_limits limits = SORTIE_INIT(sortie_limits);` */
#define SORTIE_INIT(type) ((type){.size = sizeof(type)})
#endif

/** What a function that can fail returns. */
typedef enum sortie_status {
    SORTIE_OK = 0,       /**< done */
    SORTIE_FAIL = 1,     /**< the machine failed: no memory, no thread */
    SORTIE_BAD_INPUT = 2 /**< what was given is wrong; the error says what was expected */
} sortie_status;

/** What went wrong, filled by a function that fails. */
typedef struct sortie_error {
    int line;       /**< from 1; 0 when the fault has no place in a text */
    int column;     /**< from 1 */
    char text[240]; /**< one line for people, without the place: "expected a move" */
} sortie_error;

/** A board, whose turn it is, and the moves played on it since it was made. */
typedef struct sortie_position sortie_position;
/** What searches: threads and tables, for all games. */
typedef struct sortie_engine sortie_engine;
/** A file as a course hands it out, read. */
typedef struct sortie_course sortie_course;
/** Many games of one kind, played side by side. */
typedef struct sortie_batch sortie_batch;

/** The version of the library that is running: "1.0.0". */
SORTIE_API const char *sortie_version(void);
/** Gives back a text that the library handed out; NULL is fine. */
SORTIE_API void sortie_free(char *text);

/* -- games: "war" (rule sets "stake", "sneak"), "laser", "gomoku" -- */

/** The name of game number `index`, or NULL behind the last. */
SORTIE_API const char *sortie_game_name(int index);
/** The name of a game's rule set number `index`, or NULL. */
SORTIE_API const char *sortie_game_rules(const char *game, int index);

/** What a game is like. Its texts live as long as the program. */
typedef struct sortie_game_info {
    size_t size;            /**< of this struct: SORTIE_INIT sets it */
    const char *name;       /**< "war" */
    const char *title;      /**< for people: "War board" */
    const char *sides[2];   /**< the sides' names: "X", "O" */
    int least_size;         /**< rows of the smallest board */
    int most_size;          /**< rows of the largest */
    int usual_size;         /**< rows where nothing is said */
    int most_moves;         /**< no position has more legal moves */
    int most_plies;         /**< no game lasts longer */
    int margin;             /**< the score is a margin; otherwise +1, 0, -1 */
    int numbered_from_zero; /**< rows and columns are numbers from 0 in the game's notation */
    int stones_on_points;   /**< drawn on the crossings of lines, not inside squares */
    int has_engine;         /**< SORTIE_ENGINE is more than the textbook's alpha-beta here */
} sortie_game_info;

/** Fills an info whose size is set. */
SORTIE_API sortie_status sortie_game_about(const char *game, sortie_game_info *info, sortie_error *error);
/** 1 when sortie_position_start can make a board of so many rows and columns (0: as many as rows), else 0. Between the
 * least and the most size a game may leave some out. */
SORTIE_API int sortie_game_takes(const char *game, int rows, int columns);

/* -- positions: a board, whose turn it is, and the moves played on it since it was made -- */

/** Which starting board is wanted. */
typedef struct sortie_start {
    size_t size;       /**< of this struct: SORTIE_INIT sets it */
    const char *rules; /**< NULL: the usual rule set */
    int rows;          /**< 0: the usual size */
    int columns;       /**< 0: as many as rows */
    int random;        /**< draw values, blocks or opening stones by chance, fair to both sides */
    uint64_t seed;     /**< the same seed gives the same start everywhere */
} sortie_start;

/** The starting board; start NULL: all as usual. */
SORTIE_API sortie_status sortie_position_start(const char *game, const sortie_start *start, sortie_position **out,
                                               sortie_error *error);
/** Any file sortie knows: a course's input file ("stake", "sneak", "laser"), a position in sortie's own text
 * ("position"), or the end of a recorded game of Gomoku: "sgf", "psq" (Piskvork), "lib" (RenLib), "pos" (h8i9j8),
 * "offset" (Gomocup's openings). Of several games it is the first. */
SORTIE_API sortie_status sortie_position_parse(const char *bytes, size_t length, sortie_position **out,
                                               sortie_error *error);
/** As sortie_position_parse, with the format named; NULL: found by looking. */
SORTIE_API sortie_status sortie_position_parse_as(const char *bytes, size_t length, const char *format,
                                                  sortie_position **out, sortie_error *error);
/** As sortie_position_parse_as, for one game of a file that holds several, counted from 1; 0: the first. *records (may
 * be NULL) gets how many there are. */
SORTIE_API sortie_status sortie_position_parse_record(const char *bytes, size_t length, const char *format, int record,
                                                      sortie_position **out, int *records, sortie_error *error);
/** A position of its own with the same board and the same moves played. */
SORTIE_API sortie_status sortie_position_copy(const sortie_position *position, sortie_position **out,
                                              sortie_error *error);
/** Gives a position back; NULL is fine. */
SORTIE_API void sortie_position_free(sortie_position *position);

/** The name of its game: "war". */
SORTIE_API const char *sortie_position_game(const sortie_position *position);
/** The name of its rule set: "stake". */
SORTIE_API const char *sortie_position_rules(const sortie_position *position);
/** How many rows the board has. */
SORTIE_API int sortie_position_rows(const sortie_position *position);
/** How many columns the board has. */
SORTIE_API int sortie_position_columns(const sortie_position *position);
SORTIE_API int sortie_position_to_move(const sortie_position *position); /**< 0 the first side, 1 the second */
/** 1 when the game has ended, else 0. */
SORTIE_API int sortie_position_is_over(const sortie_position *position);
/** How many moves were played on it since it was made: so many can be taken back. */
SORTIE_API int sortie_position_played(const sortie_position *position);
/** The result from the first side's view: the margin as it stands, or +1, 0, -1 in a game of wins. */
SORTIE_API int sortie_position_score(const sortie_position *position);
/** Equal positions have equal hashes. */
SORTIE_API uint64_t sortie_position_hash(const sortie_position *position);

/** A move in the game's notation: "B3 Raid", "3 4", "H8". */
typedef char sortie_move[32];
/** Legal moves in the game's notation, in the game's order. Returns how many there are, 0 when the game is over, -1
 * when memory runs out; writes the first `capacity` of them. */
SORTIE_API int sortie_position_moves(const sortie_position *position, sortie_move *moves, int capacity);
/** Plays a move in the game's notation; an illegal one is refused, and nothing has changed. */
SORTIE_API sortie_status sortie_position_play(sortie_position *position, const char *move, sortie_error *error);
/** Takes back the last move played; SORTIE_BAD_INPUT when there is none. */
SORTIE_API sortie_status sortie_position_undo(sortie_position *position, sortie_error *error);

/** Move number `index` of those played since the position was made, the first is 0, in the game's notation. */
SORTIE_API sortie_status sortie_position_move(const sortie_position *position, int index, sortie_move move,
                                              sortie_error *error);

/** How a square looks. */
typedef enum sortie_ink {
    SORTIE_INK_EMPTY,        /**< nothing */
    SORTIE_INK_FIRST,        /**< a piece of the first side (X, black, emitter 1) */
    SORTIE_INK_SECOND,       /**< a piece of the second side */
    SORTIE_INK_BLOCK,        /**< not playable */
    SORTIE_INK_FIRST_FIELD,  /**< no piece, but the first side's (covered by its beams) */
    SORTIE_INK_SECOND_FIELD, /**< likewise the second side's */
    SORTIE_INK_BOTH_FIELD    /**< covered by both */
} sortie_ink;

/** One square. */
typedef struct sortie_cell {
    size_t size;    /**< of this struct: SORTIE_INIT sets it */
    sortie_ink ink; /**< how it looks */
    char glyph;     /**< the character the game's own files use: X, O, ., *, 0..3 */
    char label[12]; /**< a number to show in the square, or "" */
    int last;       /**< played last, where the position knows */
} sortie_cell;

/** Fills a cell whose size is set. Row and column from 0, from the top left. */
SORTIE_API sortie_status sortie_position_cell(const sortie_position *position, int row, int column, sortie_cell *cell,
                                              sortie_error *error);

/* -- moves as numbers, and whole boards at once -- */

/** How many actions there are on this board, legal or not: the length of a mask. Every move of a game on a board has a
 * number, its action, that means the same from the start to the end: on a board of n squares, counted row by row from
 * the top left,
 *
 *     gomoku, laser  0 .. n-1: the square
 *     war            0 .. n-1: a Stake (or Sneak) on the square; n .. 2n-1: a Raid on square action - n
 *
 * In a game that is not named here sortie_position_action_name tells. */
SORTIE_API int sortie_position_actions(const sortie_position *position);
/** The legal actions, in the order of sortie_position_moves. Returns how many there are, -1 when memory runs out;
 * writes the first `capacity` of them. */
SORTIE_API int sortie_position_legal(const sortie_position *position, int32_t *actions, int capacity);
/** One byte an action: 1 where it is legal, else 0; all of them 0 when the game is over. Returns how many actions there
 * are, -1 when memory runs out; writes the first `capacity` bytes. */
SORTIE_API int sortie_position_mask(const sortie_position *position, uint8_t *mask, int capacity);
/** Plays an action; an illegal one is refused, and nothing has changed. */
SORTIE_API sortie_status sortie_position_play_action(sortie_position *position, int32_t action, sortie_error *error);
/** The action of a legal move in the game's notation, -1 when it is none. */
SORTIE_API int32_t sortie_position_action(const sortie_position *position, const char *move);
/** The notation of an action, be it legal or not. */
SORTIE_API sortie_status sortie_position_action_name(const sortie_position *position, int32_t action, sortie_move move,
                                                     sortie_error *error);
/** Move number `index` of those played, as sortie_position_move has it; -1 when there is none. */
SORTIE_API int32_t sortie_position_move_action(const sortie_position *position, int index);

/** How all squares look, row by row, one sortie_ink a byte. Returns how many squares there are, -1 when memory runs
 * out; writes the first `capacity`. */
SORTIE_API int sortie_position_board(const sortie_position *position, uint8_t *inks, int capacity);
/** What all squares are worth, row by row: the war board's values, 0 in other games. Returns and writes as
 * sortie_position_board does. */
SORTIE_API int sortie_position_values(const sortie_position *position, int32_t *values, int capacity);

/** The name of the planes a learner sees of a game, by index; NULL behind the last. Each plane has one byte a square,
 * row by row, and is seen by the side to move, which is "own":
 *
 *     "own"           1 where a piece of the side to move stands
 *     "other"         1 where a piece of the other side stands
 *     "blocks"        1 where nobody can play (laser)
 *     "own field"     1 where no piece stands, and the side to move has it covered (laser)
 *     "other field"   likewise the other side; both may be 1
 *     "values"        what the square is worth (war): 255 * value / greatest value of the board, rounded, at least 1
 *
 * Every game has the first two; which others it has does not depend on the board. Elsewhere bytes are 0. */
SORTIE_API const char *sortie_game_plane(const char *game, int index);
/** The planes of a position, one after the other. Returns how many bytes they are, -1 when memory runs out; writes the
 * first `capacity`. */
SORTIE_API int sortie_position_planes(const sortie_position *position, uint8_t *planes, int capacity);

/* -- batches: many games of one kind played side by side, for those who learn from them -- */

/** What a batch is to be. */
typedef struct sortie_batch_options {
    size_t size;   /**< of this struct: SORTIE_INIT sets it */
    int count;     /**< how many games; 0: one */
    int restart;   /**< a game that has ended starts again at once */
    uint64_t seed; /**< of sortie_batch_random_step, and with start->random of the starts, each of which differs */
} sortie_batch_options;

/** Makes a batch. `start` is as for sortie_position_start, but its seed is not used; with `random` every game, and
 * every game after it, has a start of its own. Both may be NULL. */
SORTIE_API sortie_status sortie_batch_new(const char *game, const sortie_start *start,
                                          const sortie_batch_options *options, sortie_batch **out, sortie_error *error);
/** Gives a batch back; NULL is fine. */
SORTIE_API void sortie_batch_free(sortie_batch *batch);
/** How many games it has. */
SORTIE_API int sortie_batch_count(const sortie_batch *batch);
/** How many rows its boards have. */
SORTIE_API int sortie_batch_rows(const sortie_batch *batch);
/** How many columns its boards have. */
SORTIE_API int sortie_batch_columns(const sortie_batch *batch);
/** How many actions there are on its boards: the length of a mask. */
SORTIE_API int sortie_batch_actions(const sortie_batch *batch);
/** How many planes its games are seen by. */
SORTIE_API int sortie_batch_planes(const sortie_batch *batch);

/** One action for each game; what is given for a game that is over is not looked at. An illegal one is refused
 * (SORTIE_BAD_INPUT, the error names the game), and then no game has moved. */
SORTIE_API sortie_status sortie_batch_step(sortie_batch *batch, const int32_t *actions, sortie_error *error);
/** A legal action by chance for each game. `actions` (may be NULL) says which: -1 for a game that was over. */
SORTIE_API sortie_status sortie_batch_random_step(sortie_batch *batch, int32_t *actions, sortie_error *error);
/** Starts a game anew, or all of them: -1. */
SORTIE_API sortie_status sortie_batch_reset(sortie_batch *batch, int index, sortie_error *error);

/** Where to write; NULL for what is not wanted. Game after game, each in order of the batch. */
typedef struct sortie_observation {
    size_t size;      /**< of this struct: SORTIE_INIT sets it */
    uint8_t *planes;  /**< [count][planes][rows][columns], as sortie_game_plane describes them */
    uint8_t *masks;   /**< [count][actions]: 1 where the action is legal */
    int32_t *to_move; /**< [count]: 0 the first side, 1 the second */
    /** [count]: where the last step ended the game +1, 0, -1 as the first side won, drew, lost; else 0 */
    float *rewards;
    uint8_t *over;   /**< [count]: 1 where the last step ended the game, or it is over and stays so */
    int32_t *scores; /**< [count]: as sortie_position_score; of the ended game where `over` is 1 */
    int32_t *values; /**< [count][rows][columns]: as sortie_position_values */
} sortie_observation;

/** What a learner sees after a step. In a batch that restarts, planes, mask, to_move and values of a game that has just
 * ended are those of the new game; over, rewards and scores tell how the old one ended. */
SORTIE_API sortie_status sortie_batch_observe(const sortie_batch *batch, const sortie_observation *observation,
                                              sortie_error *error);
/** A copy of one of the games, to be drawn, searched or kept. */
SORTIE_API sortie_status sortie_batch_position(const sortie_batch *batch, int index, sortie_position **out,
                                               sortie_error *error);

/* -- positions as texts and pictures -- */

/** The position in sortie's own text, which can be parsed again; NULL when memory runs out. */
SORTIE_API char *sortie_position_text(const sortie_position *position);
/** A picture: a whole SVG document; NULL when memory runs out. */
SORTIE_API char *sortie_position_svg(const sortie_position *position);
/** "X to move, O leads by 3"; NULL when memory runs out. */
SORTIE_API char *sortie_position_caption(const sortie_position *position);
/** The board in plain letters; with `colour` the colours of a terminal (ANSI codes). NULL when memory runs
 * out. */
SORTIE_API char *sortie_position_drawing(const sortie_position *position, int colour);
/** The game as an SGF record; SORTIE_BAD_INPUT for a game that has none. */
SORTIE_API sortie_status sortie_position_sgf(const sortie_position *position, char **out, sortie_error *error);

/** Gomoku with the swap: after the first stone the second player may take it over. What the engine would do: 1 take it,
 * 0 leave it, -1 where there is no swap (another game or size, not exactly one stone). */
SORTIE_API int sortie_position_swap(const sortie_position *position);
/** Gomoku with the swap: a first stone neither side is better with. */
SORTIE_API sortie_status sortie_position_swap_opening(const sortie_position *position, uint64_t seed, sortie_move move,
                                                      sortie_error *error);

/* -- the engine -- */

/** How to search. */
typedef enum sortie_method {
    SORTIE_GREEDY,    /**< the move that stands best at once */
    SORTIE_MINIMAX,   /**< the textbook's, to a depth */
    SORTIE_ALPHABETA, /**< the textbook's, to a depth */
    SORTIE_ENGINE     /**< the game's own search, within all limits */
} sortie_method;

/** What to search for. */
typedef enum sortie_goal {
    SORTIE_BEST,  /**< the best move within the limits */
    SORTIE_EXACT, /**< the value under perfect play */
    SORTIE_WIN    /**< only whether it is won, drawn or lost */
} sortie_goal;

/** For sortie_engine_options.threads: as many as the process may use. */
#define SORTIE_ALL_CORES (-1)
/** For sortie_engine_options.hash_bytes: what a minute fills, a quarter of the free memory at most. */
#define SORTIE_SHARE_OF_MEMORY SIZE_MAX

/** What an engine may use. */
typedef struct sortie_engine_options {
    size_t size;       /**< of this struct: SORTIE_INIT sets it */
    int threads;       /**< 0: one; SORTIE_ALL_CORES: as many as the process may use */
    size_t hash_bytes; /**< of the tables; 0: a modest default; or SORTIE_SHARE_OF_MEMORY */
} sortie_engine_options;

/** No line of play in a result is longer. */
#define SORTIE_MOST_LINE 256
/** Beyond every value; an open bound. */
#define SORTIE_INFINITY 1070000000
/** In games decided by a win: SORTIE_WIN_VALUE - k says "won in k plies", its negative "lost in k". */
#define SORTIE_WIN_VALUE 30000

/** A report while thinking, and the answer. Values are from the view of the side to move. */
typedef struct sortie_result {
    size_t size;                              /**< of this struct: SORTIE_INIT sets it */
    sortie_move move;                         /**< the best one found */
    int value;                                /**< what it leads to: a margin, or as SORTIE_WIN_VALUE says */
    int proved;                               /**< lower and upper hold; the value is exact when they are equal */
    int lower;                                /**< the value under perfect play is no less, where `proved` */
    int upper;                                /**< and no more */
    int depth;                                /**< plies that were looked ahead */
    int line;                                 /**< which of the best moves this is about, from 0 */
    uint64_t nodes;                           /**< positions looked at */
    uint64_t leaves;                          /**< of them those that were judged; the textbook's methods count them */
    uint64_t cutoffs;                         /**< of alpha-beta */
    double wall_seconds;                      /**< that it took */
    double cpu_seconds;                       /**< likewise, summed over threads */
    int line_length;                          /**< moves in line_moves */
    sortie_move line_moves[SORTIE_MOST_LINE]; /**< the line of best play; [0] is the move */
    double win;  /**< the chances the value stands for, where the game knows them; else all three are zero */
    double draw; /**< likewise of a draw */
    double loss; /**< likewise of a loss */
} sortie_result;

/** What a textbook search does next. The node entered is named by the move that led to it; a return is told of the node
 * returned to. */
typedef enum sortie_step_kind {
    SORTIE_ENTER,  /**< into an inner node */
    SORTIE_LEAF,   /**< a leaf */
    SORTIE_RETURN, /**< back from a child */
    SORTIE_CUT     /**< back, and cut off there */
} sortie_step_kind;

/** One step of a textbook search. */
typedef struct sortie_step {
    size_t size;           /**< of this struct: SORTIE_INIT sets it */
    sortie_step_kind kind; /**< what it is */
    sortie_move move;      /**< "" at the root */
    int depth;             /**< the root has 0 */
    int value;             /**< of the node so far */
    int alpha;             /**< only in alpha-beta; -SORTIE_INFINITY when open */
    int beta;              /**< only in alpha-beta; SORTIE_INFINITY when open */
} sortie_step;

/** Zero means no limit of that kind; with none at all the engine looks one ply ahead. */
typedef struct sortie_limits {
    size_t size;              /**< of this struct: SORTIE_INIT sets it */
    sortie_method method;     /**< zero is SORTIE_GREEDY: say which */
    sortie_goal goal;         /**< what to search for */
    int depth;                /**< plies to look ahead */
    uint64_t nodes;           /**< deterministic on one thread */
    double wall_seconds;      /**< for this move */
    double cpu_seconds;       /**< for this move, summed over threads */
    double cpu_seconds_left;  /**< for the rest of the game: the search divides it itself */
    double wall_seconds_left; /**< likewise by the wall clock */
    int multi_pv;             /**< how many of the best moves sortie_engine_analyze looks at */
    /** Told of what is found so far; may be NULL. Called from the thread that called go, or with several threads from
     * one at a time. */
    void (*on_info)(void *user, const sortie_result *report);
    /** Greedy, minimax, alpha-beta: told of every step of the walk, likewise. */
    void (*on_step)(void *user, const sortie_step *step);
    void *user;     /**< handed to both */
    int whole_line; /**< the textbook's methods: fill in the line behind the move too, at the price of more searches */
    /** The textbook's methods: take no short cut, so that nodes, leaves and cutoffs are those of the plain search in
     * the game's order of moves, as anyone's own program counts them. Without it they are what this library looked at.
     */
    int textbook_counts;
    /** SORTIE_ENGINE at Gomoku: the move may come out of the opening book beside the program, where more work stands
     * behind it than the seconds allow; never with a depth, nodes or several lines. */
    int book;
    uint64_t book_seed; /**< which of equal moves of the book */
} sortie_limits;

/** Makes an engine; options NULL: one thread and a modest table. */
SORTIE_API sortie_status sortie_engine_new(const sortie_engine_options *options, sortie_engine **out,
                                           sortie_error *error);
/** Gives an engine back, which must not be searching; NULL is fine. */
SORTIE_API void sortie_engine_free(sortie_engine *engine);
/** Thinks until a limit is reached or sortie_engine_stop is called. The game must not be over. */
SORTIE_API sortie_status sortie_engine_go(sortie_engine *engine, const sortie_position *position,
                                          const sortie_limits *limits, sortie_result *result, sortie_error *error);
/** The limits.multi_pv best moves (at least one, `capacity` at most), best first, with their lines, in every game; with
 * SORTIE_EXACT their exact values. `lines` is an array of results; the size of the first counts for all. *count says
 * how many there are. on_info is told of each line as it gets better. */
SORTIE_API sortie_status sortie_engine_analyze(sortie_engine *engine, const sortie_position *position,
                                               const sortie_limits *limits, sortie_result *lines, int capacity,
                                               int *count, sortie_error *error);
/** From any thread or a signal handler: the search under way answers at once with the best it has. Without one under
 * way nothing happens: a search begun later is not stopped by it, unless the engine was armed for it. */
SORTIE_API void sortie_engine_stop(sortie_engine *engine);
/** From here on a stop counts for the next search, even before that has begun: for a caller that starts the search in
 * another thread and may want to stop it at any moment from now. Forgets any stop that came before. */
SORTIE_API void sortie_engine_arm(sortie_engine *engine);
/** Forgets what earlier searches learnt. */
SORTIE_API void sortie_engine_clear(sortie_engine *engine);
/** What the last search counted, as lines for people; "" where the game counts nothing. NULL when memory runs out. */
SORTIE_API char *sortie_engine_counters(const sortie_engine *engine);

/* -- games between players of this process -- */

/** Who plays a side: an engine within limits, or a function. */
typedef struct sortie_player {
    size_t size;           /**< of this struct: SORTIE_INIT sets it */
    sortie_engine *engine; /**< thinks for each move; both players may have the same one. NULL: `choose` is asked */
    /** The engine's, for each move. The seconds left for the rest of the game are those of the whole game: what the
     * player has used is taken off before each move. */
    const sortie_limits *limits;
    /** Writes a move of the position in the game's notation and returns 0; anything else: resigns. Called from the
     * thread that called. NULL where there is an engine. */
    int (*choose)(void *user, const sortie_position *position, sortie_move move);
    void *user; /**< handed to `choose` */
} sortie_player;

/** How a game ended. */
typedef enum sortie_ending {
    SORTIE_BY_RULES, /**< it is over */
    SORTIE_RESIGNED, /**< the side to move resigned */
    SORTIE_ILLEGAL   /**< the side to move played what is no move */
} sortie_ending;

/** What came of a game. */
typedef struct sortie_outcome {
    size_t size;            /**< of this struct: SORTIE_INIT sets it */
    int result;             /**< +1, 0, -1 as the first side won, drew, lost */
    int score;              /**< as sortie_position_score has it at the end */
    sortie_ending ending;   /**< how it ended; who resigned or played no move has lost */
    int plies;              /**< moves played */
    double wall_seconds[2]; /**< that each side used */
} sortie_outcome;

/** Plays a game to its end: `first` has the first side, whoever is to move. The moves are played on the position, which
 * is the record of the game afterwards (sortie_position_move, sortie_position_sgf). SORTIE_OK also where a player lost
 * by what is no move; the error then says what was expected of it. */
SORTIE_API sortie_status sortie_position_play_out(sortie_position *position, const sortie_player *first,
                                                  const sortie_player *second, sortie_outcome *outcome,
                                                  sortie_error *error);

/** What is told of a match. */
typedef struct sortie_match_options {
    size_t size; /**< of this struct: SORTIE_INIT sets it */
    /** Told of each game as it ends, with its record; `exchanged` is 1 where player `one` had the second side. Anything
     * but 0 ends the match. May be NULL. */
    int (*on_game)(void *user, int opening, int exchanged, const sortie_position *position,
                   const sortie_outcome *outcome);
    void *user; /**< handed to on_game */
} sortie_match_options;

/** How a match stands for player `one`. */
typedef struct sortie_match_score {
    size_t size;  /**< of this struct: SORTIE_INIT sets it */
    int wins;     /**< games it won */
    int draws;    /**< games nobody won */
    int losses;   /**< games it lost */
    int forfeits; /**< of all games those that a player ended by resigning or by what is no move */
} sortie_match_score;

/** Plays two games from each of `count` openings, which are of any games and stay as they are: in the first player
 * `one` has the first side, in the second the other. Engines forget what they learnt before each game. options may be
 * NULL. The score is that of the games which were ended, also where one failed. */
SORTIE_API sortie_status sortie_match_play(const sortie_position *const *openings, int count, const sortie_player *one,
                                           const sortie_player *other, const sortie_match_options *options,
                                           sortie_match_score *score, sortie_error *error);

/* -- proofs -- */

/** What can be proved of a position. */
typedef enum sortie_claim {
    SORTIE_CLAIM_ANY,   /**< asked for: whichever is true */
    SORTIE_CLAIM_WINS,  /**< the side to move wins */
    SORTIE_CLAIM_LOSES, /**< the other side wins */
    SORTIE_CLAIM_HOLDS  /**< the other side holds: the side to move does not win */
} sortie_claim;

/** What to prove, and when to give up. Zero means no limit of that kind. */
typedef struct sortie_prove_limits {
    size_t size;         /**< of this struct: SORTIE_INIT sets it */
    sortie_claim claim;  /**< Gomoku: what to look for */
    double wall_seconds; /**< for the search and the building of the proof together */
    uint64_t nodes;      /**< Gomoku: of all searches together; deterministic on one thread */
} sortie_prove_limits;

/** What was proved, from the view of the side to move. */
typedef struct sortie_proof {
    size_t size;               /**< of this struct: SORTIE_INIT sets it */
    int settled;               /**< 1: proved, and the certificate is there; 0: left open */
    sortie_claim claim;        /**< Gomoku: what is proved; else SORTIE_CLAIM_ANY */
    int lower;                 /**< it ends with no less: the margin, or in Gomoku +1, 0, -1 */
    int upper;                 /**< and with no more; equal to `lower` but where a side holds or all is open */
    sortie_move move;          /**< Gomoku: the move that wins; else "" */
    uint64_t nodes;            /**< positions searched */
    double wall_seconds;       /**< that it took */
    char *certificate;         /**< the proof, for sortie_proof_verify or a file; sortie_free gives it back */
    size_t certificate_length; /**< its bytes */
} sortie_proof;

/** Tries to prove who wins a freestyle position of Gomoku (up to 15x15), or what a war board or a board of Laser
 * Checkmate (up to 8x8) is worth, with the engine's threads and as much memory as its tables may take. Until it is
 * settled, a limit is reached or sortie_engine_stop is called; SORTIE_OK in each case. */
SORTIE_API sortie_status sortie_engine_prove(sortie_engine *engine, const sortie_position *position,
                                             const sortie_prove_limits *limits, sortie_proof *proof,
                                             sortie_error *error);
/** Checks certificates (docs/proofs.md), one behind the other, and believes nothing but the rules. SORTIE_OK when all
 * hold: *proves (may be NULL) then says what they prove, as `sortie verify` prints it. SORTIE_BAD_INPUT when one does
 * not; the error says at which byte and why. */
SORTIE_API sortie_status sortie_proof_verify(const char *bytes, size_t length, char **proves, sortie_error *error);

/* -- what is known beforehand -- */

/** Adds certificates (docs/proofs.md; sortie_proof_verify checks them, this believes a file whose digest and moves are
 * in order) to what the library knows of a game, for all engines; *positions (may be NULL) says how many positions it
 * knows then. "gomoku" has them. No search may be under way. */
SORTIE_API sortie_status sortie_proofs_add(const char *game, const char *bytes, size_t length, size_t *positions,
                                           sortie_error *error);
/** Whether the position is known to be won or lost, without a search: fills move, value, proved, lower and upper of a
 * result whose size is set. The move wins, or in a lost position holds out longest. */
SORTIE_API int sortie_position_proved(const sortie_position *position, sortie_result *result);

/* -- course files -- */

/** Reads a course file, or any other. format NULL: found by looking; otherwise a name that sortie_position_parse
 * lists. */
SORTIE_API sortie_status sortie_course_parse(const char *bytes, size_t length, const char *format, sortie_course **out,
                                             sortie_error *error);
/** As sortie_course_parse, for one game of a file that holds several, counted from 1; 0: the first. */
SORTIE_API sortie_status sortie_course_parse_record(const char *bytes, size_t length, const char *format, int record,
                                                    sortie_course **out, sortie_error *error);
/** Gives a course file back; NULL is fine. */
SORTIE_API void sortie_course_free(sortie_course *course);

/** What a course file asks for. Its texts live as long as the sortie_course. */
typedef struct sortie_course_info {
    size_t size;             /**< of this struct: SORTIE_INIT sets it */
    const char *format;      /**< "stake" */
    const char *title;       /**< "Stake-Raid course file" */
    const char *answer_file; /**< where the course looks for the answer: "output.txt" */
    const char *log_file;    /**< and for the traversal log; NULL where this file asks for none */
    const char *warning;     /**< odd but accepted; "" when nothing is */
    int battle;              /**< asks for a whole game, board after board */
    sortie_method method;    /**< what the file asks for */
    int depth;               /**< of the textbook's methods */
    double cpu_seconds_left; /**< of SORTIE_ENGINE: for the rest of the game; 0 where the file does not say */
    double wall_seconds;     /**< of SORTIE_ENGINE: the usual time for a move; 0 where the course names none */
} sortie_course_info;

/** Fills an info whose size is set. */
SORTIE_API sortie_status sortie_course_about(const sortie_course *course, sortie_course_info *info,
                                             sortie_error *error);
/** A position of its own: the board of the file. */
SORTIE_API sortie_status sortie_course_position(const sortie_course *course, sortie_position **out,
                                                sortie_error *error);

/** Whether sortie_course_answer searches by these limits, and not as the file asks: the method is SORTIE_ENGINE, and
 * they name a depth, nodes, a time or another goal than SORTIE_BEST. */
SORTIE_API int sortie_limits_replace_file(const sortie_limits *limits);

/** How a course file is to be answered. */
typedef struct sortie_course_orders {
    size_t size; /**< of this struct: SORTIE_INIT sets it */
    /** NULL: search as the file asks. Otherwise they replace what the file asks for where sortie_limits_replace_file
     * says so; on_info, on_step, whole_line and textbook_counts hold in both cases. */
    const sortie_limits *limits;
    /** Receives the traversal log piece by piece where the file asks for one and its own method is used; NULL: none. */
    void (*on_log)(void *user, const char *bytes, size_t length);
    void *user; /**< of on_log */
    /** CPU seconds of the file's clock that are gone already, and that each later answer will cost again: a program
     * that is started anew for every move says here what its start took. */
    double cpu_seconds_spent;
} sortie_course_orders;

/** Searches and hands out the bytes of the answer file. `result` (may be NULL) is about the first move. */
SORTIE_API sortie_status sortie_course_answer(const sortie_course *course, sortie_engine *engine,
                                              const sortie_course_orders *orders, char **answer, sortie_result *result,
                                              sortie_error *error);

#ifdef __cplusplus
}
#endif

#endif
