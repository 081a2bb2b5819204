/* Standard input, output and error: there from the first moment, and looked at in the last. */
#ifndef SORTIE_SYSTEM_STANDARD_H
#define SORTIE_SYSTEM_STANDARD_H

/* Called first in every program. Takes the descriptors 0 to 2 where the caller left them closed, so that no file opened
 * later gets such a number and messages with it; reading or writing them fails then as it would have. A file that grows
 * beyond what the system allows is an error like a full disk from here on, and no longer the end of the process. */
void standard_begin(void);

/* The exit status of the process: `status`, or 1 with one line on standard error when that is 0 and something printed
 * did not get through. Called last. */
int standard_end(int status);

#endif
