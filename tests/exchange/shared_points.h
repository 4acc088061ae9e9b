/*
 * Who has a point that several blocks own, by how the sides of tiles meet: written down for each grid, and
 * not from the links of its spec.
 */
#ifndef SHARED_POINTS_H
#define SHARED_POINTS_H

#include "shared_grid.h"

enum { POINTS_COPIES = 128 }; /* and holders, at the most */

/* A point as one tile has it. */
typedef struct copy {
    int tile;
    int field;
    int at[HX_MAX_AXES];
    int sign; /* by which its values are multiplied for the one who asks */
} copy;

/* A block that has a copy. */
typedef struct holder {
    int copy; /* number */
    int block;
    int low; /* axes along which the point is on its low face */
} holder;

/* By tile and place, the first axis first; 0: they are the same. */
int points_compare(const grid *g, const copy *a, const copy *b);

/* All tiles' copies of a point, those of the lowest tile and place first; returns how many. */
int points_copies(const grid *g, const copy *point, copy found[]);

/* By rising copy and block; returns how many. */
int points_holders(const grid *g, const copy copies[], int count, holder found[]);

/*
 * Who decides.  Greater: who has it as a low face along most axes.  Owner, and of several of the former: the
 * lowest tile and place, and there the block behind the face.
 */
int points_feeder(const holder h[], int holders, hx_shared decides);

#endif
