/* The certificates that the page's user opened. */
#ifndef SORTIE_WEB_BOOK_H
#define SORTIE_WEB_BOOK_H

#include "engine/book.h"

extern struct book web_book;

#endif
