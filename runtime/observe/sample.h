/*
 * When this rank came to an exchange: a bounded sample of its starts and finishes.
 *
 * All ranks count the starts of an exchange alike.  So what is kept depends on the number of a start alone, and
 * ranks keep the same ones without a word.  The first HX_SAMPLE are all kept.  After that every second one goes,
 * picked by a hash, so that no rhythm of the program hides between them; and so on.
 */
#ifndef HX_SAMPLE_H
#define HX_SAMPLE_H

#include <hx/hx.h>

#include <stdbool.h>
#include <stdint.h>

enum { HX_SAMPLE = 1024 };

/* One start and its finish.  Seconds of this rank's clock. */
typedef struct hxi_occurrence {
    uint64_t number;      /* which start of the exchange it is */
    double started;       /* start was called */
    double finishing;     /* finish was called */
    double waited;        /* in finish, for messages */
    double before;        /* the finish before ended, of whatever exchange of the handle */
    double waited_before; /* in that one */
} hxi_occurrence;

typedef struct hxi_sample {
    hxi_occurrence *kept; /* by rising number */
    int count;
    int level;     /* one in 2 to the power of it is kept */
    double waited; /* by those kept */
} hxi_sample;

/* Starts as {0}. */
hx_status hxi_sample_make(hxi_sample *sample);
void hxi_sample_free(hxi_sample *sample);

/* Is that start to be kept, as far as is known now?  What is not kept now is not kept later. */
bool hxi_sample_keeps(const hxi_sample *sample, uint64_t number);

/* An occurrence that is over; its number is higher than those before. */
void hxi_sample_add(hxi_sample *sample, const hxi_occurrence *occurrence);

#endif
