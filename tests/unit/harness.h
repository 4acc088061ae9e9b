/*
 * Tests under mpirun: any rank may fail, all ranks end, and rank 0 does not hide what the others found.
 */
#ifndef HARNESS_H
#define HARNESS_H

#include "example.h"

extern int harness_rank;
extern int harness_ranks;

/* Initialises MPI, for one thread, unless the test has done so. */
void harness_begin(int *argc, char ***argv);

/* Finalises MPI.  Collective; returns 0 if no rank has failed. */
int harness_end(void);

/* What failures are said to be about from here on. */
void harness_about(const char *format, ...);

/* Expectations of this rank that did not hold. */
int harness_failures(void);

/* The spec of example.h in three periodic dimensions, one block a rank, by a transport. */
typedef struct harness_setting {
    example e;
    hx_part part;
    hx_blocks blocks;
    example_shape shape;
    example_fields fields;
    hx_options options;
} harness_setting;

void harness_set(harness_setting *s, const char *transport);
void harness_unset(harness_setting *s);

/* Create and an exchange work, as they do when nothing is left behind. */
void harness_expect_works(void);

void harness_expect(int holds, const char *what, const char *file, int line);
void harness_expect_status(hx_status expected, hx_status found, const char *what, const char *file, int line);
void harness_expect_text(const char *text, const char *part, const char *file, int line);

#define expect(condition)             harness_expect((condition) != 0, #condition, __FILE__, __LINE__)
#define expect_status(expected, call) harness_expect_status(expected, call, #call, __FILE__, __LINE__)
#define expect_ok(call)               expect_status(HX_OK, call)

/* The text contains the part. */
#define expect_text(text, part) harness_expect_text(text, part, __FILE__, __LINE__)

#endif
