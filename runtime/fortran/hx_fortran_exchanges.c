/*
 * Exchanges and cycles: the arrays of start, those of finish, and the calls of C between them.
 */
#include "hx_fortran_glue.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static void name_call(const hx_f_exchange *exchange, const hx_f_how *how, bool blocks, char call[HX_F_TEXT])
{
    static const char *const end[] = {
        [HX_F_WHOLE] = "",         [HX_F_START] = "_start",      [HX_F_FINISH] = "_finish",
        [HX_F_PACK] = "_pack",     [HX_F_SEND] = "_send",        [HX_F_RECEIVE] = "_receive",
        [HX_F_UNPACK] = "_unpack", [HX_F_CORNERS] = "_corners_", [HX_F_AUDIT] = "_audit"};
    const bool corners = how->part == HX_F_CORNERS;
    snprintf(call, HX_F_TEXT, "%s%s%s%s", exchange->name, blocks ? "_blocks" : "", end[how->part],
             corners ? how->axis : "");
}

/* Where a handle has what it knows of it: cycles lie behind the exchanges. */
static int place_of(const struct hx_f_halo *halo, const hx_f_exchange *exchange)
{
    return exchange->number + (exchange->cycle ? halo->exchanges : 0);
}

static void *address_of(const hx_f_array *array)
{
    return array->host ? array->host->base_addr : array->address;
}

/* Puts the arrays of a block where start finds them. */
static hx_status take(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how,
                      const hx_f_asked *where, const hx_f_array *arrays)
{
    for (int i = 0; i < exchange->fields; ++i) {
        const int field = exchange->field[i], at = where->block * halo->fields + field;
        const CFI_cdesc_t *host = arrays[i].host;
        if (host && (where->pointer || !hx_f_fits(&halo->dimensions[at], host))) {
            char call[HX_F_TEXT];
            name_call(exchange, how, where->pointer, call);
            const hx_f_asked q = {halo, call, field, where->block, where->pointer};
            const hx_status status = hx_f_check_array(&q, host);
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
                         const hx_f_asked *where, const hx_f_array *arrays)
{
    const int place = place_of(halo, exchange);
    if (!halo->started[place]) {
        return HX_OK; /* libhx has a sentence for that */
    }
    void *const *given = halo->given[place] + (ptrdiff_t)where->block * exchange->fields;
    for (int i = 0; i < exchange->fields; ++i) {
        const void *address = address_of(&arrays[i]);
        if (address != given[i]) {
            char call[HX_F_TEXT], name[HX_F_TEXT], line[HX_F_TEXT];
            name_call(exchange, how, where->pointer, call);
            hx_f_name_array(&(hx_f_asked){halo, call, exchange->field[i], where->block, where->pointer},
                            name);
            hx_f_name_line(halo->spec, exchange->field[i], line);
            return hx_f_refuse(HX_ERR_ARGUMENT, "%s: %s is not %s %s", call, name,
                               address
                                   ? "the array that start was given; pass the same one, and no copy "
                                     "that the compiler makes of it"
                                   : "allocated or associated any more; keep an array until its exchange is "
                                     "finished",
                               line);
        }
    }
    return HX_OK;
}

static hx_status take_or_compare(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how,
                                 const hx_f_asked *where, const hx_f_array *arrays)
{
    const hx_status status = how->part == HX_F_FINISH ? compare(halo, exchange, how, where, arrays)
                                                      : take(halo, exchange, how, where, arrays);
    return status == HX_OK ? HX_OK : hx_f_say_rank(halo, status);
}

/* After a start: which arrays it was given. */
static void note(struct hx_f_halo *halo, const hx_f_exchange *exchange)
{
    void **given = halo->given[place_of(halo, exchange)];
    for (int b = 0; b < halo->blocks; ++b) {
        for (int i = 0; i < exchange->fields; ++i) {
            *given++ = halo->arrays[b * halo->fields + exchange->field[i]];
        }
    }
    halo->started[place_of(halo, exchange)] = true;
}

static hx_status make_room(struct hx_f_halo *halo, const hx_f_exchange *exchange)
{
    void ***given = &halo->given[place_of(halo, exchange)];
    const size_t arrays = (size_t)halo->blocks * (size_t)exchange->fields;
    if (!*given) {
        *given = calloc(arrays > 0 ? arrays : 1, sizeof **given);
    }
    return *given ? HX_OK : hx_f_no_memory(exchange->name);
}

static hx_status start(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how)
{
    if (exchange->cycle) {
        return hx_cycle_start(halo->handle, exchange->number, halo->arrays, how->stream);
    }
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
    if (exchange->cycle) {
        status = hx_cycle_finish(halo->handle, exchange->number, how->stream);
    } else if (how->part == HX_F_UNPACK) {
        status = hx_unpack_on(halo->handle, exchange->number, halo->arrays, how->stream);
    } else if (exchange->on_device) {
        status = hx_finish_on(halo->handle, exchange->number, how->stream);
    } else {
        status = hx_finish(halo->handle, exchange->number);
    }
    if (status == HX_OK) {
        halo->started[place_of(halo, exchange)] = false;
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
    case HX_F_AUDIT:
        return hx_audit(halo->handle, exchange->number, halo->arrays);
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
        char call[HX_F_TEXT];
        name_call(exchange, how, false, call);
        return halo ? hx_f_refuse(HX_ERR_ARGUMENT, "%s: the handle has %d blocks on rank %d; call %s_blocks",
                                  call, halo->blocks, halo->rank, exchange->name)
                    : hx_f_not_created(call);
    }
    const hx_f_asked where = {.halo = halo};
    const hx_status status = arrays ? take_or_compare(halo, exchange, how, &where, arrays) : HX_OK;
    return status == HX_OK ? hx_f_go(halo, exchange, how) : status;
}

hx_status hx_f_check(const struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how,
                     int blocks)
{
    char call[HX_F_TEXT];
    if (halo && halo->blocks == blocks) {
        return HX_OK;
    }
    name_call(exchange, how, true, call);
    return halo ? hx_f_refuse_blocks(halo, call, blocks) : hx_f_not_created(call);
}

hx_status hx_f_take(struct hx_f_halo *halo, const hx_f_exchange *exchange, const hx_f_how *how, int block,
                    const hx_f_array *arrays)
{
    const hx_f_asked where = {.halo = halo, .block = block - 1, .pointer = true};
    return take_or_compare(halo, exchange, how, &where, arrays);
}

hx_status hx_f_test(const struct hx_f_halo *halo, const char *call, int exchange, int *done)
{
    *done = 0;
    return halo ? hx_test(halo->handle, exchange - 1, done) : hx_f_not_created(call);
}

/* ---- where to work: interior and rim, and steps of a cycle ---- */

/* May a program ask for points of this field of this block?  Both count from 1. */
static hx_status check_place(const struct hx_f_halo *halo, const char *call, int block, int field)
{
    if (!halo) {
        return hx_f_not_created(call);
    }
    if (block < 1 || block > halo->blocks) {
        return hx_f_refuse(HX_ERR_ARGUMENT, "%s: the handle has %d block%s on rank %d, and block is %d", call,
                           halo->blocks, halo->blocks == 1 ? "" : "s", halo->rank, block);
    }
    if (field < 1 || field > halo->fields) {
        return hx_f_refuse(HX_ERR_ARGUMENT, "%s: fields are counted from 1 to %d, and field is %d", call,
                           halo->fields, field);
    }
    return HX_OK;
}

/* C counts from 0 and ends one behind; Fortran counts from 1 and ends with the last. */
static hx_f_box box_of(const hx_box *box)
{
    hx_f_box out;
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        out.lo[a] = box->lo[a] + 1;
        out.hi[a] = box->hi[a];
    }
    return out;
}

hx_status hx_f_work_boxes(const struct hx_f_halo *halo, const char *call, const hx_f_work *work,
                          hx_f_box *boxes, int *count)
{
    *count = 0;
    const hx_status status = check_place(halo, call, work->block, work->field);
    if (status != HX_OK) {
        return status;
    }
    const struct hx_spec *spec = halo->spec->tables;
    const hx_part *part = &halo->part[work->block - 1]; /* all that they read of a shape */
    const hx_boxes found = work->rim ? hx_rim(spec, part, work->exchange - 1, work->field - 1)
                                     : hx_interior(spec, part, work->exchange - 1, work->field - 1);
    for (; *count < found.count; ++*count) {
        boxes[*count] = box_of(&found.box[*count]);
    }
    return HX_OK;
}

hx_status hx_f_cycle_restart(struct hx_f_halo *halo, const char *call, int cycle)
{
    return halo ? hx_cycle_restart(halo->handle, cycle) : hx_f_not_created(call);
}

hx_status hx_f_cycle_points(const struct hx_f_halo *halo, const char *call, const hx_f_step *step,
                            hx_f_box *points)
{
    *points = (hx_f_box){.lo = {1, 1, 1, 1}}; /* none */
    const hx_status status = check_place(halo, call, step->block, step->field);
    if (status != HX_OK) {
        return status;
    }
    const hx_boxes boxes =
        hx_cycle_points(halo->handle, step->cycle, step->step, step->block - 1, step->field - 1);
    if (boxes.count == 0) {
        return hx_f_refuse(HX_ERR_STATE, "%s: no cycle goes on on rank %d; start one before its steps", call,
                           halo->rank);
    }
    *points = box_of(&boxes.box[0]);
    return HX_OK;
}
