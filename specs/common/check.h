/*
 * What a program does when something fails: say so and end all ranks.
 */
#ifndef COMMON_CHECK_H
#define COMMON_CHECK_H

#include <hx/hx.h>

/* Ends the program, with what libhx has to say, unless status is HX_OK. */
void check(hx_status status);

/* Ends the program with a sentence; printf's arguments. */
_Noreturn void fail(const char *format, ...);

/*
 * An argument of the program as a number from least to most; ends the program with its usage if it is none.
 */
int whole_number(const char *text, int least, int most, const char *usage);

/* calloc that does not return NULL. */
void *allocate(size_t count, size_t size);

#endif
