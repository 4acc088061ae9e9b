/*
 * line: halo exchanges for the fields of line.lua.
 * Emitted by halogen 0.1.0 from line.lua, model 719f80df3c395d3b.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  It is for C99, C++11 and later; line.c is C11.
 * <hx/hx.h> says what all such headers have in common: "what the header of a spec declares".
 *
 * Grid: Cartesian, axis x; periodic along x.  Any number of cells.  Decomposed along any axis.
 *
 * Fields; memory: axes from the fastest to the slowest
 *     name  type           memory  halo along x (low:high)
 *     q     long double    x       6:0
 *     mark  unsigned char  x       1
 *
 * Exchange all: q, mark; faces across x
 *
 * Bytes that a block with neighbors on all sides receives, its own included
 *     all    16 * 6
 *          + 1 * 2
 *
 * Ghost points that an exchange leaves as they are: those of fields that it does not name.
 *
 * How to use it; compare each status with HX_OK, and show hx_last_error() where it differs
 *     hx_partition grid = line_partition(nx);
 *     hx_part mine; hx_decompose(MPI_COMM_WORLD, &grid, &mine);
 *     line_shape shape = line_shape_best(&mine);
 *     line *halo; line_create(MPI_COMM_WORLD, &shape, NULL, &halo);
 *     line_fields f; line_alloc(halo, &f);
 *         or your own: f.q = calloc(line_points(&shape, LINE_Q), sizeof *f.q);
 *     in each time step:
 *         line_all_start(halo, &f);     work that reads no ghost point and writes none near a side
 *         line_all_finish(halo);        the rest of the work
 *     line_destroy(halo);
 */
#ifndef HALOGEN_LINE_H
#define HALOGEN_LINE_H

#include <hx/files.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LINE_AXIS_X, LINE_AXES };
enum { LINE_Q, LINE_MARK, LINE_FIELDS };
enum { LINE_ALL, LINE_EXCHANGES };

/* Where points lie: owned point (x) of field q is q[line_q_at(&shape, x)]. */
typedef struct line_shape {
    hx_part part;
    ptrdiff_t stride[LINE_FIELDS][1]; /* elements from point to point along x */
} line_shape;

/* The arrays of a block. */
typedef struct line_fields {
    long double *q;
    unsigned char *mark;
} line_fields;
typedef struct line line; /* all exchanges of one set of blocks */

/* Functions that all specs have, such as line_alloc: see "what these headers declare alike" in <hx/hx.h>. */
HX_DECLARE_SPEC(line);
HX_DECLARE_GRID(line);

/* The grid; hx_decompose chooses the ranks that are 0.  The last numbers are bytes that cross a cell face. */
static inline hx_partition line_partition(int nx)
{
    hx_partition partition = {1, {nx}, {0}, 0, {NULL}, {1}, {98.0}};
    return partition;
}

/* For a loop while messages travel, and for one behind finish; see NAME_X_interior in <hx/hx.h>. */
hx_boxes line_all_interior(const line_shape *shape, int field);
hx_boxes line_all_rim(const line_shape *shape, int field);

static inline ptrdiff_t line_q_at(const line_shape *s, int x)
{
    (void)s; /* rows of one axis have no stride */
    HX_CHECK_INDEX(-6, x, s->part.n[LINE_AXIS_X]);
    return x + 6;
}

static inline ptrdiff_t line_mark_at(const line_shape *s, int x)
{
    (void)s; /* rows of one axis have no stride */
    HX_CHECK_INDEX(-1, x, s->part.n[LINE_AXIS_X] + 1);
    return x + 1;
}

/* Point number n of the boxes, for kernels; 0 behind the last. */
static inline int line_point(const hx_boxes *b, size_t n, int *x)
{
    const hx_box *m = hx_find_box(b, &n);
    if (!m) {
        return 0;
    }
    *x = m->lo[LINE_AXIS_X] + (int)n;
    return 1;
}

#define LINE_ASKS_FOR_MODEL "719f80df3c395d3b_23"
hx_status line_create_for(const char *model, MPI_Comm comm, const line_shape *shape, const hx_options *options,
                          line **h);
hx_status line_create_blocks_for(const char *model, const hx_blocks *blocks, const line_shape *shapes,
                                 const hx_options *options, line **h);
static inline hx_status line_create(MPI_Comm comm, const line_shape *shape, const hx_options *options, line **h)
{
    return line_create_for(LINE_ASKS_FOR_MODEL, comm, shape, options, h);
}

static inline hx_status line_create_blocks(const hx_blocks *blocks, const line_shape *shapes,
                                           const hx_options *options, line **h)
{
    return line_create_blocks_for(LINE_ASKS_FOR_MODEL, blocks, shapes, options, h);
}

hx_status line_redistribute(line *from, const line_fields *source, line *to, const line_fields *target);

/*
 * all, line 6 of the spec.
 *     q: 6:0 layers along x
 *     mark: 1 layer along x
 *     faces across x.
 */
hx_status line_all_start(line *h, const line_fields *f);
hx_status line_all_test(line *h, int *done);
hx_status line_all_finish(line *h);
hx_status line_all(line *h, const line_fields *f);

/* The tables behind these functions, and the model that line.c must have been made of; see <hx/hx.h>. */
extern const struct hx_spec line_spec;
HX_LINKS_WITH(line_asks_for_model, line_model_719f80df3c395d3b_23);

#ifdef __cplusplus
}
#endif
#endif
