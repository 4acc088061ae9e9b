/*
 * A grid that is divided among ranks, with a handle, and arrays here and on the device; what ranks select of it; and moves
 * to another division.  What a device makes of arrays is compared, bit for bit, with what the host makes of the same.
 */
#ifndef DIVIDED_H
#define DIVIDED_H

#include "mirror.h"

#include <stdbool.h>

typedef struct divided {
    layout layout;
    arrays arrays;
    mirror mirror;
    hx_handle *handle;
    hx_handle *twin; /* whose fields are all of the host */
} divided;

typedef struct plan {
    const hx_spec *spec;
    layout_faces *faces;
    oracle_topology *topology;
    const char *messages; /* option device_messages */
    int number;
    bool alone; /* without a twin */
} plan;

typedef struct division {
    const hx_partition *partition;
    int (*owner)(void *context, int tile, int block);
    void *context;
    int padding;
} division;

/* Owners of blocks among all ranks; the context is not looked at. */
int divided_in_turn(void *context, int tile, int block);
int divided_backwards(void *context, int tile, int block);

/* The same tiles, each in one piece. */
void divided_whole(const hx_spec *spec, const hx_partition *partition, hx_partition whole[]);

/* Collective.  False, and hx_last_error() says why: create takes no such division. */
bool divided_open(const plan *p, const division *d, divided *e);
void divided_close(divided *e);

/*
 * Collective.  Moves all fields in a stream, ghost points too if halos says so, and compares what another stream, which
 * does not wait for that one, finds when the call returns.  salt: what they hold.
 */
void divided_move(divided *from, divided *to, bool halos, int salt, hx_stream stream, hx_stream other);

/* What a rank selects: of each tile every field, or every second point along one axis, dealt out to ranks. */
typedef struct wishes {
    hx_selection *selection;
    int count;
    size_t bytes; /* of each array: room for all points */
    unsigned char *memory;
} wishes;

void wishes_make(const divided *e, int number, wishes *w);
void wishes_free(wishes *w);

#endif
