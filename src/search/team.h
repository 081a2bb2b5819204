/* The threads of a searcher. They are started when first needed and live as long as the searcher, waiting in between:
 * a solver asks hundreds of questions a second, and starting threads for each would cost more than many an answer. */
#ifndef SORTIE_SEARCH_TEAM_H
#define SORTIE_SEARCH_TEAM_H

#define TEAM_MOST 256

struct team;

/* `index` counts the threads of a round from 0, the calling one. */
typedef void team_work(void *user, int index);

/* A team of so many threads, the caller's included; out of range is brought into range. NULL when memory runs out. */
struct team *team_new(int threads);
void team_free(struct team *team);
int team_size(const struct team *team);

/* Runs `work` on `count` threads at once and returns when all are through; how many there were, which is fewer when
 * the system refuses threads. */
int team_run(struct team *team, int count, team_work *work, void *user);

#endif
