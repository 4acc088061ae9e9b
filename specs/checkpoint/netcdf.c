/*
 * The same by parallel netCDF: a variable for each field.  Each block is a request, and one collective call
 * serves those of all blocks in a pass.
 */
#include "store.h"

#include "../common/check.h"

#include <pnetcdf.h>

#include <stdio.h>
#include <stdlib.h>

static void check_netcdf(int code)
{
    if (code != NC_NOERR) {
        fail("netCDF: %s", ncmpi_strerror(code));
    }
}

/* Only ranks with blocks know the size of an array: the last of them tells it to the others. */
static int define(const store *s, int file, int field)
{
    const struct hx_spec *spec = hx_spec_of(s->handle);
    hx_spec_facts facts;
    hx_field_facts about;
    hx_extent e = {.axes = 0};
    check(hx_spec_query(spec, &facts));
    check(hx_field_query(spec, field, &about));
    if (s->blocks > 0) {
        int count = 1;
        check(hx_extents(s->handle, field, 0, HX_ALL_PASSES, &e, &count));
    }
    int rank, mine, from, variable, dimension[HX_FILE_AXES];
    MPI_Comm_rank(s->comm, &rank);
    mine = s->blocks > 0 ? rank : 0;
    MPI_Allreduce(&mine, &from, 1, MPI_INT, MPI_MAX, s->comm);
    MPI_Bcast(&e, sizeof e, MPI_BYTE, from, s->comm);
    for (int a = 0; a < e.axes; ++a) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s", about.name, e.axis[a] < 0 ? "tile" : facts.axis[e.axis[a]]);
        check_netcdf(ncmpi_def_dim(file, name, (MPI_Offset)e.size[a], &dimension[a]));
    }
    check_netcdf(ncmpi_def_var(file, about.name, NC_DOUBLE, e.axes, dimension, &variable));
    return variable;
}

/* A field of a block in one pass. */
typedef struct piece {
    int field, block, pass;
    double *array;
    int writes;
} piece;

/* A request for one box; array: of its block. */
static void ask(int file, int variable, const hx_extent *e, double *array, int writes)
{
    MPI_Offset start[HX_FILE_AXES], count[HX_FILE_AXES], stride[HX_FILE_AXES], steps[HX_FILE_AXES];
    int request;
    for (int a = 0; a < e->axes; ++a) {
        start[a] = (MPI_Offset)e->start[a];
        count[a] = (MPI_Offset)e->count[a];
        stride[a] = e->stride[a];
        steps[a] = e->memory_stride[a];
    }
    double *first = array + e->first;
    check_netcdf(writes
                     ? ncmpi_iput_varm_double(file, variable, start, count, stride, steps, first, &request)
                     : ncmpi_iget_varm_double(file, variable, start, count, stride, steps, first, &request));
}

/* All boxes that a block has in a pass: beside blocks without an owner there may be several. */
static void ask_all(const store *s, int file, int variable, const piece *p)
{
    int count;
    check(hx_extents(s->handle, p->field, p->block, p->pass, NULL, &count));
    hx_extent *e = allocate((size_t)count, sizeof *e);
    check(hx_extents(s->handle, p->field, p->block, p->pass, e, &count));
    for (int i = 0; i < count; ++i) {
        ask(file, variable, &e[i], p->array, p->writes);
    }
    free(e);
}

/* All blocks of all fields; variable: of each field. */
static void move_pass(const store *s, int file, const int variable[], int fields, int pass, int writes)
{
    const struct hx_spec *spec = hx_spec_of(s->handle);
    for (int block = 0; block < s->blocks; ++block) {
        for (int field = 0; field < fields; ++field) {
            if (pass < hx_file_passes(spec, field)) {
                const piece p = {field, block, pass, s->fields[block * fields + field], writes};
                ask_all(s, file, variable[field], &p);
            }
        }
    }
    check_netcdf(ncmpi_wait_all(file, NC_REQ_ALL, NULL, NULL));
}

static int most_passes(const store *s, int fields)
{
    int most = 1;
    for (int field = 0; field < fields; ++field) {
        const int passes = hx_file_passes(hx_spec_of(s->handle), field);
        most = passes > most ? passes : most;
    }
    return most;
}

enum { MOST_FIELDS = 16 };

static int count_fields(const store *s)
{
    hx_spec_facts facts;
    check(hx_spec_query(hx_spec_of(s->handle), &facts));
    if (facts.fields > MOST_FIELDS) {
        fail("%s has %d fields; a checkpoint has up to %d", facts.name, facts.fields, MOST_FIELDS);
    }
    return facts.fields;
}

void netcdf_write(const store *s, const char *path)
{
    const int fields = count_fields(s);
    int file, variable[MOST_FIELDS];
    check_netcdf(ncmpi_create(s->comm, path, NC_CLOBBER | NC_64BIT_DATA, MPI_INFO_NULL, &file));
    for (int field = 0; field < fields; ++field) {
        variable[field] = define(s, file, field);
    }
    check_netcdf(ncmpi_enddef(file));
    move_pass(s, file, variable, fields, 0, 1);
    check_netcdf(ncmpi_close(file));
}

void netcdf_read(const store *s, const char *path)
{
    const int fields = count_fields(s);
    int file, variable[MOST_FIELDS];
    check_netcdf(ncmpi_open(s->comm, path, NC_NOWRITE, MPI_INFO_NULL, &file));
    for (int field = 0; field < fields; ++field) {
        hx_field_facts about;
        check(hx_field_query(hx_spec_of(s->handle), field, &about));
        check_netcdf(ncmpi_inq_varid(file, about.name, &variable[field]));
    }
    for (int pass = 0; pass < most_passes(s, fields); ++pass) {
        move_pass(s, file, variable, fields, pass, 0);
    }
    check_netcdf(ncmpi_close(file));
}
