#include "redistribution/moving_arrays.h"

#include "base/status.h"
#include "device/array_memory.h"
#include "exchange/exchange.h"

#include <string.h>

void *hxi_moving_array(const hx_spec *spec, const void *fields, int block, int field)
{
    void *array;
    memcpy(&array, (const char *)fields + (size_t)block * spec->fields_size + spec->field[field].pointer,
           sizeof array);
    return array;
}

/* An array, and where it is for sentences. */
typedef struct given_array {
    const hxi_moving_end *end;
    int block;
    int field;
    void *array;
} given_array;

/* Is it in memory of the device? */
static hx_status check_place(const given_array *g, const char *caller)
{
    const hx_handle *h = g->end->handle;
    const char *name = h->spec->field[g->field].name;
    char fault[HX_SENTENCE / 4] = "";
    hxi_text text = {fault, sizeof fault, 0};
    const int error = hxi_array_memory_fault(h->device, g->array, true, &text);
    if (error != 0) {
        return hxi_device_fail(h->device->calls, error,
                               "%s: asking where the array %p of field %s of block %d of the %s lies", caller,
                               g->array, name, g->block, g->end->name);
    }
    return text.length == 0
               ? HX_OK
               : hxi_fail(HX_ERR_ARGUMENT,
                          "%s on rank %d: the array of field %s of block %d of the %s is %s; give one of "
                          "cudaMalloc, or of %s_alloc.",
                          caller, h->topology.rank, name, g->block, g->end->name, fault, h->spec->name);
}

static hx_status check_array(const given_array *g, const char *caller)
{
    const hx_handle *h = g->end->handle;
    const hx_field *field = &h->spec->field[g->field];
    const int rank = h->topology.rank;
    if ((uintptr_t)g->array % (uintptr_t)field->alignment != 0) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: the array of field %s of block %d of the %s, %p, is not aligned for "
                        "%s; give an address that is a multiple of %d.",
                        caller, rank, field->name, g->block, g->end->name, g->array, field->type,
                        field->alignment);
    }
    const hx_exchange *user =
        hxi_exchange_using(h, g->array, hxi_block_bytes(h->spec, &h->mine.block[g->block], g->field));
    if (user) {
        return hxi_fail(HX_ERR_STATE,
                        "%s:%d: exchange \"%s\" is under way on rank %d and uses field %s of block %d of the "
                        "%s; finish it before %s.",
                        h->spec->file, user->line, user->name, rank, field->name, g->block, g->end->name,
                        caller);
    }
    return field->on_device ? check_place(g, caller) : HX_OK;
}

hx_status hxi_moving_arrays_check(const hxi_moving_end *end, int64_t *told, const char *caller)
{
    const hx_handle *h = end->handle;
    const hx_spec *spec = h->spec;
    if (!end->fields && h->mine.blocks > 0) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "%s on rank %d: the fields of the %s are a null pointer; give one %s_fields a block.",
                        caller, h->topology.rank, end->name, spec->name);
    }
    for (int b = 0; b < h->mine.blocks; ++b) {
        for (int f = 0; f < spec->fields; ++f) {
            const given_array given = {end, b, f, hxi_moving_array(spec, end->fields, b, f)};
            if (!given.array && hxi_block_bytes(spec, &h->mine.block[b], f) == 0) {
                continue; /* of a list a rank may have no points */
            }
            told[given.array ? f : spec->fields + f] = 1;
            const hx_status status = given.array ? check_array(&given, caller) : HX_OK;
            if (status != HX_OK) {
                return status;
            }
        }
    }
    return HX_OK;
}
