#include "gather.h"

#include "../common/check.h"
#include "../common/checksum.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t cells_in(const int n[3])
{
    return (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
}

/* The first owned point of a field, and the strides from there. */
static const double *owned(const solver *s, int field, const ptrdiff_t **stride)
{
    const wave_shape *shape = &s->shape;
    *stride = shape->stride[field];
    switch (field) {
    case WAVE_P:
        return s->fields.p + wave_p_at(shape, 0, 0, 0);
    case WAVE_U:
        return s->fields.u + wave_u_at(shape, 0, 0, 0);
    case WAVE_V:
        return s->fields.v + wave_v_at(shape, 0, 0, 0);
    default:
        return s->fields.w + wave_w_at(shape, 0, 0, 0);
    }
}

double *gather_field(const solver *s, MPI_Comm comm, int field)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    const int *cells = s->shape.part.partition.cells;
    double *whole = rank == 0 ? allocate(cells_in(cells), sizeof *whole) : NULL;
    const ptrdiff_t row = (ptrdiff_t)sizeof *whole * cells[0];
    const hx_strided_array array = {.base = whole,
                                    .bytes = sizeof *whole,
                                    .extent = {cells[0], cells[1], cells[2]},
                                    .stride = {sizeof *whole, row, row * cells[1]},
                                    .components = 1};
    check(wave_gather(s->halo, &s->fields, field, 0, &array));
    return whole;
}

double *gather_floor(const solver *s, MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    const int *cells = s->shape.part.partition.cells;
    double *lowest = rank == 0 ? allocate((size_t)cells[0] * (size_t)cells[1], sizeof *lowest) : NULL;
    /* One level, in the memory order of the field; only rank 0 asks. */
    const hx_selection level = {.field = WAVE_P, .n = {HX_REST, HX_REST, 1}, .array = {.base = lowest}};
    check(wave_gather_selected(s->halo, &s->fields, &level, rank == 0));
    return lowest;
}

uint64_t gather_checksum(const solver *s, MPI_Comm comm)
{
    const hx_part *mine = &s->shape.part;
    const int *cells = mine->partition.cells;
    uint64_t sum = 0, total = 0;
    for (int field = 0; field < WAVE_FIELDS; ++field) {
        const ptrdiff_t *stride;
        const double *from = owned(s, field, &stride);
        for (int k = 0; k < mine->n[2]; ++k) {
            for (int j = 0; j < mine->n[1]; ++j) {
                for (int i = 0; i < mine->n[0]; ++i) {
                    const int x[3] = {mine->first[0] + i, mine->first[1] + j, mine->first[2] + k};
                    uint64_t place = (uint64_t)field;
                    for (int a = 2; a >= 0; --a) {
                        place = place * (uint64_t)cells[a] + (uint64_t)x[a];
                    }
                    sum += checksum_of(from[i + j * stride[1] + k * stride[2]], place);
                }
            }
        }
    }
    MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, comm);
    return total;
}

void gather_write(const solver *s, MPI_Comm comm, const char *path)
{
    FILE *file = NULL;
    for (int field = 0; field < WAVE_FIELDS; ++field) {
        double *whole = gather_field(s, comm, field);
        if (whole == NULL) {
            continue;
        }
        const size_t count = cells_in(s->shape.part.partition.cells);
        if (file == NULL && (file = fopen(path, "wb")) == NULL) {
            fail("%s cannot be written: %s", path, strerror(errno));
        }
        if (fwrite(whole, sizeof *whole, count, file) != count) {
            fail("%s could not be written whole: %s", path, strerror(errno));
        }
        free(whole);
    }
    if (file != NULL && fclose(file) != 0) {
        fail("%s could not be written whole: %s", path, strerror(errno));
    }
}
