/*
 * The contract between emitted code and libhx.
 *
 * Emitted code holds typed loops over points and constant tables that describe them, and makes no MPI call.
 * The runtime holds communicators, buffers and order, and has no loop over points: it calls the loops through
 * these tables.  Applications need nothing from this file, and frameworks that call exchanges by number find
 * what they need in hx/hx.h.  Those with fields in the memory of devices, or with windows, call hx_start_on,
 * hx_register and their like, which are as stable as the rest of this file (see HX_ABI).
 */
#ifndef HX_ABI_H
#define HX_ABI_H

#include <hx/hx.h>

#ifdef __cplusplus
extern "C" {
#define HX_STATIC_ASSERT(condition, text) static_assert(condition, text)
#else
#define HX_STATIC_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* Raised whenever the meaning or the layout of anything in this file changes. */
#define HX_ABI 23

/* Turns emitted code that is older or newer than the installed libhx into one readable compile error. */
#define HX_REQUIRE_ABI(n)                                                                                    \
    HX_STATIC_ASSERT((n) == HX_ABI,                                                                          \
                     "this file was emitted by a halogen of another version than the installed "             \
                     "libhx; generate it again with the halogen that came with libhx")

/* Entries of a table. */
#define HX_COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

/*
 * Emitted tables end with a mark: a row of which an int, or the first number of a direction, is HX_END, which
 * is nowhere else.  Beside a table stands how many rows it has, without the mark.
 */
enum { HX_END = -100 };
#define HX_ROWS(table) (HX_COUNT(table) - 1)

/* ---- kernels: loops over points -------------------------------------------------------------- */

/*
 * A box of points of one field of one block.  Where a field has components, those that lie side by side make
 * one point; of those that lie apart (see hx_field.components_after) a region holds one.  Axes are numbered
 * as in the grid, and belong to the *destination* of the data: where a link turns, the strides of its source
 * are permuted and negated, and nothing else changes.
 */
typedef struct hx_region {
    ptrdiff_t at; /* its first point, in points from the field's pointer */
    /* In points; any, also negative or 0, where a source is turned or mirrored. */
    ptrdiff_t stride[HX_MAX_AXES];
    ptrdiff_t n[HX_MAX_AXES]; /* points along each axis; 1 for axes that the grid does not have */
} hx_region;

/* A buffer holds the points of a region densely, in the memory order of the destination field. */
typedef void hx_pack_fn(const void *field, const hx_region *from, void *buffer);
typedef void hx_unpack_fn(void *field, const hx_region *to, const void *buffer);
typedef void hx_copy_fn(void *to_field, const hx_region *to, const void *from_field, const hx_region *from);
typedef void hx_zero_fn(void *field, const hx_region *to);

/*
 * Where source and destination lie turned to each other, or a wall mirrors: any strides at both ends, and a
 * sign (+1 or -1) for components of vectors.  The axes of the two regions are numbered in the order in which
 * they are walked, the innermost loop's first.  One of the ends may be a buffer.
 */
typedef void hx_copy_turned_fn(void *to_field, const hx_region *to, const void *from_field,
                               const hx_region *from, int sign);

/* The same for regions that are `points` deep along the first axis. */
typedef struct hx_turned {
    int points;
    hx_copy_turned_fn *copy;
} hx_turned;

/*
 * Both halos across the fastest axis together.  lo fills the halo on the low side, hi that on the high
 * side.  The two regions have the same n and strides but for n along the fastest axis, and lie in the same
 * rows.
 */
typedef void hx_pack_pair_fn(const void *field, const hx_region *lo, const hx_region *hi, void *lo_buffer,
                             void *hi_buffer);
typedef void hx_unpack_pair_fn(void *field, const hx_region *lo, const hx_region *hi, const void *lo_buffer,
                               const void *hi_buffer);
typedef void hx_copy_pair_fn(void *to_field, const hx_region *to_lo, const hx_region *to_hi,
                             const void *from_field, const hx_region *from_lo, const hx_region *from_hi);

/*
 * Kernels for regions that are `points` deep along the fastest axis; the depth is a literal in their loops.
 */
typedef struct hx_strip {
    int points;
    hx_pack_fn *pack;
    hx_unpack_fn *unpack;
    hx_copy_fn *copy;
} hx_strip;

typedef struct hx_pair {
    int lo, hi; /* depths */
    hx_pack_pair_fn *pack;
    hx_unpack_pair_fn *unpack;
    hx_copy_pair_fn *copy;
} hx_pair;

/* For exchanges that send ghost points back: what arrives is combined with the points of a region. */
typedef struct hx_accumulating {
    hx_unpack_fn *unpack;
    hx_copy_fn *copy;
    hx_copy_turned_fn *copy_turned; /* NULL: no link turns */
} hx_accumulating;

/* Some of the components that lie side by side in each point, by rising number. */
typedef struct hx_picks {
    int count;
    const int *component;
} hx_picks;

/* Kernels for them.  A buffer holds the picked components point by point. */
typedef void hx_pack_picked_fn(const void *field, const hx_region *from, const hx_picks *picks, void *buffer);
typedef void hx_unpack_picked_fn(void *field, const hx_region *to, const hx_picks *picks, const void *buffer);
typedef void hx_copy_picked_fn(void *to_field, const hx_region *to, const void *from_field,
                               const hx_region *from, const hx_picks *picks);
typedef void hx_zero_picked_fn(void *field, const hx_region *to, const hx_picks *picks);

typedef struct hx_picking {
    hx_pack_picked_fn *pack;
    hx_unpack_picked_fn *unpack; /* combines where ghost points are sent back, like copy */
    hx_copy_picked_fn *copy;
    hx_zero_picked_fn *zero; /* NULL: the exchange sets nothing to zero */
} hx_picking;

/*
 * What all blocks hold of points that they share.  Copies of the same index of the same tile are a group, one
 * for each block that holds it.  The mean of a group is that of two halves of it, and so on, down to an odd
 * number of copies, which are summed from the first to the last.  That of the points is the mean of those of
 * the groups, summed so, too.  Their sum is that of all copies, from the first to the last.
 */
typedef struct hx_holdings {
    int groups;
    int terms; /* in all groups: 2 or more, one of them what the region itself holds */
    /* Of each group: 1, 2, 4, 8 or 16; any number up to that beside blocks without an owner. */
    const int *copies;
    /* Group after group: buffers as pack fills them; NULL: what the region itself holds. */
    const void *const *term;
} hx_holdings;

enum { HX_MOST_COPIES = 16 };

/* Sets the points of a region to the mean, or to the sum. */
typedef void hx_combine_fn(void *field, const hx_region *to, const hx_holdings *all);

/*
 * Points of a list (see hx_spec.list), in an order that sender and receiver agree on: runs of indices that
 * follow each other.
 */
typedef struct hx_run {
    int first;
    int points;
} hx_run;

typedef struct hx_runs {
    const hx_run *run;
    int runs;
    int points; /* of all of them */
} hx_runs;

/*
 * Kernels for them.  A region says where index 0 lies, and strides; n along the other axes.  A buffer holds
 * the points in memory order, those of the list in its order.  The runs of the two lists of a copy have equal
 * numbers of points.
 */
typedef void hx_pack_listed_fn(const void *field, const hx_region *from, const hx_runs *runs, void *buffer);
typedef void hx_unpack_listed_fn(void *field, const hx_region *to, const hx_runs *runs, const void *buffer);
typedef void hx_copy_listed_fn(void *to_field, const hx_region *to, const hx_runs *to_runs,
                               const void *from_field, const hx_region *from, const hx_runs *from_runs);
typedef void hx_zero_listed_fn(void *field, const hx_region *to, const hx_runs *runs);

typedef struct hx_listing {
    hx_pack_listed_fn *pack;
    hx_unpack_listed_fn *unpack; /* combines where ghost points are sent back, like copy */
    hx_copy_listed_fn *copy;
    hx_zero_listed_fn *zero; /* NULL: the exchange sets nothing to zero */
} hx_listing;

/*
 * The halo of one field of one block, filled in one sweep from the blocks around it.  A pull is the source of
 * the points in one direction.  Only where links of the spec turn.
 */
typedef struct hx_shell {
    ptrdiff_t at; /* the first owned point */
    ptrdiff_t stride[HX_MAX_AXES];
    ptrdiff_t n[HX_MAX_AXES]; /* owned points; 1 for axes that the grid does not have */
    ptrdiff_t lo[HX_MAX_AXES];
    ptrdiff_t hi[HX_MAX_AXES];
} hx_shell;

typedef struct hx_pull {
    const void *from; /* the source of the first point in this direction; NULL: leave these points alone */
    ptrdiff_t stride
        [HX_MAX_AXES]; /* of the source, by the axes of this block: negative where it runs the other way */
    int sign;          /* -1: values change their sign */
} hx_pull;

/*
 * pull: one for each direction, 3 to the power of the grid's axes.  The number of a direction is made of one
 * digit an axis, 0 below, 1 within, 2 above, that of the fastest axis in memory the least significant.
 */
typedef void hx_sweep_fn(void *field, const hx_shell *shell, const hx_pull *pull);

/* What moves the points of one field of one exchange.  The runtime takes the most special kernel that fits a
 * region. */
typedef struct hx_kernels {
    /* Any region whose stride along the fastest axis is 1.  NULL: `picking` does what the exchange needs. */
    hx_pack_fn *pack;
    hx_unpack_fn *unpack;
    hx_copy_fn *copy;
    const hx_strip *strip;
    int strips;
    const hx_pair *pair;            /* NULL: none */
    hx_copy_turned_fn *copy_turned; /* NULL: no link turns, and no wall needs it */
    const hx_turned *turned;
    int turneds;
    hx_sweep_fn *sweep;                  /* for the widths along the fastest axis; NULL: none */
    const hx_accumulating *accumulating; /* NULL: the exchange copies */
    const hx_picking *picking;           /* NULL: what lies side by side travels together */
    hx_zero_fn *zero;                    /* NULL: the exchange sets nothing to zero */
    hx_combine_fn *combine;    /* NULL: the exchange takes neither means nor sums of shared points */
    const hx_listing *listing; /* of grids that are lists of points, in place of all others; else NULL */
    /* Of numbers that travel shorter than they are (hx_wire), which all these round; NULL: they are moved as
     * they are. */
    const struct hx_kernels *exact;   /* what moves them as they are: pack, copy, copy_turned and listing */
    hx_copy_turned_fn *pack_turned;   /* the destination is a message; NULL where copy_turned is */
    hx_copy_turned_fn *unpack_turned; /* the source is one; the sign is ignored, but where it adds */
} hx_kernels;

/* ---- geometry -------------------------------------------------------------------------------- */

/*
 * One axis of a source index:
 *   source[this] = sign * destination[axis] + offset
 *                  + destination_cells * (cells of the destination tile along `axis`)
 *                  + source_cells * (cells of the source tile along this axis)
 * Indices are those of points, counted in the tile.
 */
typedef struct hx_axis_map {
    signed char axis;
    signed char sign;
    signed char destination_cells;
    signed char source_cells;
    int offset;
} hx_axis_map;

/* Where the points come from that lie outside a tile in one direction. */
typedef struct hx_tile_link {
    int tile;                           /* destination */
    int source;                         /* tile */
    signed char direction[HX_MAX_AXES]; /* -1: below the tile, 0: within, +1: above */
    hx_axis_map map[HX_MAX_AXES];
    int component; /* of the vector that feeds the field; -1: the field itself */
    int sign;
} hx_tile_link;

/* Along an axis: (halves * cells of the tile + offset) / 2, rounded down. */
typedef struct hx_bound {
    signed char halves;
    int offset;
} hx_bound;

/*
 * Owned points of a tile that lie where others do, on a grid that is folded.  An exchange that reaches in the
 * direction of the link makes them equal to those that the link leads to, and nobody reads them.  Their indices
 * are lo <= index < hi, as far as the tile has points there.
 */
typedef struct hx_rewrite {
    hx_tile_link link;
    hx_bound lo[HX_MAX_AXES];
    hx_bound hi[HX_MAX_AXES];
} hx_rewrite;

/* Points that lie alike in their blocks: where a field's indices are, and what lies beyond the tiles. */
typedef struct hx_positions {
    int extra[HX_MAX_AXES]; /* points beyond the cells of a block: 1 where both faces are stored */
    const hx_tile_link *link;
    int links;
    /* The mirror image of index i is mirror - i at the low end of the grid, and mirror - i + 2 * cells at its
     * high end. */
    int mirror[HX_MAX_AXES];
    const hx_rewrite *rewrite;
    int rewrites;
    uint64_t sum; /* over all that, see hx_spec */
} hx_positions;

/* ---- the spec as tables ---------------------------------------------------------------------- */

typedef struct hx_field {
    const char *name;
    const char *type; /* as in C */
    int line;         /* of the spec */
    int size;         /* bytes of a point: of an element, or of all components that lie side by side */
    int alignment;
    int positions;            /* index into hx_spec.positions */
    int order[HX_MAX_AXES];   /* axes from fastest to slowest */
    int halo_lo[HX_MAX_AXES]; /* layers allocated */
    int halo_hi[HX_MAX_AXES];
    size_t pointer;    /* offset of the field's pointer in the spec's struct of fields */
    const int *vector; /* fields that are the components of its vector, one per axis, -1: none; or NULL */
    int components;    /* 0: the field has none */
    /* Axes that are faster in memory than the components: 0 where they lie side by side, in a point. */
    int components_after;
    int padding[HX_MAX_AXES]; /* points allocated beyond the halo on the high side, of dense strides */
    ptrdiff_t fixed_stride[HX_MAX_AXES]; /* in elements: those that emitted code has as literals; 0: any */
    int reverses[HX_MAX_AXES]; /* 1: values change their sign where space is mirrored along this axis */
    int on_device;             /* 1: in the memory of a device */
    int behind;   /* 1: ghost points lie behind the owned points, in a plane for each side: see hx_plane */
    uint64_t sum; /* over all that, see hx_spec */
} hx_field;

/*
 * How the numbers of a field travel: rounded to the nearest of a shorter format, of two as near to the even
 * one.  Beyond its greatest number they become infinite; NaNs stay NaNs.  Ghost points that this rank, or a
 * rank of its node, fills itself are rounded, too.  Integers stay what they are; in place of one that does not
 * fit travels the least of the format, which fits nowhere, and finish fails.
 */
typedef enum hx_wire {
    HX_WIRE_NOT,      /* as they are */
    HX_WIRE_FLOAT,    /* in 4 bytes */
    HX_WIRE_HALF,     /* binary16, in 2 bytes */
    HX_WIRE_BFLOAT16, /* the upper 2 bytes of a float */
    HX_WIRE_INT8,     /* integers */
    HX_WIRE_INT16,
    HX_WIRE_INT32
} hx_wire;

typedef struct hx_exchange_field {
    int field;
    int width_lo[HX_MAX_AXES]; /* layers filled */
    int width_hi[HX_MAX_AXES];
    const hx_kernels *kernels; /* NULL: of a field in the memory of a device */
    const hx_picks *picks; /* components that travel, for each direction of the exchange; NULL: all in all */
    hx_wire wire;
} hx_exchange_field;

typedef enum hx_operation {
    HX_COPY, /* ghost points become what feeds them */
    HX_ADD,  /* the transpose: ghost points are added to what would feed them; then see `keeps` */
    HX_MEAN, /* shared points become the mean of what the blocks hold that share them */
    HX_SUM,  /* the same with the sum, which is its own transpose */
    HX_MIN,  /* as HX_ADD, with the lesser of two numbers in place of their sum */
    HX_MAX   /* with the greater */
} hx_operation;

/* Does an exchange send ghost points back to their owners? */
#define HX_RETURNS(operation) ((operation) == HX_ADD || (operation) == HX_MIN || (operation) == HX_MAX)

/*
 * An exchange of shared points: not of ghost points, but of faces that several blocks own.  One of them feeds
 * the others; its direction says on which side of a block the points lie, and its widths are 0.
 */
typedef enum hx_shared {
    HX_SHARED_NOT,     /* ghost points */
    HX_SHARED_GREATER, /* the block of which they are low faces along most axes; of several, the owner */
    /* In the tile of lowest number, at the lowest index there, the block of highest number.  Points that are
     * rewritten (hx_rewrite) are neither, if others are not. */
    HX_SHARED_OWNER
} hx_shared;

/* Ghost points in the corners of tiles where no tile lies, filled from beside them, for one field. */
typedef struct hx_corner_links {
    const hx_tile_link *link; /* source and tile are the same */
    int links;
} hx_corner_links;

/* One way to fill them. */
typedef struct hx_corner_fill {
    const char *axis;             /* along which single fields are filled */
    const hx_corner_links *field; /* in the order of the exchange's fields */
    int fields;                   /* as many as those */
} hx_corner_fill;

/* What fills ghost points beyond a wall, after the exchange. */
typedef enum hx_fill {
    HX_FILL_NONE,
    HX_FILL_ZERO,
    HX_FILL_COPY,       /* the nearest owned point of the grid */
    HX_FILL_MIRROR,     /* the mirror image; a vector's component across the wall changes its sign */
    HX_FILL_ANTIMIRROR, /* the opposite of the mirror image */
    HX_FILL_HOOK        /* a function of the application's */
} hx_fill;

typedef struct hx_exchange {
    const char *name;
    int line;
    /* In the order in which they lie in a link: widest type first, then as in the spec. */
    const hx_exchange_field *field;
    int fields;
    const signed char (*direction)[HX_MAX_AXES]; /* that are claimed */
    int directions;
    hx_operation operation;
    int by_dimension;             /* 1: may also go axis by axis: copies, box, all components, no turn */
    hx_fill wall[HX_MAX_AXES][2]; /* by axis; low side, high side; NONE along periodic axes */
    int box; /* 1: the stencil is a box, so that what fills walls fills their edges and corners, too */
    hx_shared shared;
    const hx_corner_fill *corner_fill;
    int corner_fills;
    int keeps;    /* of one that sends ghost points back: 1: they stay as they are; 0: they are set to zero */
    uint64_t sum; /* over all that, see hx_spec */
} hx_exchange;

/* Layers of a halo, below and above. */
typedef struct hx_layers {
    int lo[HX_MAX_AXES];
    int hi[HX_MAX_AXES];
} hx_layers;

typedef struct hx_step {
    const char *name;
    int line;
    /* That it computes beyond the owned points; by cycles that follow before the next exchange. */
    const hx_layers *layers;
} hx_step;

/* What a program does again and again between exchanges. */
typedef struct hx_cycle {
    const char *name;
    int line;
    int exchange; /* that goes before it, when it must */
    int most;     /* cycles that one exchange can serve; rows of layers */
    const hx_step *step;
    int steps;
    /* That it reads as it begins: for each number of cycles that follow, those of each field of the exchange, in
     * its order there. */
    const hx_layers *needs;
    /* Other cycles, by number, whose fields its steps write or its exchange brings: what these take for valid may be
     * so no more. */
    const int *ends;
    int ended;
    uint64_t sum; /* over all that, see hx_spec */
} hx_cycle;

typedef struct hx_spec {
    int abi;
    const char *name;
    const char *file; /* of the spec, for messages */
    uint64_t hash;    /* of the model */
    int axes;
    const char *axis[HX_MAX_AXES]; /* names */
    int periodic[HX_MAX_AXES];
    int decomposed[HX_MAX_AXES]; /* 0: one part along this axis */
    int cells[HX_MAX_AXES];      /* fixed extents of a tile; 0: any */
    int tiles;
    const hx_positions *positions;
    int position_classes;
    const hx_field *field;
    int fields;
    const hx_exchange *exchange;
    int exchanges;
    size_t fields_size;  /* of the spec's struct of field pointers */
    size_t shape_size;   /* of the spec's struct of a block's shape, which starts with an hx_part */
    size_t shape_stride; /* offset in it of ptrdiff_t stride[fields][axes], in elements */
    /* Offset in it of ptrdiff_t apart[fields], from one component to the next; 0: none lie apart. */
    size_t shape_apart;
    const struct hx_cuda_kernels *cuda; /* hx/cuda.h; NULL: no field lies in the memory of a device */
    /* 1: points along axis 0 have no neighbors but those that lists given to create name, and there is one axis
     * more at most. */
    int list;
    int first_fastest; /* 1: partitions have hx_partition.first_fastest */
    const hx_cycle *cycle;
    int cycles;
    double face_bytes[HX_MAX_AXES]; /* likewise */
    /*
     * Over the numbers above; those of positions, fields and exchanges have sums of their own, which include
     * what they point to.  The generator makes them of its plan, and create compares them once a process with
     * what it finds.  0: nobody emitted these tables; they have neither sums nor marks at their ends.
     */
    uint64_t sum;
    uint64_t cuda_sum; /* over the numbers of the tables of `cuda`, which lie in another file */
    /* For each field what moves any box of its points, for redistribution; NULL: it is in the memory of a device.
     * NULL in place of the table: a list of points, or nobody emitted these tables. */
    const hx_kernels *const *any;
} hx_spec;

/* ---- what emitted functions call ------------------------------------------------------------- */

/*
 * Fills stride[fields][axes], in elements, for arrays with no other padding than the spec's, and
 * apart[fields] (NULL where the shape has none).
 */
void hx_dense_strides(const hx_spec *spec, const hx_part *part, ptrdiff_t *stride, ptrdiff_t *apart);

/*
 * The same, but strides and apart that are a multiple of 512 bytes, and not fixed by the spec, are a cache
 * line larger: see NAME_shape_best in hx/hx.h.
 */
void hx_best_strides(const hx_spec *spec, const hx_part *part, ptrdiff_t *stride, ptrdiff_t *apart);

/* What hx_blocks are to grids, for a list of points. */
typedef struct hx_listed {
    MPI_Comm comm;
    const hx_index_list *list;
} hx_listed;

/*
 * hx_create and hx_create_listed for a caller that was compiled for a model, which is compared with that of
 * the spec: its hash, 16 hexadecimal digits, and HX_ABI behind a low line.  Emitted headers have it.  Where
 * they differ, on any rank, create fails with HX_ERR_MISMATCH, and tells both.
 */
hx_status hx_create_for(const char *model, const hx_spec *spec, const hx_blocks *blocks, const void *shapes,
                        const hx_options *options, hx_handle **out);
hx_status hx_create_listed_for(const char *model, const hx_spec *spec, const hx_listed *listed,
                               const void *shape, const hx_options *options, hx_handle **out);
/* Collective.  Arrays in a window: see NAME_register in emitted headers. */
hx_status hx_register(hx_handle *handle, hx_window *window);
hx_status hx_unregister(hx_handle *handle, hx_window *window);

/*
 * Start and finish of exchanges with fields in the memory of a device, which is the current one of the thread
 * as it was for hx_create.  Start packs when the stream has come to here, and returns at once.  What the
 * stream is given after finish runs when all ghost points are there.  Finish does not wait for these, but for
 * the messages it does.  A stream that is being captured gets the whole exchange, without the host.
 */
hx_status hx_start_on(hx_handle *handle, int exchange, const void *fields, hx_stream stream);
hx_status hx_finish_on(hx_handle *handle, int exchange, hx_stream stream);

/*
 * Start and finish in halves, for graphs:
 *
 * - pack and unpack only launch kernels, in the stream itself, so that it may be being captured.
 * - send: the messages go when the stream has come to here.
 * - receive returns when all messages are there, and those that were sent have left.
 *
 * Send packs fields of the host, and receive unpacks them, in the arrays that pack or unpack were given last.
 * Whatever packs has to come after what unpacked the exchange before, in the same stream or because the
 * application has it wait.
 */
hx_status hx_pack_on(hx_handle *handle, int exchange, const void *fields, hx_stream stream);
hx_status hx_send_on(hx_handle *handle, int exchange, hx_stream stream);
hx_status hx_receive(hx_handle *handle, int exchange);
hx_status hx_unpack_on(hx_handle *handle, int exchange, const void *fields, hx_stream stream);

/*
 * Local: fills corners of tiles by one of the exchange's fills, which is not under way; fields: as for start.
 */
hx_status hx_fill_corners(hx_handle *handle, int exchange, int fill, const void *fields);

/* The same where fields lie in the memory of a device: launches kernels in the stream, and nothing else, so
 * that it may be being captured. */
hx_status hx_fill_corners_on(hx_handle *handle, int exchange, int fill, const void *fields, hx_stream stream);

/* See "Cycles" in hx/hx.h.  stream: of an exchange with fields in the memory of a device, else NULL. */
hx_status hx_cycle_start(hx_handle *handle, int cycle, const void *fields, hx_stream stream);
hx_status hx_cycle_finish(hx_handle *handle, int cycle, hx_stream stream);
hx_status hx_cycle_restart(hx_handle *handle, int cycle);

/* What a step computes in the cycle that goes on.  No boxes: none does, or there is no such step, block or field. */
hx_boxes hx_cycle_points(const hx_handle *handle, int cycle, int step, int block, int field);

/* The function that fills what HX_FILL_HOOK names, in all exchanges, for fields of the host and for those in
 * the memory of a device; NULL takes it away. */
hx_status hx_set_boundary(hx_handle *handle, hx_wall_fn *fill, void *context);
hx_status hx_set_boundary_on(hx_handle *handle, hx_wall_on_fn *fill, void *context);

/*
 * Kernels that move integers (hx_wire) call it for an element of an array that does not fit what it travels as, and
 * for one that got the mark of such a number.  Any thread.
 */
void hx_does_not_fit(const void *number);

/*
 * What is really used, in words; owned by the handle, valid until the next call of this function, of the next
 * one, or of destroy.
 */
const char *hx_describe(hx_handle *handle);

/* The same as JSON, for tools; NULL: that failed, and hx_last_error says why.  Valid as long as that text. */
const char *hx_describe_json(hx_handle *handle);
hx_status hx_traffic_of(const hx_handle *handle, int exchange, hx_traffic *traffic);

/* The messages that the application moves.  buffer: NULL, or room for *count of them, which is set. */
hx_status hx_message_buffers(const hx_handle *handle, int exchange, hx_message_buffer *buffer, int *count);

/* One link of one field of this rank, after cutting: for tests and tools. */
typedef struct hx_link {
    int exchange, field; /* destination field */
    int incoming; /* 1: this rank is the destination; 0: the source.  Links of a rank to itself: once, as 1 */
    int peer;     /* the other rank */
    int tile, block; /* destination */
    int source_tile, source_block, source_field;
    int direction[HX_MAX_AXES]; /* of the ghost box, seen from the destination block */
    int lo[HX_MAX_AXES];        /* destination box, lo <= index < hi, counted in the block */
    int hi[HX_MAX_AXES];
    int source_first[HX_MAX_AXES]; /* index in the source block that feeds lo */
    int axis[HX_MAX_AXES]; /* per axis of the source: the axis of the destination that it follows ... */
    int turn[HX_MAX_AXES]; /* ... and in which sense, +1 or -1 */
    int sign;
    size_t offset;  /* bytes from the start of the message; 0 for links of a rank to itself */
    int phase;      /* 0, or in which of the phases of a schedule by dimension it travels */
    int components; /* that travel; 1 for a field without */
} hx_link;

/* The links of an exchange in message order.  Number of links of this rank in *count; link: NULL, or room for
 * that many. */
hx_status hx_links(const hx_handle *handle, int exchange, hx_link *link, int *count);

#ifdef __cplusplus
}
#endif
#endif
