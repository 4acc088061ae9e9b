/*
 * Glue that all Fortran modules of halogen share: from descriptors of Fortran to arrays of C, and back.
 *
 * Compiled by your build, beside hx_module.f90, with the ISO_Fortran_binding.h of your Fortran compiler.
 */
#include <hx/fortran.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = HX_MAX_AXES + 1, TEXT = 256, SENTENCE = 1024 };

/* Of hx_module.f90. */
void hx_f_stop(void);

/* What a dimension of an array has to be. */
typedef struct dimension {
    CFI_index_t extent; /* at least */
    CFI_index_t step;   /* bytes from an element to the next */
    CFI_index_t lower;  /* the index of the first element */
    int axis;           /* of the grid; -1: components */
} dimension;

/* What the array of a field of a block has to be. */
typedef struct place {
    int rank;
    size_t bytes; /* of an element */
    dimension dim[DIMENSIONS];
} place;

struct hx_f_halo {
    const hx_f_spec *spec;
    hx_handle *handle;
    int rank; /* in the communicator of create */
    int blocks, fields, exchanges;
    hx_part *part; /* of each block */
    place *place;  /* of each field of each block */
    void **arrays; /* likewise: what start is given */
    void ***given; /* of each exchange that was started: the arrays of its fields, block after block */
    bool *started; /* and not finished */
};

/* ---- statuses ---- */

void hx_f_answer(hx_status status, int *ierr)
{
    if (ierr) {
        *ierr = status;
    } else if (status != HX_OK) {
        hx_f_stop();
    }
}

static hx_status refuse(hx_status status, const char *format, ...)
{
    char sentence[SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return hx_refuse(status, sentence);
}

static hx_status no_memory(const char *call)
{
    return refuse(HX_ERR_MEMORY, "%s: no memory is left", call);
}

/* Another compiler's descriptors have the version at the same place, and other things elsewhere. */
static hx_status other_compiler(const char *glue, int version)
{
    return refuse(
        HX_ERR_ARGUMENT,
        "%s_fortran.c was compiled with an ISO_Fortran_binding.h of version %d, the program with %d; add the "
        "-I of your Fortran compiler",
        glue, CFI_VERSION, version);
}

/* ---- communicators ---- */

/* MPI has them as integers, or as a struct with one. */
static hx_status find_comm(const char *call, const char *glue, const CFI_cdesc_t *given, MPI_Comm *comm)
{
    if (given->version != CFI_VERSION) {
        return other_compiler(glue, given->version);
    }
    const bool kind =
        given->type == CFI_type_int || given->type == CFI_type_int32_t || given->type == CFI_type_struct;
    if (given->rank != 0 || given->elem_len != sizeof(MPI_Fint) || !kind) {
        const bool wide = given->rank == 0 && given->elem_len == 2 * sizeof(MPI_Fint);
        return refuse(HX_ERR_ARGUMENT,
                      "%s: comm must be an integer of MPI's kind or a type(MPI_Comm); this has %zu bytes%s%s",
                      call, given->elem_len, given->rank > 0 ? " and is an array" : "",
                      wide ? "; is -fdefault-integer-8 set?" : "");
    }
    *comm = MPI_Comm_f2c(*(const MPI_Fint *)given->base_addr);
    return HX_OK;
}

/* ---- create and destroy ---- */

/* What a field of one block must look like in Fortran: dimensions from the fastest to the slowest. */
static void place_field(const hx_field_facts *field, const hx_part *part, const ptrdiff_t *stride,
                        ptrdiff_t apart, int axes, place *out)
{
    *out = (place){.rank = axes + (field->components > 1), .bytes = field->bytes};
    for (int d = 0, position = 0; d < out->rank; ++d) {
        if (field->components > 1 && d == field->place) {
            const ptrdiff_t step = field->place > 0 ? apart : 1;
            out->dim[d] = (dimension){field->components, step * (ptrdiff_t)field->bytes, 1, -1};
            continue;
        }
        const int a = field->order[position++];
        const CFI_index_t more = field->at[a] == HX_AT_BOTH;
        out->dim[d] = (dimension){part->n[a] + more + field->halo_lo[a] + field->halo_hi[a],
                                  stride[a] * (ptrdiff_t)field->bytes, 1 - field->halo_lo[a], a};
    }
}

static hx_status place_fields(struct hx_f_halo *halo, const hx_spec_facts *facts, const char *shapes)
{
    for (int b = 0; b < halo->blocks; ++b) {
        const char *shape = shapes + (size_t)b * facts->shape_size;
        memcpy(&halo->part[b], shape, sizeof(hx_part));
        const ptrdiff_t *stride = (const ptrdiff_t *)(const void *)(shape + sizeof(hx_part));
        const ptrdiff_t *apart = stride + (ptrdiff_t)facts->fields * facts->axes;
        for (int f = 0; f < facts->fields; ++f) {
            hx_field_facts field;
            const hx_status status = hx_field_query(halo->spec->tables, f, &field);
            if (status != HX_OK) {
                return status;
            }
            place_field(&field, &halo->part[b], stride + (ptrdiff_t)f * facts->axes,
                        field.place > 0 ? apart[f] : 0, facts->axes, &halo->place[b * facts->fields + f]);
        }
    }
    return HX_OK;
}

static void free_halo(struct hx_f_halo *halo)
{
    for (int e = 0; halo->given && e < halo->exchanges; ++e) {
        free(halo->given[e]);
    }
    free(halo->part);
    free(halo->place);
    free(halo->arrays);
    free(halo->given);
    free(halo->started);
    free(halo);
}

static struct hx_f_halo *make_halo(const hx_f_spec *spec, const hx_spec_facts *facts, int blocks)
{
    struct hx_f_halo *halo = calloc(1, sizeof *halo);
    if (!halo) {
        return NULL;
    }
    const size_t some = blocks > 0 ? (size_t)blocks : 1, fields = (size_t)facts->fields * some;
    *halo = (struct hx_f_halo){
        .spec = spec, .blocks = blocks, .fields = facts->fields, .exchanges = facts->exchanges};
    halo->part = calloc(some, sizeof *halo->part);
    halo->place = calloc(fields, sizeof *halo->place);
    halo->arrays = calloc(fields, sizeof *halo->arrays);
    halo->given = calloc((size_t)facts->exchanges, sizeof *halo->given);
    halo->started = calloc((size_t)facts->exchanges, sizeof *halo->started);
    if (!halo->part || !halo->place || !halo->arrays || !halo->given || !halo->started) {
        free_halo(halo);
        return NULL;
    }
    return halo;
}

hx_status hx_f_create(const hx_f_spec *spec, const CFI_cdesc_t *given, const void *shape, hx_f_handle *handle)
{
    char call[TEXT];
    snprintf(call, sizeof call, "%s_create", spec->name);
    MPI_Comm comm = MPI_COMM_NULL;
    hx_spec_facts facts;
    hx_status status = find_comm(call, spec->name, given, &comm);
    if (status != HX_OK || (status = hx_spec_query(spec->tables, &facts)) != HX_OK) {
        return status;
    }
    const hx_blocks blocks = {
        .comm = comm, .tiles = 1, .partition = &((const hx_part *)shape)->partition, .count = 1};
    struct hx_f_halo *halo = handle->halo ? NULL : make_halo(spec, &facts, 1);
    /* Without a place for the handle this fails on all ranks. */
    status = hx_create_for(spec->model, spec->tables, &blocks, shape, NULL, halo ? &halo->handle : NULL);
    if (handle->halo) {
        return refuse(HX_ERR_STATE, "%s: halo is in use; destroy it first", call);
    } else if (!halo) {
        return no_memory(call);
    }
    status = status == HX_OK ? place_fields(halo, &facts, shape) : status;
    if (status != HX_OK) {
        free_halo(halo);
        return status;
    }
    MPI_Comm_rank(comm, &halo->rank);
    handle->halo = halo;
    return HX_OK;
}

hx_status hx_f_destroy(const hx_f_spec *spec, hx_f_handle *handle)
{
    (void)spec;
    if (!handle->halo) {
        return HX_OK;
    }
    const hx_status status = hx_destroy(handle->halo->handle);
    if (status == HX_OK) {
        free_halo(handle->halo);
        handle->halo = NULL;
    }
    return status;
}

/* ---- may this array serve a field? ---- */

/* Where in a program something went wrong. */
typedef struct asked {
    const struct hx_f_halo *halo;
    const char *call;
    int field, block;
    bool pointer; /* of a struct f(:), so that it has bounds of its own */
} asked;

static const place *place_of(const asked *q)
{
    return &q->halo->place[q->block * q->halo->fields + q->field];
}

/* "u", or "f(2)%u" */
static void name_array(const asked *q, char name[TEXT])
{
    hx_field_facts field;
    hx_field_query(q->halo->spec->tables, q->field, &field);
    if (q->pointer) {
        snprintf(name, TEXT, "f(%d)%%%s", q->block + 1, field.name);
    } else {
        snprintf(name, TEXT, "%s", field.name);
    }
}

typedef struct text {
    char bytes[TEXT];
    size_t length;
} text;

static void add(text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int more = vsnprintf(t->bytes + t->length, sizeof t->bytes - t->length, format, arguments);
    va_end(arguments);
    t->length += more > 0 ? (size_t)more : 0;
    t->length = t->length < sizeof t->bytes ? t->length : sizeof t->bytes - 1;
}

/* "-1:10, -1:10, -1:8" */
static text bounds_of(const place *p)
{
    text t = {"", 0};
    for (int d = 0; d < p->rank; ++d) {
        add(&t, "%s%td:%td", d > 0 ? ", " : "", p->dim[d].lower, p->dim[d].lower + p->dim[d].extent - 1);
    }
    return t;
}

static bool fits(const place *p, const CFI_cdesc_t *array)
{
    if (array->version != CFI_VERSION || !array->base_addr || array->rank != p->rank ||
        array->elem_len != p->bytes) {
        return false;
    }
    for (int d = 0; d < p->rank; ++d) {
        if (array->dim[d].extent < p->dim[d].extent || array->dim[d].sm != p->dim[d].step) {
            return false;
        }
    }
    return true;
}

static hx_strided_array by_axes(const place *p, const CFI_cdesc_t *array)
{
    hx_strided_array out = {.base = array->base_addr, .bytes = array->elem_len, .components = 1};
    for (int d = 0; d < p->rank; ++d) {
        const int a = p->dim[d].axis;
        if (a < 0) {
            out.components = array->dim[d].extent;
            out.component_stride = array->dim[d].sm;
        } else {
            out.extent[a] = array->dim[d].extent;
            out.stride[a] = array->dim[d].sm;
        }
    }
    return out;
}

/* Sentences of libhx count blocks from 0, as C does. */
static hx_status count_from_one(const asked *q, hx_status status)
{
    char was[TEXT], sentence[SENTENCE];
    snprintf(was, sizeof was, " in block %d (counted from 0)", q->block);
    const char *said = hx_last_error(), *at = strstr(said, was);
    if (!at) {
        return status;
    }
    snprintf(sentence, sizeof sentence, "%.*s in block %d%s", (int)(at - said), said, q->block + 1,
             at + strlen(was));
    return hx_refuse(status, sentence);
}

/* Slowly, with a sentence where the array does not fit: strides matter only where there are several points. */
static hx_status look_closely(const asked *q, const CFI_cdesc_t *array)
{
    const place *p = place_of(q);
    char name[TEXT];
    name_array(q, name);
    if (array->version != CFI_VERSION) {
        return other_compiler(q->halo->spec->name, array->version);
    }
    if (!array->base_addr) {
        return refuse(HX_ERR_ARGUMENT, "%s: %s is not allocated or associated; allocate it with bounds %s",
                      q->call, name, bounds_of(p).bytes);
    }
    if (array->rank != p->rank) {
        return refuse(HX_ERR_ARGUMENT, "%s: %s has rank %d, but needs %d: bounds %s", q->call, name,
                      array->rank, p->rank, bounds_of(p).bytes);
    }
    const hx_strided_array by = by_axes(p, array);
    const hx_status status = hx_check_array(q->halo->handle, q->call, q->block, q->field, &by);
    return status == HX_OK ? HX_OK : count_from_one(q, status);
}

/* Pointers have the bounds that the user gave them; those of arguments always start at 1. */
static hx_status check_bounds(const asked *q, const CFI_cdesc_t *array)
{
    const place *p = place_of(q);
    bool same = true;
    for (int d = 0; d < p->rank; ++d) {
        same = same && (array->dim[d].extent == 0 || array->dim[d].lower_bound == p->dim[d].lower);
    }
    if (same) {
        return HX_OK;
    }
    text has = {"", 0}, needs = {"", 0}, write = {"", 0};
    for (int d = 0; d < p->rank; ++d) {
        const char *comma = d > 0 ? ", " : "";
        add(&has, "%s%td", comma, array->dim[d].lower_bound);
        add(&needs, "%s%td", comma, p->dim[d].lower);
        add(&write, "%s%td:", d > 0 ? "," : "", p->dim[d].lower);
    }
    char name[TEXT];
    name_array(q, name);
    return refuse(HX_ERR_ARGUMENT, "%s: %s starts at %s, halo points start at %s; write %s(%s) => ...",
                  q->call, name, has.bytes, needs.bytes, name, write.bytes);
}

static hx_status check_array(const asked *q, const CFI_cdesc_t *array)
{
    const hx_status status = fits(place_of(q), array) ? HX_OK : look_closely(q, array);
    return status == HX_OK && q->pointer ? check_bounds(q, array) : status;
}

/* ---- exchanges ---- */

static void name_call(const hx_f_exchange *exchange, hx_f_part part, bool blocks, char call[TEXT])
{
    static const char *const end[] = {[HX_F_WHOLE] = "", [HX_F_START] = "_start", [HX_F_FINISH] = "_finish"};
    snprintf(call, TEXT, "%s%s%s", exchange->name, blocks ? "_blocks" : "", end[part]);
}

/* Can this handle do this call, for so many blocks? */
static hx_status refuse_call(const struct hx_f_halo *halo, const char *call, const char *way, int blocks)
{
    if (!halo) {
        return refuse(HX_ERR_STATE, "%s: halo was not created, or was destroyed", call);
    }
    if (way) {
        return refuse(HX_ERR_ARGUMENT, "%s: the handle has %d blocks on rank %d; call %s_blocks", call,
                      halo->blocks, halo->rank, way);
    }
    return refuse(HX_ERR_ARGUMENT, "%s: f has %d elements, the handle has %d blocks on rank %d", call, blocks,
                  halo->blocks, halo->rank);
}

static void *address_of(const hx_f_array *array)
{
    return array->host ? array->host->base_addr : array->device;
}

/* Puts the arrays of a block where start finds them. */
static hx_status take(struct hx_f_halo *halo, const hx_f_exchange *exchange, hx_f_part part, int block,
                      bool pointers, const hx_f_array *arrays)
{
    for (int i = 0; i < exchange->fields; ++i) {
        const int field = exchange->field[i];
        const place *p = &halo->place[block * halo->fields + field];
        if (arrays[i].host && (pointers || !fits(p, arrays[i].host))) {
            char call[TEXT];
            name_call(exchange, part, pointers, call);
            const asked q = {halo, call, field, block, pointers};
            const hx_status status = check_array(&q, arrays[i].host);
            if (status != HX_OK) {
                return status;
            }
        }
        halo->arrays[block * halo->fields + field] = address_of(&arrays[i]);
    }
    return HX_OK;
}

/* At finish: those that start was given. */
static hx_status compare(const struct hx_f_halo *halo, const hx_f_exchange *exchange, int block,
                         bool pointers, const hx_f_array *arrays)
{
    if (!halo->started[exchange->number]) {
        return HX_OK; /* libhx has a sentence for that */
    }
    void *const *given = halo->given[exchange->number] + (ptrdiff_t)block * exchange->fields;
    for (int i = 0; i < exchange->fields; ++i) {
        if (address_of(&arrays[i]) != given[i]) {
            char call[TEXT], name[TEXT];
            name_call(exchange, HX_F_FINISH, pointers, call);
            name_array(&(asked){halo, call, exchange->field[i], block, pointers}, name);
            return refuse(HX_ERR_ARGUMENT, "%s: %s is not the array that start was given; pass the same one",
                          call, name);
        }
    }
    return HX_OK;
}

/* After a start: which arrays it was given. */
static void note(struct hx_f_halo *halo, const hx_f_exchange *exchange)
{
    void **given = halo->given[exchange->number];
    for (int b = 0; b < halo->blocks; ++b) {
        for (int i = 0; i < exchange->fields; ++i) {
            *given++ = halo->arrays[b * halo->fields + exchange->field[i]];
        }
    }
    halo->started[exchange->number] = true;
}

static hx_status make_room(struct hx_f_halo *halo, const hx_f_exchange *exchange)
{
    void ***given = &halo->given[exchange->number];
    const size_t arrays = (size_t)halo->blocks * (size_t)exchange->fields;
    if (!*given) {
        *given = calloc(arrays > 0 ? arrays : 1, sizeof **given);
    }
    return *given ? HX_OK : no_memory(exchange->name);
}

static hx_status perform(struct hx_f_halo *halo, const hx_f_exchange *exchange, hx_f_part part)
{
    hx_status status = part == HX_F_FINISH ? HX_OK : make_room(halo, exchange);
    if (part != HX_F_FINISH && status == HX_OK &&
        (status = hx_start(halo->handle, exchange->number, halo->arrays)) == HX_OK) {
        note(halo, exchange);
    }
    if (part != HX_F_START && status == HX_OK &&
        (status = hx_finish(halo->handle, exchange->number)) == HX_OK) {
        halo->started[exchange->number] = false;
    }
    return status;
}

hx_status hx_f_exchange_one(const hx_f_handle *handle, const hx_f_exchange *exchange, hx_f_part part,
                            const hx_f_array *arrays)
{
    struct hx_f_halo *halo = handle->halo;
    if (!halo || halo->blocks != 1) {
        char call[TEXT];
        name_call(exchange, part, false, call);
        return refuse_call(halo, call, exchange->name, 1);
    }
    const hx_status status = part == HX_F_FINISH ? compare(halo, exchange, 0, false, arrays)
                                                 : take(halo, exchange, part, 0, false, arrays);
    return status == HX_OK ? perform(halo, exchange, part) : status;
}

/* ---- alloc ---- */

hx_status hx_f_alloc(struct hx_f_halo *halo, const char *call, int blocks)
{
    if (!halo || (blocks != halo->blocks)) {
        return refuse_call(halo, call, NULL, blocks);
    }
    return hx_alloc(halo->handle, halo->arrays);
}

hx_status hx_f_free(struct hx_f_halo *halo, const char *call, int blocks)
{
    if (!halo || (blocks != halo->blocks)) {
        return refuse_call(halo, call, NULL, blocks);
    }
    return hx_free(halo->handle, halo->arrays);
}

void hx_f_point(struct hx_f_halo *halo, int field, int block, CFI_cdesc_t *pointer)
{
    const place *p = &halo->place[(block - 1) * halo->fields + field - 1];
    void *array = halo->arrays[(block - 1) * halo->fields + field - 1];
    if (!array) {
        CFI_setpointer(pointer, NULL, NULL);
        return;
    }
    CFI_CDESC_T(DIMENSIONS) target;
    CFI_index_t extent[DIMENSIONS], lower[DIMENSIONS];
    for (int d = 0; d < p->rank; ++d) {
        extent[d] = p->dim[d].extent;
        lower[d] = p->dim[d].lower;
    }
    CFI_cdesc_t *all = (CFI_cdesc_t *)&target;
    CFI_establish(all, array, CFI_attribute_pointer, pointer->type, p->bytes, (CFI_rank_t)p->rank, extent);
    for (int d = 0; d < p->rank; ++d) {
        all->dim[d].sm = p->dim[d].step;
    }
    CFI_setpointer(pointer, all, lower);
}

void hx_f_release(struct hx_f_halo *halo, int field, int block, const CFI_cdesc_t *pointer)
{
    halo->arrays[(block - 1) * halo->fields + field - 1] = pointer->base_addr;
}

/* ---- partitions ---- */

void hx_f_decompose(const CFI_cdesc_t *given, const hx_partition *request, hx_part *mine, int *ierr)
{
    MPI_Comm comm = MPI_COMM_NULL;
    hx_status status = find_comm("hx_decompose", "hx", given, &comm);
    if (status == HX_OK) {
        status = hx_decompose(comm, request, mine);
    }
    hx_f_answer(status, ierr);
}
