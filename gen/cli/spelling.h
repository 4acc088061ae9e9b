/* How near two words are, for "did you mean". */
#ifndef HALOGEN_SPELLING_H
#define HALOGEN_SPELLING_H

#include <stddef.h>

/* The number of letters to insert, delete or change between the words.  Of either, the first 31 count. */
size_t spelling_distance(const char *a, const char *b);

#endif
