/*
 * What one rank counts of its exchanges, and tells the first rank as it is.
 */
#ifndef HX_STATS_COUNTS_H
#define HX_STATS_COUNTS_H

#include <stdint.h>

/* Of one exchange.  Seconds are of all its starts and finishes together. */
typedef struct hxi_exchange_counts {
    uint64_t count;   /* finished */
    uint64_t timed;   /* of these, clocked within; the others are taken to pack, copy and unpack like them */
    int64_t messages; /* sent, each time */
    int64_t bytes_sent;   /* each time, padding between segments included */
    int64_t bytes_copied; /* each time, within the rank */
    double pack;          /* also what is written straight into the receiver's arrays */
    double copy;          /* within the rank */
    double wait;          /* in finish */
    double unpack;        /* sums and walls included */
    double device;        /* while a device packed */
    double late;          /* of wait: until the last rank had come */
    uint64_t sampled;     /* times of which it is known who came when; 0: late is not known */
    double first;         /* the end of the first finish, on the clock that ranks share */
    double last;          /* that of the last one */
} hxi_exchange_counts;

/* Of all exchanges of a handle. */
typedef struct hxi_rank_counts {
    double first;       /* the first start, ... */
    double last;        /* ... and the end of the last finish, on the clock that ranks share */
    double wait;        /* in all finishes */
    double late;        /* of it */
    double moved_bytes; /* that loops packed, copied and unpacked, ... */
    double moving;      /* ... in so many seconds */
    double copy_rate;   /* bytes that memcpy moves in a second here */
    double uncertain;   /* seconds by which its clock may be off the shared one */
    int64_t exchanges;
    int64_t awaited; /* ranks for which it waited */
} hxi_rank_counts;

#endif
