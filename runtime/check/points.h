/*
 * Points of blocks, and which of them an exchange claims.
 */
#ifndef HX_CHECK_POINTS_H
#define HX_CHECK_POINTS_H

#include "check/run.h"

/* A point of a field of a block: owned ones count from 0.  See hxi_check_spot_at. */
typedef struct check_spot {
    const hx_part *part;
    int field;
    int point[HX_MAX_AXES];
    int side[HX_MAX_AXES]; /* of the owned points: -1, 0 or +1 */
    int sides;             /* along how many axes it lies beside them; 0 for those */
} check_spot;

/* What an exchange does with a field; all NULL: nothing, as before it. */
typedef struct check_step {
    const hx_exchange *exchange;
    const hx_check_exchange *says;
    const hx_exchange_field *item; /* NULL: it does not name the field */
} check_step;

check_step hxi_check_step_of(const check_run *r, int exchange, int field);

/* Components of a field; 1 for those without. */
static inline int hxi_check_components(const check_run *r, int field)
{
    const int components = r->spec->field[field].components;
    return components > 0 ? components : 1;
}

/* 1 where a field has a point on every face of the cells along an axis. */
static inline int hxi_check_faces(const check_run *r, int field, int axis)
{
    return r->program->field[field].at[axis] == HX_CHECK_BOTH;
}

/* Points that a block owns along an axis, and that a tile has. */
static inline int hxi_check_owned(const check_run *r, const hx_part *part, int field, int axis)
{
    return part->n[axis] + hxi_check_faces(r, field, axis);
}

static inline int hxi_check_points(const check_run *r, int tile, int field, int axis)
{
    return r->grid[tile].cells[axis] + hxi_check_faces(r, field, axis);
}

/* Twice the position of a field's index 0 along an axis, in cells. */
int hxi_check_first(const check_run *r, int field, int axis);

check_spot hxi_check_spot_at(const check_run *r, const hx_part *part, int field, const int point[]);

/* All allocated points of a field, one after the other; false behind the last. */
check_spot hxi_check_first_spot(const check_run *r, const hx_part *part, int field);
bool hxi_check_next_spot(const check_run *r, check_spot *spot);

/* Is a ghost point within the layers that an exchange fills? */
bool hxi_check_within_width(const check_run *r, const check_step *step, const check_spot *spot);

/* Where one of a list of directions leads along an axis: -1, 0 or 1.  See hx/check.h. */
static inline int hxi_check_leads(const char *directions, int axes, int number, int axis)
{
    const char sign = directions[number * (axes + 1) + axis];
    return (sign == '+') - (sign == '-');
}

/* Directions of a list. */
int hxi_check_directions(const char *directions, int axes);

/* Does a stencil have the part of the halo that lies in a direction? */
bool hxi_check_in_stencil(const hx_check_exchange *says, int axes, const int direction[]);

/* Is a ghost point one that an exchange fills, if it has an owner? */
bool hxi_check_claims(const check_run *r, const check_step *step, const check_spot *spot);

/* Does a component come from where a point lies: does it move into the block along every axis that the point
 * is beside? */
bool hxi_check_comes_from(const check_run *r, const check_spot *spot, int component);

/* Where a point's value lies among those of the field's array, and in it. */
ptrdiff_t hxi_check_index(const check_run *r, const check_block *b, const check_spot *spot, int component);
void *hxi_check_element(const check_run *r, const check_block *b, const check_spot *spot, int component);

#endif
