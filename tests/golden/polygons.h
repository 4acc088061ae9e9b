/*
 * polygons: halo exchanges for the fields of polygons.lua.
 * Emitted by halogen 0.1.0 from polygons.lua, model fa5778b295f06545.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  It is for C99, C++11 and later; polygons.c is C11.
 * <hx/hx.h> says what all such headers have in common: "what the header of a spec declares".
 *
 * Grid
 *     Index list: each rank has any number of points along cell.  Create is given lists that say who feeds whom.
 *     Each point travels with its 6 points along level.
 *
 * Fields; memory: axes from the fastest to the slowest, and where among them the [components] lie
 *     name  type    memory          points along cell, level
 *     t     double  level cell      center, center
 *     qv    double  level cell      center, center
 *     w     float   level cell      center, both
 *     land  int     [2] level cell  center, center
 *     (t, qv, w: in the memory of a device)
 *     (t, qv: fixed strides, 6 elements along cell)
 *     (w: fixed strides, 7 elements along cell)
 *     (land: fixed strides, 12 elements along cell)
 *     (both: one point more along level than others have)
 *
 * Exchanges
 *     state   t, qv, w, land
 *     fluxes  adds; land, qv, w
 *     host    land
 *
 * Bytes that travel with each point
 *     state   24 * 6 + 4 * (6 + 1)
 *     fluxes  16 * 6 + 4 * (6 + 1)
 *     host    8 * 6
 *
 * How to use it; compare each status with HX_OK, and show hx_last_error() where it differs
 *     hx_part mine = polygons_part(n_cell);
 *     polygons_shape shape = polygons_shape_dense(&mine);
 *     hx_ids ids = {.points = mine.n[0], .id = id, .owned = m};   the first m are mine; id: numbers of the whole grid
 *     hx_index_list *list;
 *     hx_index_list_of_ids(MPI_COMM_WORLD, &ids, &list);          or lists of your own, see hx/hx.h
 *     polygons *halo; polygons_create(MPI_COMM_WORLD, &shape, list, NULL, &halo);
 *     hx_index_list_free(list);
 *     polygons_fields f; polygons_alloc(halo, &f);
 *         or your own: f.t of cudaMalloc, polygons_points(&shape, POLYGONS_T) * sizeof *f.t bytes
 *     in each time step:
 *         polygons_state_start(halo, &f, stream);     kernels in the stream that read no point that is received and write none that is sent
 *         polygons_state_finish(halo, stream);        the rest of the work
 *     polygons_destroy(halo);
 */
#ifndef HALOGEN_POLYGONS_H
#define HALOGEN_POLYGONS_H

#include <hx/files.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { POLYGONS_AXIS_CELL, POLYGONS_AXIS_LEVEL, POLYGONS_AXES };
enum { POLYGONS_T, POLYGONS_QV, POLYGONS_W, POLYGONS_LAND, POLYGONS_FIELDS };
enum { POLYGONS_STATE, POLYGONS_FLUXES, POLYGONS_HOST, POLYGONS_EXCHANGES };

/* Where points lie: point (cell, level) of field t is t[polygons_t_at(&shape, cell, level)]. */
typedef struct polygons_shape {
    hx_part part;
    ptrdiff_t stride[POLYGONS_FIELDS][2]; /* elements from point to point along cell, level */
} polygons_shape;

/* The arrays of a rank; those of fields on a device lie there, where the host cannot reach them. */
typedef struct polygons_fields {
    double *t;
    double *qv;
    float *w;
    int *land;
} polygons_fields;
typedef struct polygons polygons; /* all exchanges of one set of lists */

/* Functions that all specs have, such as polygons_alloc: see "what these headers declare alike" in <hx/hx.h>. */
HX_DECLARE_SPEC(polygons);

/* The points of a rank: all those that its arrays have, owned ones and those of its halo; 0 or more. */
static inline hx_part polygons_part(int n_cell)
{
    hx_part part = {{0, {0}, {0}, 0, {NULL}, {0}, {0.0}}, 0, {0}, {0}, {n_cell, 6}};
    return part;
}

static inline HX_HOST_DEVICE ptrdiff_t polygons_t_at(const polygons_shape *s, int cell, int level)
{
    (void)s; /* all strides are fixed */
    HX_CHECK_INDEX(0, cell, s->part.n[POLYGONS_AXIS_CELL]);
    HX_CHECK_INDEX(0, level, s->part.n[POLYGONS_AXIS_LEVEL]);
    return level + cell * (ptrdiff_t)6;
}

static inline HX_HOST_DEVICE ptrdiff_t polygons_qv_at(const polygons_shape *s, int cell, int level)
{
    (void)s; /* all strides are fixed */
    HX_CHECK_INDEX(0, cell, s->part.n[POLYGONS_AXIS_CELL]);
    HX_CHECK_INDEX(0, level, s->part.n[POLYGONS_AXIS_LEVEL]);
    return level + cell * (ptrdiff_t)6;
}

static inline HX_HOST_DEVICE ptrdiff_t polygons_w_at(const polygons_shape *s, int cell, int level)
{
    (void)s; /* all strides are fixed */
    HX_CHECK_INDEX(0, cell, s->part.n[POLYGONS_AXIS_CELL]);
    HX_CHECK_INDEX(0, level, s->part.n[POLYGONS_AXIS_LEVEL] + 1);
    return level + cell * (ptrdiff_t)7;
}

static inline HX_HOST_DEVICE ptrdiff_t polygons_land_at(const polygons_shape *s, int cell, int level, int c)
{
    (void)s; /* all strides are fixed */
    HX_CHECK_INDEX(0, cell, s->part.n[POLYGONS_AXIS_CELL]);
    HX_CHECK_INDEX(0, level, s->part.n[POLYGONS_AXIS_LEVEL]);
    HX_CHECK_INDEX(0, c, 2);
    return level * (ptrdiff_t)2 + cell * (ptrdiff_t)12 + c;
}

#define POLYGONS_ASKS_FOR_MODEL "fa5778b295f06545_23"
hx_status polygons_create_for(const char *model, MPI_Comm comm, const polygons_shape *shape, const hx_index_list *list,
                              const hx_options *options, polygons **h);
static inline hx_status polygons_create(MPI_Comm comm, const polygons_shape *shape, const hx_index_list *list,
                                        const hx_options *options, polygons **h)
{
    return polygons_create_for(POLYGONS_ASKS_FOR_MODEL, comm, shape, list, options, h);
}

hx_status polygons_memory_type(const polygons *h, int field, const hx_ids *ids,
                               const polygons_fields *f, MPI_Datatype *type);
hx_status polygons_file_type(const polygons *h, int field, const hx_ids *ids, int64_t points,
                             MPI_Datatype *type);

/*
 * state, line 8 of the spec.
 *     t, qv, w, land
 *     The points that are received become those that their peers send; all others stay as they are.
 *     In the memory of the device: t, qv, w; in that of the host: land.
 */
hx_status polygons_state_start(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_state_test(polygons *h, int *done);
hx_status polygons_state_finish(polygons *h, hx_stream stream);
hx_status polygons_state(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_state_pack(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_state_send(polygons *h, hx_stream stream);
hx_status polygons_state_receive(polygons *h);
hx_status polygons_state_unpack(polygons *h, const polygons_fields *f, hx_stream stream);

/*
 * fluxes, line 9 of the spec.
 *     land, qv, w
 *     Goes the other way: adds the points of the receive lists to those of their peers' send lists, and zeroes them.
 *     Sums are made in the order of ranks, then of lists, whatever the transport.  Between start and finish leave alone
 *     the points of the send lists, too: finish changes them.
 *     In the memory of the device: qv, w; in that of the host: land.
 */
hx_status polygons_fluxes_start(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_fluxes_test(polygons *h, int *done);
hx_status polygons_fluxes_finish(polygons *h, hx_stream stream);
hx_status polygons_fluxes(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_fluxes_pack(polygons *h, const polygons_fields *f, hx_stream stream);
hx_status polygons_fluxes_send(polygons *h, hx_stream stream);
hx_status polygons_fluxes_receive(polygons *h);
hx_status polygons_fluxes_unpack(polygons *h, const polygons_fields *f, hx_stream stream);

/*
 * host, line 10 of the spec.
 *     land
 *     The points that are received become those that their peers send; all others stay as they are.
 */
hx_status polygons_host_start(polygons *h, const polygons_fields *f);
hx_status polygons_host_test(polygons *h, int *done);
hx_status polygons_host_finish(polygons *h);
hx_status polygons_host(polygons *h, const polygons_fields *f);

/* The tables behind these functions, and the model that polygons.c must have been made of; see <hx/hx.h>. */
extern const struct hx_spec polygons_spec;
HX_LINKS_WITH(polygons_asks_for_model, polygons_model_fa5778b295f06545_23);

#ifdef __cplusplus
}
#endif
#endif
