/*
 * The rows of a patch in an array: here the audit looks at points, row by row.
 */
#ifndef HX_AUDIT_ROWS_H
#define HX_AUDIT_ROWS_H

#include "audit/patch.h"

#include <stdint.h>

/* Room for two slabs: see below. */
typedef struct hxi_scratch {
    unsigned char *slab[2];
} hxi_scratch;

/* Dimensions are numbered as they are walked, the innermost loop's first. */
typedef struct hxi_rows {
    const hx_field *field;
    int number;                    /* of the field */
    int block;                     /* of this rank */
    ptrdiff_t at;                  /* bytes from the array's pointer */
    ptrdiff_t stride[HX_MAX_AXES]; /* bytes */
    int n[HX_MAX_AXES];
    int axis[HX_MAX_AXES]; /* of the patch that a dimension is */
    size_t bytes;          /* of a point, or of the component that is meant of it */
    int sign;              /* -1: what is filled from here has the opposite sign; 0: it becomes zero */
    hx_wire wire;          /* how what is filled from here travels */
    bool plain;            /* all bytes are the value that is filled from here */
    bool shared;           /* several blocks compute these points: zeros of either sign are the same */
} hxi_rows;

/* The points that are filled, and those of another patch that feed it, on the rank that owns them. */
hxi_rows hxi_rows_filled(const hx_spec *spec, const hxi_block_list *mine, const hxi_patch *patch);
hxi_rows hxi_rows_feeding(const hx_spec *spec, const hxi_block_list *mine, const hxi_patch *patch, int block);

/* The rows of the two innermost dimensions are a slab, which has a digest. */
int hxi_rows_slabs(const hxi_rows *rows);
size_t hxi_rows_slab_bytes(const hxi_rows *rows);

/* Of the values that are filled from here, or that are there; of each slab.  room: for a slab. */
void hxi_rows_digest(const hxi_rows *rows, const unsigned char *array, unsigned char *room, uint64_t *digest);

/*
 * What an audit looks at beside points that are filled: all of it in the first runs, then a seventh in turn.  A prime, so
 * that what goes wrong in every second run, or fourth, as stages of a step do, is met, too.
 */
enum { HX_TURNS = 7 };
typedef struct hxi_turn {
    uint64_t run;
    int patch;
} hxi_turn;

static inline bool hxi_turn_has(hxi_turn turn, int slab)
{
    return turn.run <= HX_TURNS || (turn.run + (uint64_t)(turn.patch + slab)) % HX_TURNS == 0;
}

/* Do slabs whose turn it is have these digests? */
bool hxi_rows_have(const hxi_rows *rows, const unsigned char *array, unsigned char *room,
                   const uint64_t *digest, hxi_turn turn);

/* Of one slab.  room: for a slab. */
uint64_t hxi_rows_digest_one(const hxi_rows *rows, const unsigned char *array, int number,
                             unsigned char *room);

/* Of all, and writes the points one behind the other, with the signs that they have. */
typedef struct hxi_packed {
    unsigned char *to;
    unsigned char *room;
    uint64_t *digest;
} hxi_packed;

void hxi_rows_pack(const hxi_rows *rows, const unsigned char *array, const hxi_packed *packed);

/* Writes the points of lists one behind the other, as they are to be; returns where the last one ends. */
unsigned char *hxi_rows_append(const hxi_rows *rows, const unsigned char *array, unsigned char *to);

/* Do slabs whose turn it is hold what is packed, or zeros (NULL)?  False also where only a look at each point can tell. */
bool hxi_rows_hold(const hxi_rows *rows, const unsigned char *array, const unsigned char *packed,
                   hxi_turn turn);

/* Where each point lies, in the order in which they are packed.  at: counted from the first point of the patch, by axis. */
typedef void hxi_rows_visit(void *context, const int at[], ptrdiff_t offset);
void hxi_rows_each(const hxi_rows *rows, hxi_rows_visit *visit, void *context);

/* Points that differ from what they are to be, of all rows that were looked at. */
typedef struct hxi_difference {
    int64_t points;
    int slab;            /* of the first */
    int at[HX_MAX_AXES]; /* likewise: counted from the first point of the patch */
    int component;       /* likewise, of those that lie side by side; -1: there is one */
    const unsigned char *is;
    const unsigned char *wanted;
} hxi_difference;

/* Adds to difference what differs from values that lie one behind the other. */
void hxi_rows_compare(const hxi_rows *rows, const unsigned char *array, const unsigned char *wanted,
                      hxi_difference *difference);

/* Two arrays of this rank: what is filled, and what feeds it. */
typedef struct hxi_rows_pair {
    const hxi_rows *filled;
    const hxi_rows *fed;
    const unsigned char *filled_array;
    const unsigned char *fed_array;
} hxi_rows_pair;

/* The same for a pair; the first value that differs stays in scratch.  digest: of what feeds each slab. */
void hxi_rows_compare_pair(const hxi_rows_pair *pair, const hxi_scratch *scratch, uint64_t *digest,
                           hxi_difference *difference);

/* Can slabs of both be compared as they lie in memory? */
bool hxi_rows_pair_is_plain(const hxi_rows_pair *pair);

/* Do all slabs of such pairs hold the same?  Slab by slab of all of them: faces of a block have lines of memory in common. */
enum { HX_PAIRS = 32 }; /* at most */
bool hxi_rows_same(const hxi_rows_pair pair[], int count);

/* Writes the poison of its type into all points. */
void hxi_rows_poison(const hxi_rows *rows, unsigned char *array);

#endif
