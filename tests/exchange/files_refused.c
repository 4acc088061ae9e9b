/*
 * Datatypes for files that cannot be made: bad input, each call of MPI failing in turn, memory refused.  The
 * type is then none, and what had been made of it is freed.  Functions of MPI that make types are replaced;
 * linked with --wrap, so that every piece of libhx's memory passes through here.  Runs on 1 rank.
 */
#include "check.h"
#include "layout.h"
#include "specs.h"

#include <hx/files.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS = 4 };

static int countdown; /* the call that makes it 0 fails */
static long types;    /* that were made and not freed */
static long memory;   /* likewise, pieces */

static bool fails(void)
{
    return countdown > 0 && --countdown == 0;
}

static int counted(int code)
{
    types += code == MPI_SUCCESS;
    return code;
}

int MPI_Type_contiguous(int count, MPI_Datatype of, MPI_Datatype *type)
{
    return fails() ? MPI_ERR_OTHER : counted(PMPI_Type_contiguous(count, of, type));
}

int MPI_Type_create_hvector(int count, int length, MPI_Aint step, MPI_Datatype of, MPI_Datatype *type)
{
    return fails() ? MPI_ERR_OTHER : counted(PMPI_Type_create_hvector(count, length, step, of, type));
}

int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint places[], const MPI_Datatype of[],
                           MPI_Datatype *type)
{
    return fails() ? MPI_ERR_OTHER : counted(PMPI_Type_create_struct(count, lengths, places, of, type));
}

int MPI_Type_create_resized(MPI_Datatype of, MPI_Aint least, MPI_Aint extent, MPI_Datatype *type)
{
    return fails() ? MPI_ERR_OTHER : counted(PMPI_Type_create_resized(of, least, extent, type));
}

int MPI_Type_commit(MPI_Datatype *type)
{
    return fails() ? MPI_ERR_OTHER : PMPI_Type_commit(type);
}

int MPI_Get_address(const void *location, MPI_Aint *address)
{
    return fails() ? MPI_ERR_OTHER : PMPI_Get_address(location, address);
}

int MPI_Type_free(MPI_Datatype *type)
{
    --types;
    return PMPI_Type_free(type);
}

void *__real_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__real_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void __real_hxi_memory_free(void *given);
void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose);
void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose);
void __wrap_hxi_memory_free(void *given);

void *__wrap_hxi_memory_get(size_t count, size_t size, const char *purpose)
{
    void *given = __real_hxi_memory_get(fails() ? SIZE_MAX : count, size, purpose);
    memory += given != NULL;
    return given;
}

void *__wrap_hxi_memory_grow(void *old, size_t used, size_t count, size_t size, const char *purpose)
{
    void *given = __real_hxi_memory_grow(old, used, fails() ? SIZE_MAX : count, size, purpose);
    memory += given != NULL && old == NULL;
    return given;
}

void __wrap_hxi_memory_free(void *given)
{
    memory -= given != NULL;
    __real_hxi_memory_free(given);
}

/* ---- a handle with four blocks on one rank ------------------------------------------------------------ */

typedef struct sample {
    const hx_spec *spec;
    hx_handle *handle;
    unsigned char *pointers;
} sample;

static int owner(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    (void)block;
    return 0;
}

static int has_faces(const hx_spec *spec, int field, int axis)
{
    hx_field_facts facts;
    CHECK_STATUS(hx_field_query(spec, field, &facts), HX_OK);
    return facts.at[axis] == HX_AT_BOTH;
}

static void make(sample *s, const hx_spec *spec, layout *l)
{
    hx_partition p = {.axes = spec->axes, .first_fastest = spec->first_fastest};
    static const int cuts[] = {0, 2, 6};
    for (int a = 0; a < spec->axes; ++a) {
        p.cells[a] = 6;
        p.ranks[a] = a < 2 ? 2 : 1;
        p.cuts[a] = a == 0 ? cuts : NULL; /* uneven, so that blocks have other strides */
    }
    const layout_request request = {
        .spec = spec, .comm = MPI_COMM_WORLD, .partition = &p, .owner = owner, .faces = has_faces};
    layout_make(l, &request);
    *s = (sample){.spec = spec, .pointers = calloc(PARTS, spec->fields_size)};
    CHECK_STATUS(hx_create(spec, &l->blocks, l->shapes, NULL, &s->handle), HX_OK);
    CHECK_STATUS(hx_alloc(s->handle, s->pointers), HX_OK);
}

/* ---- failures ----------------------------------------------------------------------------------------- */

static hx_status make_type(const sample *s, int field, bool in_file, MPI_Datatype *type)
{
    return in_file ? hx_file_type(s->handle, field, 0, type)
                   : hx_memory_type(s->handle, field, 0, s->pointers, type);
}

/* Each call of a kind in turn, until all succeed. */
static void try_failures(const sample *s, int field, bool in_file)
{
    int failed[2] = {0, 0}; /* for memory, for MPI */
    for (int number = 1;; ++number) {
        MPI_Datatype type = MPI_INT;
        const long types_before = types;
        const long memory_before = memory;
        countdown = number;
        const hx_status status = make_type(s, field, in_file, &type);
        const bool reached = countdown == 0;
        countdown = 0;
        CHECK(memory == memory_before, "%ld pieces of memory are left", memory - memory_before);
        if (!reached) {
            CHECK(status == HX_OK && types == types_before + 1, "%ld types were made: %s",
                  types - types_before, hx_last_error());
            MPI_Type_free(&type);
            break;
        }
        CHECK(status == HX_ERR_MEMORY || status == HX_ERR_MPI, "failure %d: %s", number,
              hx_status_name(status));
        CHECK(types == types_before, "failure %d left %ld types", number, types - types_before);
        CHECK(type == MPI_DATATYPE_NULL, "failure %d gave a type", number);
        CHECK(status != HX_ERR_MPI || strstr(hx_last_error(), s->spec->field[field].name) != NULL, "%s",
              hx_last_error());
        failed[status == HX_ERR_MPI]++;
    }
    CHECK(failed[0] > 1 && failed[1] > 3, "memory failed %d times, MPI %d times", failed[0], failed[1]);
}

/* ---- bad input ----------------------------------------------------------------------------------------- */

#define REFUSED(call, words) CHECK_REFUSED(MPI_COMM_WORLD, call, HX_ERR_ARGUMENT, words)

static void try_bad_types(const sample *s)
{
    MPI_Datatype type = MPI_INT;
    void *nothing[32] = {NULL};
    REFUSED(hx_file_type(NULL, 0, 0, &type), "the handle is a null pointer");
    CHECK(type == MPI_DATATYPE_NULL, "a refused call gave a type");
    REFUSED(hx_file_type(s->handle, 0, 0, NULL), "the place for the answer is a null pointer");
    REFUSED(hx_file_type(s->handle, s->spec->fields, 0, &type), "numbered from 0");
    REFUSED(hx_file_type(s->handle, -1, 0, &type), "of field -1");
    REFUSED(hx_file_type(s->handle, 0, 8, &type), "of pass 8 of field n; it has 8, numbered from 0: see "
                                                  "shared_walls_file_passes");
    REFUSED(hx_memory_type(s->handle, 0, -1, s->pointers, &type), "of pass -1");
    REFUSED(hx_memory_type(s->handle, 0, 0, NULL, &type), "give one shared_walls_fields a block");
    REFUSED(hx_memory_type(s->handle, 0, 0, nothing, &type), "of field n of block 0 is a null pointer");
    const int64_t id[] = {0};
    const hx_ids ids = {.points = 1, .id = id, .owned = 1};
    REFUSED(hx_file_type_of_ids(s->handle, 0, &ids, 1, &type),
            "has boxes: call the function without \"_of_ids\".");
    CHECK(hx_file_passes(s->spec, 0) == 8 && hx_file_passes(s->spec, -1) == 0 && hx_file_passes(NULL, 0) == 0,
          "the passes are others");
}

static void try_bad_extents(const sample *s)
{
    hx_extent extent;
    int count = 0;
    REFUSED(hx_extents(s->handle, 0, 0, 0, &extent, &count), "with room for 0");
    count = 1;
    REFUSED(hx_extents(s->handle, 0, PARTS, 0, &extent, &count), "of block 4; it has 4");
    REFUSED(hx_extents(s->handle, 0, -1, 0, &extent, &count), "of block -1");
    REFUSED(hx_extents(s->handle, 0, 0, 8, &extent, &count), "of pass 8 of field n; it has 8");
    REFUSED(hx_extents(s->handle, 0, 0, 0, &extent, NULL), "the place for the answer");
    REFUSED(hx_extents(NULL, 0, 0, 0, &extent, &count), "the handle is a null pointer");
    CHECK_STATUS(hx_extents(s->handle, 0, 0, 0, &extent, &count), HX_OK);
}

static void test(void)
{
    sample s;
    layout l;
    make(&s, specs[0], &l);
    for (int field = 0; field < s.spec->fields; ++field) {
        check_about("field %s", s.spec->field[field].name);
        try_failures(&s, field, false);
        try_failures(&s, field, true);
    }
    try_bad_types(&s);
    try_bad_extents(&s);
    CHECK_STATUS(hx_destroy(s.handle), HX_OK);
    free(s.pointers);
    layout_free(&l);
}

int main(int argc, char **argv)
{
    int ranks;
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    CHECK(ranks == 1, "this test has all blocks on one rank: run it on 1, not on %d", ranks);
    if (ranks == 1) {
        test();
    }
    return check_verdict("datatypes for files that cannot be made");
}
