/*
 * Glue that all Fortran modules of halogen share: from descriptors of Fortran to arrays of C, and back.
 *
 * Compiled by your build, beside hx_module.f90, with the ISO_Fortran_binding.h of your Fortran compiler.
 */
#include <hx/fortran.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIMENSIONS = HX_MAX_AXES + 1, TEXT = 256, SENTENCE = 1024 };

/* Of hx_module.f90: ends the program with hx_last_error; calls fill of the object that a holder has; lets go of a holder. */
void hx_f_stop(void);
void hx_f_fill(void *holder, const hx_f_wall *wall);
void hx_f_drop_holder(void *holder);

/* Of this file, for hx_module.f90 alone. */
hx_status hx_f_alloc(struct hx_f_halo *halo, const char *call, int blocks);
hx_status hx_f_free(struct hx_f_halo *halo, const char *call, int blocks);
hx_status hx_f_test(const struct hx_f_halo *halo, const char *call, int exchange, int *done);
hx_status hx_f_traffic(const struct hx_f_halo *halo, const char *call, int exchange, hx_traffic *traffic);
hx_status hx_f_set_hook(struct hx_f_halo *halo, const char *call, void *holder);
const char *hx_f_describe(const struct hx_f_halo *halo);
void *hx_f_address(struct hx_f_halo *halo, int field, int block);
void hx_f_release_address(struct hx_f_halo *halo, int field, int block, void *array);
void hx_f_decompose(const CFI_cdesc_t *given, const hx_partition *request, hx_part *mine, int *ierr);
void hx_f_part_of(const hx_partition *partition, int tile, int block, hx_part *part, int *ierr);
hx_status hx_f_set_option(hx_f_options *options, const char *name, const char *word);
hx_status hx_f_list_begin(int peers, hx_f_index_list *list);
hx_status hx_f_list_add(hx_f_index_list *list, int rank, int sends, const int *send, int receives,
                        const int *receive);
void hx_f_index_list_of_ids(const CFI_cdesc_t *given, const CFI_cdesc_t *id, const CFI_cdesc_t *owns,
                            hx_f_index_list *list, int *ierr);
void hx_f_index_list_free(hx_f_index_list *list);

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
    void *holder;  /* of the object that fills walls; NULL: there is none */
    void *walled;  /* the array of the wall that it fills */
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

/* Of a field of one block: dimensions from the fastest to the slowest.  Steps come later. */
static place dimensions_of(const hx_field_facts *field, const hx_part *part, int axes)
{
    place out = {.rank = axes + (field->components > 1), .bytes = field->bytes};
    for (int d = 0, position = 0; d < out.rank; ++d) {
        if (field->components > 1 && d == field->place) {
            out.dim[d] = (dimension){.extent = field->components, .lower = 1, .axis = -1};
            continue;
        }
        const int a = field->order[position++];
        const CFI_index_t more = field->at[a] == HX_AT_BOTH;
        out.dim[d] = (dimension){.extent = part->n[a] + more + field->halo_lo[a] + field->halo_hi[a],
                                 .lower = 1 - field->halo_lo[a],
                                 .axis = a};
    }
    if (field->behind) { /* one run of elements */
        out.rank = 1;
        out.dim[0] = (dimension){.extent = 0, .step = (CFI_index_t)field->bytes, .lower = 1, .axis = 0};
    }
    return out;
}

/* A shape is a part, the strides of each field along all axes, and where some field has any, apart[]. */
static hx_status place_fields(struct hx_f_halo *halo, const hx_spec_facts *facts, const char *shapes)
{
    for (int i = 0; i < halo->blocks * facts->fields; ++i) {
        const int f = i % facts->fields;
        const char *shape = shapes + (size_t)(i / facts->fields) * facts->shape_size;
        const ptrdiff_t *strides = (const ptrdiff_t *)(const void *)(shape + sizeof(hx_part));
        const ptrdiff_t *stride = strides + (ptrdiff_t)f * facts->axes;
        const ptrdiff_t *apart = strides + (ptrdiff_t)facts->fields * facts->axes;
        hx_field_facts field;
        const hx_status status = hx_field_query(halo->spec->tables, f, &field);
        if (status != HX_OK) {
            return status;
        }
        place *p = &halo->place[i];
        *p = dimensions_of(&field, (const hx_part *)(const void *)shape, facts->axes);
        if (field.behind) {
            p->dim[0].extent = (CFI_index_t)hx_points(halo->spec->tables, shape, f);
            continue;
        }
        for (int d = 0; d < p->rank; ++d) {
            const int a = p->dim[d].axis;
            p->dim[d].step = (a >= 0 ? stride[a] : field.place > 0 ? apart[f] : 1) * (ptrdiff_t)field.bytes;
        }
    }
    return HX_OK;
}

static void free_halo(struct hx_f_halo *halo)
{
    for (int e = 0; halo->given && e < halo->exchanges; ++e) {
        free(halo->given[e]);
    }
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
    halo->place = calloc(fields, sizeof *halo->place);
    halo->arrays = calloc(fields, sizeof *halo->arrays);
    halo->given = calloc((size_t)facts->exchanges, sizeof *halo->given);
    halo->started = calloc((size_t)facts->exchanges, sizeof *halo->started);
    if (!halo->place || !halo->arrays || !halo->given || !halo->started) {
        free_halo(halo);
        return NULL;
    }
    return halo;
}

/* What create has to make: of one tile, or of what it was given. */
static hx_blocks blocks_of(const hx_f_blocks *given, const void *shapes, MPI_Comm comm)
{
    if (!given) {
        return (hx_blocks){
            .comm = comm, .tiles = 1, .partition = &((const hx_part *)shapes)->partition, .count = 1};
    }
    return (hx_blocks){.comm = comm,
                       .tiles = given->tiles,
                       .partition = given->partition,
                       .count = given->count,
                       .owners = given->owner};
}

/* libhx reads an owner for each block of each tile. */
static hx_status check_owners(const char *call, const hx_f_blocks *given)
{
    long blocks = 0;
    for (int t = 0; given && given->owner && t < given->tiles; ++t) {
        long all = 1;
        for (int a = 0; a < given->partition[t].axes; ++a) {
            all *= given->partition[t].ranks[a];
        }
        blocks += all;
    }
    if (!given || !given->owner || given->owners == blocks) {
        return HX_OK;
    }
    return refuse(HX_ERR_ARGUMENT, "%s: owners has %d elements, the partitions have %ld blocks", call,
                  given->owners, blocks);
}

/* All that this rank knows to be wrong before it talks to others. */
static hx_status check_create(const char *call, const hx_f_blocks *blocks, const hx_f_handle *handle)
{
    return handle->halo ? refuse(HX_ERR_STATE, "%s: halo is in use; destroy it first", call)
                        : check_owners(call, blocks);
}

/* Options that are words, and how many bytes each has in type(hx_options). */
static const struct {
    const char *name;
    size_t at, bytes;
} words_of_options[] = {
    {"transport", offsetof(hx_f_options, transport), HX_F_WORD},
    {"schedule", offsetof(hx_f_options, schedule), HX_F_WORD},
    {"device_messages", offsetof(hx_f_options, device_messages), HX_F_WORD},
    {"tune_file", offsetof(hx_f_options, tune_file), HX_F_PATH},
};

hx_status hx_f_set_option(hx_f_options *options, const char *name, const char *word)
{
    for (size_t i = 0; i < sizeof words_of_options / sizeof *words_of_options; ++i) {
        if (strcmp(name, words_of_options[i].name) != 0) {
            continue;
        }
        const size_t length = strlen(word), most = words_of_options[i].bytes - 1;
        if (length > most) {
            return refuse(HX_ERR_LIMIT, "hx_set_option: %s has %zu characters, and at most %zu fit", name,
                          length, most);
        }
        memcpy((char *)options + words_of_options[i].at, word, length + 1);
        return HX_OK;
    }
    return refuse(HX_ERR_ARGUMENT,
                  "hx_set_option: no option \"%.64s\" is a word; these are: transport, schedule, "
                  "device_messages, tune_file",
                  name);
}

/* A word of Fortran, or where it is empty that of HX_OPTIONS_INIT. */
static const char *word_or(const char *word, const char *otherwise)
{
    return *word ? word : otherwise;
}

/* The words are those of `given`. */
static hx_options options_in_c(const hx_f_options *given)
{
    hx_options options = HX_OPTIONS_INIT;
    if (given) {
        options.deadline = given->deadline;
        options.check = given->check;
        options.timing = given->timing;
        options.log_level = given->log_level;
        options.deadline_exit = given->deadline_exit;
        options.share_buffers = given->share_buffers;
        options.tune = given->tune;
        options.keep_errhandler = given->keep_errhandler;
        options.transport = word_or(given->transport, options.transport);
        options.schedule = word_or(given->schedule, options.schedule);
        options.device_messages = word_or(given->device_messages, options.device_messages);
        options.tune_file = word_or(given->tune_file, options.tune_file);
    }
    return options;
}

hx_status hx_f_create(const hx_f_spec *spec, const CFI_cdesc_t *given, const void *shapes,
                      const hx_f_wanted *wanted, hx_f_handle *handle)
{
    const hx_f_blocks *some = wanted->blocks;
    char call[TEXT];
    snprintf(call, sizeof call, "%s_create%s", spec->name, some ? "_blocks" : "");
    MPI_Comm comm = MPI_COMM_NULL;
    hx_spec_facts facts;
    hx_status status = find_comm(call, spec->name, given, &comm);
    if (status != HX_OK || (status = hx_spec_query(spec->tables, &facts)) != HX_OK) {
        return status;
    }
    const bool right = check_create(call, some, handle) == HX_OK;
    struct hx_f_halo *halo = right ? make_halo(spec, &facts, some ? some->count : 1) : NULL;
    const hx_blocks blocks = blocks_of(right ? some : NULL, shapes, comm);
    /* Without a place for the handle this fails on all ranks. */
    hx_handle **out = halo ? &halo->handle : NULL;
    const hx_options options = options_in_c(wanted->options);
    status = wanted->list
                 ? hx_create_listed_for(spec->model, spec->tables, comm, wanted->list, shapes, &options, out)
                 : hx_create_for(spec->model, spec->tables, &blocks, shapes, &options, out);
    if (!halo) {
        return right ? no_memory(call) : check_create(call, some, handle);
    }
    status = status == HX_OK ? place_fields(halo, &facts, shapes) : status;
    if (status != HX_OK) {
        free_halo(halo);
        return status;
    }
    MPI_Comm_rank(comm, &halo->rank);
    handle->halo = halo;
    return HX_OK;
}

/* Rank 1 and any step. */
static void gather(const CFI_cdesc_t *from, void *to)
{
    for (CFI_index_t i = 0; i < from->dim[0].extent; ++i) {
        memcpy((char *)to + (size_t)i * from->elem_len, (const char *)from->base_addr + i * from->dim[0].sm,
               from->elem_len);
    }
}

/* A dense copy of an array of rank 1; NULL: there is no memory. */
static void *dense(const CFI_cdesc_t *from)
{
    void *to = calloc((size_t)from->dim[0].extent + 1, from->elem_len);
    if (to) {
        gather(from, to);
    }
    return to;
}

hx_status hx_f_create_blocks(const hx_f_spec *spec, const CFI_cdesc_t *comm, const hx_f_several *given,
                             hx_f_handle *handle)
{
    const CFI_cdesc_t *partition = given->partition, *shape = given->shape, *owners = given->owners;
    if (partition->version != CFI_VERSION) {
        return other_compiler(spec->name, partition->version);
    }
    void *partitions = dense(partition), *shapes = dense(shape), *owner = owners ? dense(owners) : NULL;
    const hx_f_blocks blocks = {.tiles = (int)partition->dim[0].extent,
                                .partition = partitions,
                                .owners = owners ? (int)owners->dim[0].extent : 0,
                                .owner = owner,
                                .count = (int)shape->dim[0].extent};
    const bool room = partitions && shapes && (owner || !owners);
    const hx_f_wanted wanted = {.blocks = &blocks, .options = given->options};
    const hx_status status =
        room ? hx_f_create(spec, comm, shapes, &wanted, handle) : no_memory("create_blocks");
    free(partitions);
    free(shapes);
    free(owner);
    return status;
}

hx_status hx_f_destroy(hx_f_handle *handle)
{
    struct hx_f_halo *halo = handle->halo;
    const hx_status status = halo ? hx_destroy(halo->handle) : HX_OK;
    if (halo && status == HX_OK) {
        hx_f_drop_holder(halo->holder);
        free_halo(halo);
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

/* ---- shapes ---- */

/* An array for a shape: what it is, or why it cannot be. */
static hx_status describe_array(const hx_f_spec *spec, const hx_field_facts *field, const place *p,
                                const CFI_cdesc_t *given, hx_strided_array *out)
{
    *out = (hx_strided_array){.components = 1};
    if (!given || !given->base_addr) {
        return HX_OK;
    }
    if (given->version != CFI_VERSION) {
        return other_compiler(spec->name, given->version);
    }
    if (given->rank != p->rank) {
        return refuse(HX_ERR_ARGUMENT, "%s_shape_of: %s has rank %d, but needs %d", spec->name, field->name,
                      given->rank, p->rank);
    }
    *out = by_axes(p, given);
    return HX_OK;
}

hx_status hx_f_shape_of(const hx_f_spec *spec, const hx_part *part, const CFI_cdesc_t *const arrays[],
                        void *shape)
{
    hx_spec_facts facts;
    hx_status status = hx_spec_query(spec->tables, &facts);
    hx_strided_array *by = status == HX_OK ? calloc((size_t)facts.fields, sizeof *by) : NULL;
    if (status == HX_OK && !by) {
        return no_memory("shape_of");
    }
    for (int f = 0; f < facts.fields && status == HX_OK; ++f) {
        hx_field_facts field;
        status = hx_field_query(spec->tables, f, &field);
        const place p = dimensions_of(&field, part, facts.axes);
        status = status == HX_OK ? describe_array(spec, &field, &p, arrays[f], &by[f]) : status;
    }
    status = status == HX_OK ? hx_shape_of_arrays(spec->tables, part, by, shape) : status;
    free(by);
    return status;
}

/* ---- exchanges ---- */

static void name_call(const hx_f_exchange *exchange, const hx_f_how *how, bool blocks, char call[TEXT])
{
    static const char *const end[] = {
        [HX_F_WHOLE] = "",         [HX_F_START] = "_start",     [HX_F_FINISH] = "_finish",
        [HX_F_PACK] = "_pack",     [HX_F_SEND] = "_send",       [HX_F_RECEIVE] = "_receive",
        [HX_F_UNPACK] = "_unpack", [HX_F_CORNERS] = "_corners_"};
    const bool corners = how->part == HX_F_CORNERS;
    snprintf(call, TEXT, "%s%s%s%s", exchange->name, blocks ? "_blocks" : "", end[how->part],
             corners ? how->axis : "");
}

static hx_status not_created(const char *call)
{
    return refuse(HX_ERR_STATE, "%s: halo was not created, or was destroyed", call);
}

static hx_status refuse_blocks(const struct hx_f_halo *halo, const char *call, int blocks)
{
    return refuse(HX_ERR_ARGUMENT, "%s: f has %d element%s, the handle has %d block%s on rank %d", call,
                  blocks, blocks == 1 ? "" : "s", halo->blocks, halo->blocks == 1 ? "" : "s", halo->rank);
}

static void *address_of(const hx_f_array *array)
{
    return array->host ? array->host->base_addr : array->address;
}

/* Puts the arrays of a block where start finds them. */
static hx_status take(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how,
                      const asked *where, const hx_f_array *arrays)
{
    for (int i = 0; i < exchange->fields; ++i) {
        const int field = exchange->field[i], at = where->block * halo->fields + field;
        const CFI_cdesc_t *host = arrays[i].host;
        if (host && (where->pointer || !fits(&halo->place[at], host))) {
            char call[TEXT];
            name_call(exchange, how, where->pointer, call);
            const asked q = {halo, call, field, where->block, where->pointer};
            const hx_status status = check_array(&q, host);
            if (status != HX_OK) {
                return status;
            }
        }
        halo->arrays[at] = address_of(&arrays[i]);
    }
    return HX_OK;
}

/* At finish: those that start was given. */
static hx_status compare(const struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how,
                         const asked *where, const hx_f_array *arrays)
{
    if (!halo->started[exchange->number]) {
        return HX_OK; /* libhx has a sentence for that */
    }
    void *const *given = halo->given[exchange->number] + (ptrdiff_t)where->block * exchange->fields;
    for (int i = 0; i < exchange->fields; ++i) {
        if (address_of(&arrays[i]) != given[i]) {
            char call[TEXT], name[TEXT];
            name_call(exchange, how, where->pointer, call);
            name_array(&(asked){halo, call, exchange->field[i], where->block, where->pointer}, name);
            return refuse(HX_ERR_ARGUMENT, "%s: %s is not the array that start was given; pass the same one",
                          call, name);
        }
    }
    return HX_OK;
}

static hx_status take_or_compare(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how,
                                 const asked *where, const hx_f_array *arrays)
{
    return how->part == HX_F_FINISH ? compare(halo, exchange, how, where, arrays)
                                    : take(halo, exchange, how, where, arrays);
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

static hx_status start(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how)
{
    if (how->part == HX_F_PACK) {
        return hx_pack_on(halo->handle, exchange->number, halo->arrays, how->stream);
    }
    return exchange->on_device ? hx_start_on(halo->handle, exchange->number, halo->arrays, how->stream)
                               : hx_start(halo->handle, exchange->number, halo->arrays);
}

/* For finish, which compares; an exchange in one call does without. */
static hx_status begin(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how)
{
    hx_status status = make_room(halo, exchange);
    status = status == HX_OK ? start(halo, exchange, how) : status;
    if (status == HX_OK) {
        note(halo, exchange);
    }
    return status;
}

static hx_status end(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how)
{
    hx_status status = HX_OK;
    if (how->part == HX_F_UNPACK) {
        status = hx_unpack_on(halo->handle, exchange->number, halo->arrays, how->stream);
    } else if (exchange->on_device) {
        status = hx_finish_on(halo->handle, exchange->number, how->stream);
    } else {
        status = hx_finish(halo->handle, exchange->number);
    }
    if (status == HX_OK) {
        halo->started[exchange->number] = false;
    }
    return status;
}

static hx_status fill_corners(const struct hx_f_halo *halo, const hx_f_exchange *exchange,
                              const hx_f_how *how)
{
    return exchange->on_device
               ? hx_fill_corners_on(halo->handle, exchange->number, how->fill, halo->arrays, how->stream)
               : hx_fill_corners(halo->handle, exchange->number, how->fill, halo->arrays);
}

hx_status hx_f_go(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how)
{
    hx_status status = HX_OK;
    switch (how->part) {
    case HX_F_START:
    case HX_F_PACK:
        return begin(halo, exchange, how);
    case HX_F_FINISH:
    case HX_F_UNPACK:
        return end(halo, exchange, how);
    case HX_F_SEND:
        return hx_send_on(halo->handle, exchange->number, how->stream);
    case HX_F_RECEIVE:
        return hx_receive(halo->handle, exchange->number);
    case HX_F_CORNERS:
        return fill_corners(halo, exchange, how);
    case HX_F_WHOLE:
        status = start(halo, exchange, how);
        break;
    }
    return status == HX_OK ? end(halo, exchange, how) : status;
}

hx_status hx_f_exchange_one(const hx_f_handle *handle, const hx_f_exchange *exchange, const hx_f_how *how,
                            const hx_f_array *arrays)
{
    struct hx_f_halo *halo = handle->halo;
    if (!halo || (halo->blocks != 1 && arrays)) {
        char call[TEXT];
        name_call(exchange, how, false, call);
        return halo ? refuse(HX_ERR_ARGUMENT, "%s: the handle has %d blocks on rank %d; call %s_blocks", call,
                             halo->blocks, halo->rank, exchange->name)
                    : not_created(call);
    }
    const asked where = {.halo = halo};
    const hx_status status = arrays ? take_or_compare(halo, exchange, how, &where, arrays) : HX_OK;
    return status == HX_OK ? hx_f_go(halo, exchange, how) : status;
}

hx_status hx_f_check(const struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how,
                     int blocks)
{
    char call[TEXT];
    if (halo && halo->blocks == blocks) {
        return HX_OK;
    }
    name_call(exchange, how, true, call);
    return halo ? refuse_blocks(halo, call, blocks) : not_created(call);
}

hx_status hx_f_take(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how, int block,
                    const hx_f_array *arrays)
{
    const asked where = {.halo = halo, .block = block - 1, .pointer = true};
    return take_or_compare(halo, exchange, how, &where, arrays);
}

hx_status hx_f_test(const struct hx_f_halo *halo, const char *call, int exchange, int *done)
{
    *done = 0;
    return halo ? hx_test(halo->handle, exchange - 1, done) : not_created(call);
}

/* ---- alloc ---- */

static hx_status check_blocks(const struct hx_f_halo *halo, const char *call, int blocks)
{
    if (!halo) {
        return not_created(call);
    }
    return blocks == halo->blocks ? HX_OK : refuse_blocks(halo, call, blocks);
}

/* The other ranks wait for this one, so where f is wrong the call goes to libhx without it, and fails on all. */
static hx_status with_all(struct hx_f_halo *halo, const char *call, int blocks,
                          hx_status (*action)(hx_handle *handle, void *fields))
{
    const hx_status status = check_blocks(halo, call, blocks);
    if (status == HX_OK) {
        return action(halo->handle, halo->arrays);
    }
    if (halo) {
        action(halo->handle, NULL);
    }
    return check_blocks(halo, call, blocks);
}

hx_status hx_f_alloc(struct hx_f_halo *halo, const char *call, int blocks)
{
    return with_all(halo, call, blocks, hx_alloc);
}

hx_status hx_f_free(struct hx_f_halo *halo, const char *call, int blocks)
{
    return with_all(halo, call, blocks, hx_free);
}

/* Sets a pointer of Fortran, with the bounds of the halo. */
static void point(const place *p, void *array, CFI_cdesc_t *pointer)
{
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

static void **array_of(struct hx_f_halo *halo, int field, int block)
{
    return &halo->arrays[(block - 1) * halo->fields + field - 1];
}

void hx_f_point(struct hx_f_halo *halo, int field, int block, CFI_cdesc_t *pointer)
{
    void *array = *array_of(halo, field, block);
    if (array) {
        point(&halo->place[(block - 1) * halo->fields + field - 1], array, pointer);
    } else {
        CFI_setpointer(pointer, NULL, NULL);
    }
}

/* f may have more elements than there are blocks: hx_f_free, which comes next, refuses it. */
void hx_f_release(struct hx_f_halo *halo, int field, int block, const CFI_cdesc_t *pointer)
{
    hx_f_release_address(halo, field, block, pointer->base_addr);
}

/* The same for fields that Fortran has no kind for, or that lie in the memory of a device. */
void *hx_f_address(struct hx_f_halo *halo, int field, int block)
{
    return *array_of(halo, field, block);
}

void hx_f_release_address(struct hx_f_halo *halo, int field, int block, void *array)
{
    if (block <= halo->blocks) {
        *array_of(halo, field, block) = array;
    }
}

/* ---- walls ---- */

static void fill_wall(void *context, const hx_wall *wall)
{
    struct hx_f_halo *halo = context;
    hx_f_wall out = {.exchange = wall->exchange + 1,
                     .field = wall->field + 1,
                     .block = wall->block + 1,
                     .axis = wall->axis + 1,
                     .side = wall->side + 1,
                     .halo = halo};
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        out.lo[a] = wall->lo[a] + 1;
        out.hi[a] = wall->hi[a];
    }
    halo->walled = wall->array;
    hx_f_fill(halo->holder, &out);
}

/* holder: NULL takes the object away. */
hx_status hx_f_set_hook(struct hx_f_halo *halo, const char *call, void *holder)
{
    const hx_status status =
        halo ? hx_set_hook(halo->handle, holder ? fill_wall : NULL, halo) : not_created(call);
    if (status == HX_OK) {
        hx_f_drop_holder(halo->holder);
        halo->holder = holder;
    } else {
        hx_f_drop_holder(holder);
    }
    return status;
}

hx_status hx_f_wall_array(const hx_f_wall *wall, const char *call, int field, CFI_cdesc_t *pointer)
{
    if (wall->field != field + 1) {
        hx_field_facts asked_for = {.name = "?"}, is = {.name = "?"};
        hx_field_query(wall->halo->spec->tables, field, &asked_for);
        hx_field_query(wall->halo->spec->tables, wall->field - 1, &is);
        return refuse(HX_ERR_ARGUMENT, "%s: this wall is one of %s, not of %s; look at wall%%field", call,
                      is.name, asked_for.name);
    }
    point(&wall->halo->place[(wall->block - 1) * wall->halo->fields + field], wall->halo->walled, pointer);
    return HX_OK;
}

/* ---- what a handle tells ---- */

hx_status hx_f_traffic(const struct hx_f_halo *halo, const char *call, int exchange, hx_traffic *traffic)
{
    *traffic = (hx_traffic){0};
    return halo ? hx_traffic_of(halo->handle, exchange - 1, traffic) : not_created(call);
}

const char *hx_f_describe(const struct hx_f_halo *halo)
{
    const char *words = halo ? hx_describe(halo->handle) : NULL;
    return words ? words : "";
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

/* tile, block: from 1. */
void hx_f_part_of(const hx_partition *partition, int tile, int block, hx_part *part, int *ierr)
{
    hx_f_answer(hx_part_of(partition, tile - 1, block - 1, part), ierr);
}

/* ---- lists of points ---- */

struct hx_f_list {
    hx_index_list *made;  /* by libhx; NULL: ... */
    hx_index_list listed; /* ... this, in memory of its own */
    hx_peer *peer;
};

const hx_index_list *hx_f_list_in_c(const hx_f_index_list *list)
{
    static const hx_index_list none = {0, NULL};
    return !list->list ? &none : list->list->made ? list->list->made : &list->list->listed;
}

void hx_f_index_list_free(hx_f_index_list *list)
{
    struct hx_f_list *old = list->list;
    list->list = NULL;
    if (!old) {
        return;
    }
    for (int p = 0; p < old->listed.peers; ++p) {
        free((void *)old->peer[p].send);
    }
    free(old->peer);
    hx_index_list_free(old->made);
    free(old);
}

static hx_status make_list(const char *call, hx_f_index_list *list)
{
    if (list->list) {
        return refuse(HX_ERR_STATE, "%s: list is in use; free it first", call);
    }
    list->list = calloc(1, sizeof *list->list);
    return list->list ? HX_OK : no_memory(call);
}

hx_status hx_f_list_begin(int peers, hx_f_index_list *list)
{
    static const char call[] = "hx_index_list_of_peers";
    const hx_status status = make_list(call, list);
    if (status == HX_OK) {
        list->list->peer = calloc(peers > 0 ? (size_t)peers : 1, sizeof *list->list->peer);
        list->list->listed.peer = list->list->peer;
    }
    return status != HX_OK || list->list->peer ? status : no_memory(call);
}

/* send, receive: from 1. */
hx_status hx_f_list_add(hx_f_index_list *list, int rank, int sends, const int *send, int receives,
                        const int *receive)
{
    struct hx_f_list *to = list->list;
    int *points = calloc((size_t)sends + (size_t)receives + 1, sizeof *points);
    if (!points) {
        return no_memory("hx_index_list_of_peers");
    }
    for (int i = 0; i < sends; ++i) {
        points[i] = send[i] - 1;
    }
    for (int i = 0; i < receives; ++i) {
        points[sends + i] = receive[i] - 1;
    }
    to->peer[to->listed.peers++] = (hx_peer){rank, sends, points, receives, points + sends};
    return HX_OK;
}

static hx_status list_ids(MPI_Comm comm, const CFI_cdesc_t *id, const CFI_cdesc_t *owns, hx_index_list **made)
{
    const size_t points = (size_t)id->dim[0].extent;
    int64_t *ids = calloc(points + 1, sizeof *ids);
    unsigned char *owned = calloc(points + 1, sizeof *owned);
    hx_ids all = {.points = (int)points, .id = ids, .owns = owned};
    if (ids && owned) {
        gather(id, ids);
        gather(owns, owned);
    } else {
        all.points = -1; /* fails on all ranks */
    }
    const hx_status status = hx_index_list_of_ids(comm, &all, made);
    const bool room = ids && owned;
    free(ids);
    free(owned);
    return room ? status : no_memory("hx_index_list_of_ids");
}

static hx_status check_ids(const char *call, const CFI_cdesc_t *id, const CFI_cdesc_t *owns,
                           hx_f_index_list *list)
{
    return id->dim[0].extent == owns->dim[0].extent
               ? make_list(call, list)
               : refuse(HX_ERR_ARGUMENT,
                        "%s: id has %td elements, owns has %td; give one of each for every point", call,
                        id->dim[0].extent, owns->dim[0].extent);
}

void hx_f_index_list_of_ids(const CFI_cdesc_t *given, const CFI_cdesc_t *id, const CFI_cdesc_t *owns,
                            hx_f_index_list *list, int *ierr)
{
    static const char call[] = "hx_index_list_of_ids";
    MPI_Comm comm = MPI_COMM_NULL;
    hx_status status = find_comm(call, "hx", given, &comm);
    if (status == HX_OK && (status = check_ids(call, id, owns, list)) == HX_OK) {
        status = list_ids(comm, id, owns, &list->list->made);
        if (status != HX_OK) {
            hx_f_index_list_free(list);
        }
    } else if (comm != MPI_COMM_NULL) {
        /* The other ranks wait for this one: it fails on all. */
        hx_index_list *none = NULL;
        hx_index_list_of_ids(comm, &(hx_ids){.points = -1}, &none);
        status = check_ids(call, id, owns, list);
    }
    hx_f_answer(status, ierr);
}
