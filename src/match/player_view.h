/* What a player's program sees of this machine besides the system: itself, and little else. */
#ifndef SORTIE_MATCH_PLAYER_VIEW_H
#define SORTIE_MATCH_PLAYER_VIEW_H

#include "results/plan.h"

/* Makes the warden show what player `number` of the plan may see:
 *  - every file its command names, outside the system;
 *  - the whole folder such a file lies in, if that is a folder of its own: it holds neither another player's program
 * nor the results, and is not the current folder, the home folder or /tmp, nor holds any of these;
 *  - for a command found through PATH in a folder bin, in the same way, the folder around it;
 *  - whatever its options show=PATH name;
 *  - what its option build=FILE holds, in /build. *built is whose that is now, -1 for nobody's; NULL: not known. */
enum status player_view_show(const struct plan *plan, int number, struct warden *warden, int *built,
                             struct error *error);

/* Whether a folder is one that everything else lies in: the home folder, /tmp, or one that holds them. */
bool player_view_is_common(const char *folder);

#endif
