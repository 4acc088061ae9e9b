/*
 * Selections: points of a field of a tile, some steps apart along each axis, that a rank has in an array of its own.
 * They stand in for the blocks of one side of a redistribution.
 */
#ifndef HX_SELECTION_H
#define HX_SELECTION_H

#include "grid/box.h"
#include "grid/layout.h"

#include <hx/hx.h>

struct hxi_redistribution;
struct hxi_redistribution_task;

typedef struct hxi_selection {
    int rank; /* whose array it is */
    int field;
    int tile;
    int first[HX_MAX_AXES]; /* 0 along axes that the grid does not have, ... */
    int n[HX_MAX_AXES];     /* ... and 1 */
    int step[HX_MAX_AXES];
    const hx_strided_array *array; /* NULL: another rank's */
} hxi_selection;

static inline bool hxi_selection_is_empty(const hxi_selection *s)
{
    return s->n[0] == 0 || s->n[1] == 0 || s->n[2] == 0 || s->n[3] == 0;
}

/* Some of its points, counted in the selection. */
typedef struct hxi_selected_box {
    int selection;
    hxi_box box;
} hxi_selected_box;

/* What moves at once: the same on all ranks. */
typedef struct hxi_selected {
    bool scatters;                  /* from the arrays to blocks */
    const hxi_selection *selection; /* of all ranks */
    const hxi_selected_box *box;
    int boxes;
    const hxi_layout *tiles; /* the grid in blocks that are whole tiles */
} hxi_selected;

/*
 * An array that takes part on this rank: of a block, or of a selection.  Where points of a block are some steps apart,
 * it lies as if it had these points alone.
 */
typedef struct hxi_view {
    int block;     /* number among mine; -1: of a selection, ... */
    int selection; /* ... the one of this number */
    int field;
    /* From the begin of the block's array, or of the selection's, to where this one begins. */
    ptrdiff_t bytes_on;
    ptrdiff_t stride[HX_MAX_AXES]; /* in points */
    ptrdiff_t apart;
} hxi_view;

/* Local: the segments, and in r->view and r->blocks the arrays they are of. */
hx_status hxi_selections_find(const struct hxi_redistribution_task *task, struct hxi_redistribution *r);

/*
 * Local: does each point of a selection come from one of these fields, or feed only points of them?  At a fold a
 * component of a vector may come from another one.  moves: by field of the spec.
 */
hx_status hxi_selection_check(const hx_spec *spec, const hxi_layout *tiles, const hxi_selection *s,
                              const unsigned char *moves);

#endif
