/* `sortie prove --core`: the core of a certificate. */
#ifndef SORTIE_CLI_SOLVING_PROVE_CORE_H
#define SORTIE_CLI_SOLVING_PROVE_CORE_H

/* Writes the core of a certificate in a file to another, which a certificate made of it is checked against. The exit
 * status. */
int prove_core(const char *certificate, const char *output);

#endif
