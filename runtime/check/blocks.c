#include "check/blocks.h"

#include "check/compare.h"
#include "check/cycles.h"
#include "check/device.h"
#include "check/mesh.h"
#include "check/spec.h"
#include "check/walls.h"

#include <stdlib.h>
#include <string.h>

/* As NAME_shape_dense makes it. */
static void make_shape(const check_run *r, const hx_part *part, unsigned char *shape)
{
    const hx_spec *s = r->spec;
    memcpy(shape, part, sizeof *part);
    hx_dense_strides(s, part, (void *)(shape + s->shape_stride),
                     s->shape_apart ? (void *)(shape + s->shape_apart) : NULL);
}

void hxi_check_make_blocks(check_run *r, const hx_part *part, int count)
{
    const size_t size = r->spec->shape_size;
    unsigned char *shapes = hxi_check_allocate((size_t)count + 1, size);
    r->blocks = count;
    r->block = hxi_check_allocate((size_t)count + 1, sizeof *r->block);
    r->block[0].shape = shapes; /* also of a rank without blocks */
    for (int b = 0; b < count; ++b) {
        unsigned char *shape = shapes + (size_t)b * size;
        make_shape(r, &part[b], shape);
        r->block[b] = (check_block){.shape = shape, .part = (void *)shape};
    }
}

void hxi_check_free_blocks(check_run *r)
{
    free(r->block[0].shape);
    free(r->block);
}

/* ---- arrays that are exchanged ------------------------------------------------------------------------- */

/* The address of a field's array, in the spec's struct of fields of a block. */
static unsigned char *pointer_at(const check_run *r, unsigned char *structs, int block, int field)
{
    return structs + (size_t)block * r->spec->fields_size + r->spec->field[field].pointer;
}

static void *array_of(const check_run *r, unsigned char *structs, int block, int field)
{
    void *array;
    memcpy(&array, pointer_at(r, structs, block, field), sizeof array);
    return array;
}

/* Some byte at least: lists may have no points. */
static size_t room_for(const check_run *r, int block, int field)
{
    const size_t bytes = hxi_check_bytes(r, &r->block[block], field);
    return bytes > 0 ? bytes : 1;
}

static void allocate_arrays(const check_run *r, unsigned char *structs)
{
    for (int b = 0; b < r->blocks; ++b) {
        for (int f = 0; f < r->spec->fields; ++f) {
            const size_t bytes = room_for(r, b, f);
            void *array =
                r->spec->field[f].on_device ? hxi_check_get(&r->device, bytes) : hxi_check_allocate(bytes, 1);
            memcpy(pointer_at(r, structs, b, f), &array, sizeof array);
        }
    }
}

static void free_arrays(const check_run *r, unsigned char *structs)
{
    for (int b = 0; b < r->blocks; ++b) {
        for (int f = 0; f < r->spec->fields; ++f) {
            void *array = array_of(r, structs, b, f);
            if (r->spec->field[f].on_device) {
                hxi_check_release(&r->device, array);
            } else {
                free(array);
            }
        }
    }
}

/* ---- arrays that are filled and compared --------------------------------------------------------------- */

/* Fields on the device are filled and compared in arrays of the host. */
static void find_arrays(const check_run *r, unsigned char *structs, int block)
{
    check_block *b = &r->block[block];
    const size_t fields = (size_t)r->spec->fields;
    b->array = hxi_check_allocate(fields, sizeof *b->array);
    b->before = hxi_check_allocate(fields, sizeof *b->before);
    b->beyond = hxi_check_allocate(fields, sizeof *b->beyond);
    for (int f = 0; f < r->spec->fields; ++f) {
        const bool there = r->spec->field[f].on_device;
        const bool fills = there && hxi_check_has_hook(r);
        const size_t room = room_for(r, block, f);
        b->array[f] = there ? hxi_check_allocate(room, 1) : array_of(r, structs, block, f);
        b->before[f] = hxi_check_allocate(room, 1);
        b->beyond[f] = fills ? hxi_check_allocate(room, 1) : NULL;
    }
    (r->spec->list ? hxi_check_begin_mesh : hxi_check_begin)(r, b);
    for (int f = 0; f < r->spec->fields; ++f) {
        memcpy(b->before[f], b->array[f], hxi_check_bytes(r, b, f));
    }
}

static void forget_arrays(const check_run *r, int block)
{
    const check_block *b = &r->block[block];
    for (int f = 0; f < r->spec->fields; ++f) {
        if (r->spec->field[f].on_device) {
            free(b->array[f]);
        }
        free(b->before[f]);
        free(b->beyond[f]);
    }
    free(b->array);
    free(b->before);
    free(b->beyond);
}

/* Brings the fields on the device there, or back. */
static void copy_arrays(const check_run *r, unsigned char *structs, bool back)
{
    for (int b = 0; b < r->blocks; ++b) {
        for (int f = 0; f < r->spec->fields; ++f) {
            void *here = r->block[b].array[f];
            void *there = array_of(r, structs, b, f);
            if (r->spec->field[f].on_device) {
                hxi_check_copy(&r->device, back ? here : there, back ? there : here,
                               hxi_check_bytes(r, &r->block[b], f), r->device.stream);
            }
        }
    }
}

/* ---- exchanges ----------------------------------------------------------------------------------------- */

static void try_exchange(check_run *r, unsigned char *structs, int exchange)
{
    const bool list = r->spec->list != 0;
    for (int b = 0; b < r->blocks; ++b) {
        for (int f = 0; f < r->spec->fields; ++f) {
            memcpy(r->block[b].array[f], r->block[b].before[f], hxi_check_bytes(r, &r->block[b], f));
        }
        (list ? hxi_check_prepare_mesh : hxi_check_prepare)(r, &r->block[b], exchange);
    }
    copy_arrays(r, structs, false);
    hxi_check_must(r->program->run(r->handle, exchange, structs, r->device.stream));
    copy_arrays(r, structs, true);
    if (r->device.calls) {
        hxi_check_follow(&r->device);
    }
    (list ? hxi_check_compare_mesh : hxi_check_compare)(r, exchange);
}

void hxi_check_try_exchanges(check_run *r, bool own)
{
    unsigned char *structs = hxi_check_allocate((size_t)r->blocks + 1, r->spec->fields_size);
    if (own) {
        allocate_arrays(r, structs);
    } else {
        hxi_check_must(hx_alloc(r->handle, structs));
    }
    for (int b = 0; b < r->blocks; ++b) {
        find_arrays(r, structs, b);
    }
    hxi_check_set_boundary(r);
    for (int exchange = 0; exchange < r->spec->exchanges; ++exchange) {
        try_exchange(r, structs, exchange);
    }
    hxi_check_try_cycles(r, structs, copy_arrays);
    for (int b = 0; b < r->blocks; ++b) {
        forget_arrays(r, b);
    }
    if (own) {
        free_arrays(r, structs);
    } else {
        hxi_check_must(hx_free(r->handle, structs));
    }
    free(structs);
}
