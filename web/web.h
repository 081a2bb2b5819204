/* What the parts of the page's door share. */
#ifndef SORTIE_WEB_WEB_H
#define SORTIE_WEB_WEB_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "protocols/ask.h"
#include "sortie/sortie.h"

#ifdef __wasm__
#define EXPORT(name) __attribute__((export_name(#name))) name
#define IMPORT(room, name) __attribute__((import_module(room), import_name(name)))
#else /* in a test there is no page */
#define EXPORT(name) name
#define IMPORT(room, name)
#endif

/* Where the page hears of a search under way: a line of protocols/ask.h. */
IMPORT("page", "report") void page_report(const char *bytes, size_t length);

/* The answer to the call under way, emptied; what is in it when the call returns goes to the page. */
struct text *web_answer(void);

/* What the page wrote. */
const char *web_bytes(size_t *length);

/* Puts an error into the answer; returns the status the page takes for a refusal. */
int web_refuse(const sortie_error *error);

/* The position and limits the page has written; false with a refusal in the answer. ask_free() when done. */
bool web_ask(struct ask *ask);

/* Forgets the certificates that were opened. */
void web_forget_proofs(void);

/* The engine, made when first asked for; NULL when there is no memory for it. */
sortie_engine *web_engine(sortie_error *error);

#endif
