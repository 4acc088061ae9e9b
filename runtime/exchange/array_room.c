#include "exchange/array_room.h"

#include "base/status.h"
#include "base/text.h"

#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

/* An array among the memory of alloc. */
typedef struct room {
    int slot;    /* of the set */
    size_t left; /* bytes from the array's begin to the end of what alloc gave there */
} room;

static bool find_in_set(const hx_handle *h, const hxi_set *set, const unsigned char *array, room *found)
{
    const int fields = h->spec->fields;
    for (int slot = 0; set->memory.own && slot < set->slots; ++slot) {
        const size_t bytes = hxi_block_allocated(h->spec, &h->mine.block[slot / fields], slot % fields);
        const uintptr_t offset = (uintptr_t)array - ((uintptr_t)set->memory.own + set->offset[slot]);
        if (!h->spec->field[slot % fields].on_device && offset < bytes) {
            *found = (room){slot, bytes - offset};
            return true;
        }
    }
    return false;
}

static hx_status check_in_sets(const hx_handle *h, const hxi_plan *plan, int number, const char *call)
{
    const hxi_slot *slot = &plan->slot[number];
    room found = {0};
    bool known = false;
    for (const hxi_set *set = h->sets.first; set && !known; set = set->next) {
        known = !set->window && find_in_set(h, set, plan->base[number], &found);
    }
    if (!known || slot->bytes <= found.left) {
        return HX_OK;
    }
    const hx_field *field = &h->spec->field[slot->field];
    return hxi_fail(HX_ERR_ARGUMENT,
                    "%s:%d: field %s of block %d takes %zu bytes; the array that rank %d gave %s has %zu: it "
                    "lies in the one that %s_alloc made for field %s of block %d.  Give it the array of its "
                    "own field.",
                    h->spec->file, field->line, field->name, slot->block, slot->bytes, h->topology.rank, call,
                    found.left, h->spec->name, h->spec->field[found.slot % h->spec->fields].name,
                    found.slot / h->spec->fields);
}

/* Does the process have all of the pages?  msync fails where it lacks one, and else does nothing to such memory. */
static hx_status check_pages(const hx_handle *h, const hxi_plan *plan, int number, const char *call)
{
    const hxi_slot *slot = &plan->slot[number];
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t within = (uintptr_t)plan->base[number] % page;
    if (slot->bytes == 0 ||
        msync((unsigned char *)plan->base[number] - within, slot->bytes + within, MS_ASYNC) == 0) {
        return HX_OK;
    }
    const hx_field *field = &h->spec->field[slot->field];
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s:%d: field %s of block %d takes %zu bytes; from the array that rank %d gave %s there are "
        "fewer before a page that this process does not have.  The array is too small for the shape "
        "given to create.",
        h->spec->file, field->line, field->name, slot->block, slot->bytes, h->topology.rank, call);
}

/* Has every byte from the first to the last of the array a point?  Arrays with gaps may lie within each
 * other. */
static bool is_dense(const hx_handle *h, const hxi_slot *slot)
{
    const hx_field *f = &h->spec->field[slot->field];
    const hxi_block *block = &h->mine.block[slot->block];
    size_t bytes = (size_t)f->size * (size_t)(f->components_after > 0 ? f->components : 1);
    for (int a = 0; a < h->spec->axes; ++a) {
        bytes *= (size_t)(block->cells[a] + h->spec->positions[f->positions].extra[a] + f->halo_lo[a] +
                          f->halo_hi[a]);
    }
    return !f->behind && !f->on_device && bytes == slot->bytes;
}

static hx_status check_pair(const hx_handle *h, const hxi_plan *plan, int one, int other, const char *call)
{
    const bool first = (uintptr_t)plan->base[one] < (uintptr_t)plan->base[other];
    const int low = first ? one : other;
    const int high = first ? other : one;
    const uintptr_t apart = (uintptr_t)plan->base[high] - (uintptr_t)plan->base[low];
    const hxi_slot *slot = &plan->slot[low];
    if (apart >= slot->bytes || plan->slot[high].bytes == 0) {
        return HX_OK;
    }
    const hx_field *field = &h->spec->field[slot->field];
    return hxi_fail(
        HX_ERR_ARGUMENT,
        "%s:%d: field %s of block %d takes %zu bytes, and the array that rank %d gave %s for field "
        "%s of block %d begins %zu bytes behind its first one.  One of them is too small for the "
        "shape given to create.",
        h->spec->file, field->line, field->name, slot->block, slot->bytes, h->topology.rank, call,
        h->spec->field[plan->slot[high].field].name, plan->slot[high].block, (size_t)apart);
}

hx_status hxi_array_room_check(const hx_handle *h, const hxi_plan *plan, const char *verb)
{
    char buffer[HX_CALL];
    const char *call = hxi_call(h->spec, plan->exchange, verb, buffer);
    hx_status status = HX_OK;
    for (int i = 0; i < plan->slots && status == HX_OK; ++i) {
        if (!h->spec->field[plan->slot[i].field].on_device) {
            status = check_in_sets(h, plan, i, call);
            status = status == HX_OK ? check_pages(h, plan, i, call) : status;
        }
        const bool dense = is_dense(h, &plan->slot[i]);
        for (int j = 0; j < i && dense && status == HX_OK; ++j) {
            status = is_dense(h, &plan->slot[j]) ? check_pair(h, plan, i, j, call) : HX_OK;
        }
    }
    return status;
}
