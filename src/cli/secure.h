/* What every command that runs other people's programs does first. */
#ifndef SORTIE_CLI_SECURE_H
#define SORTIE_CLI_SECURE_H

#include <stdbool.h>

/* Makes sure that programs can be locked in, or, when `unsafe`, says loudly that they are not. 0, or the exit status.
 */
int cli_secure(bool unsafe);

#endif
