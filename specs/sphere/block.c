#include "block.h"

#include "../common/check.h"

#include <stdlib.h>

static void lay_out_cells(block *b, const flow *f, const sphere_fields *fields)
{
    const hx_part *part = &b->shape.part;
    const int n = part->partition.cells[0];
    for (int j = 0; j < part->n[1]; ++j) {
        for (int i = 0; i < part->n[0]; ++i) {
            const int x = part->first[0] + i, y = part->first[1] + j;
            cell *c = cell_of(b, i, j);
            c->middle = middle_of_cell(part->tile, x, y, n);
            c->area = area_of_cell(part->tile, x, y, n);
            c->bed = flow_bed(f, c->middle);
            c->coriolis = flow_coriolis(f, c->middle);
            double *place = fields->place + sphere_place_at(&b->shape, i, j, 0);
            place[0] = c->middle.x;
            place[1] = c->middle.y;
            place[2] = c->middle.z;
        }
    }
}

static void lay_out_faces(block *b, const flow *f, int axis)
{
    const hx_part *part = &b->shape.part;
    const int n = part->partition.cells[0];
    for (int j = 0; j < part->n[1] + (axis == 1); ++j) {
        for (int i = 0; i < part->n[0] + (axis == 0); ++i) {
            const int x = part->first[0] + i, y = part->first[1] + j;
            face *here = face_of(b, axis, i, j);
            here->side = side_of_cell(part->tile, axis, axis == 0 ? x : y, axis == 0 ? y : x, n);
            here->bed = flow_bed(f, here->side.middle);
        }
    }
}

void block_weigh_slopes(block *b, const sphere_fields *fields)
{
    for (int j = 0; j < b->shape.part.n[1]; ++j) {
        for (int i = 0; i < b->shape.part.n[0]; ++i) {
            vec around[4];
            for (int k = 0; k < 4; ++k) {
                around[k] = place_of(b, fields, i + beside[k][0], j + beside[k][1]);
            }
            cell *c = cell_of(b, i, j);
            weigh_slope(c->middle, around, 4, c->weight);
        }
    }
}

void block_lay_out(block *b, const flow *f, const sphere_fields *fields)
{
    const size_t x = (size_t)b->shape.part.n[0], y = (size_t)b->shape.part.n[1];
    b->cells = allocate(x * y, sizeof *b->cells);
    b->faces[0] = allocate((x + 1) * y, sizeof *b->faces[0]);
    b->faces[1] = allocate(x * (y + 1), sizeof *b->faces[1]);
    lay_out_cells(b, f, fields);
    lay_out_faces(b, f, 0);
    lay_out_faces(b, f, 1);
}

void block_free(block *b)
{
    free(b->cells);
    free(b->faces[0]);
    free(b->faces[1]);
}
