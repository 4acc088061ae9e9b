#include "device/device_work.h"

#include <string.h>

static const char purpose[] = "the tables of an exchange";

static const hxi_cuda_list *list_of(const hxi_cuda_lists *lists, hxi_device_task task)
{
    const hxi_cuda_list *const all[HX_DEVICE_TASKS] = {
        [HX_DEVICE_PACK] = &lists->pack,     [HX_DEVICE_COPY] = &lists->copy,
        [HX_DEVICE_UNPACK] = &lists->unpack, [HX_DEVICE_SUM] = &lists->sum,
        [HX_DEVICE_ZERO] = &lists->zero,     [HX_DEVICE_COMBINE] = &lists->combine,
        [HX_DEVICE_LEAVE] = &lists->leave,
    };
    return all[task];
}

static hx_cuda_fn *kernel_of(const hx_cuda_kernels *k, hxi_device_task task)
{
    return task == HX_DEVICE_SUM       ? k->sum
           : task == HX_DEVICE_COMBINE ? k->combine
           : task == HX_DEVICE_ZERO    ? k->zero
                                       : k->move;
}

static hx_cuda_listed_fn *listed_of(const hx_cuda_listing *l, hxi_device_task task)
{
    return task == HX_DEVICE_PACK     ? l->pack
           : task == HX_DEVICE_UNPACK ? l->unpack
           : task == HX_DEVICE_COPY   ? l->copy
           : task == HX_DEVICE_SUM    ? l->sum
                                      : l->zero;
}

static hx_status make_tables(hxi_device_work *w)
{
    hxi_device_entry entry[2 * HX_DEVICE_TASKS];
    for (int i = 0; i < 2 * HX_DEVICE_TASKS; ++i) {
        const hxi_device_task task = (hxi_device_task)(i / 2);
        hxi_device_lists *lists = &w->lists[i % 2];
        entry[i] = (hxi_device_entry){list_of(&lists->lists, task), &lists->tables[task]};
        lists->tables[task].unfit = w->unfit;
    }
    return hxi_device_place_tables(w->device, entry, 2 * HX_DEVICE_TASKS, &w->memory);
}

/* ---- making -------------------------------------------------------------------------------------------- */

/* The most messages of one direction. */
static int most_messages(const hxi_device_work *w)
{
    return w->sends > w->receives ? w->sends : w->receives;
}

static hx_status make_bases(hxi_device_work *w, const hxi_work *work)
{
    w->slots = work->mine->blocks * work->fields;
    const size_t bases = (size_t)w->slots + (size_t)most_messages(w) + 1;
    w->out = hxi_memory_get(bases, sizeof *w->out, "the arrays of an exchange");
    w->in = hxi_memory_get(bases, sizeof *w->in, "the arrays of an exchange");
    return w->out && w->in ? HX_OK : HX_ERR_MEMORY;
}

static hx_status make_copies(hxi_device_work *w)
{
    const size_t bytes = w->lists[0].lists.kept;
    const int number = w->slots + most_messages(w);
    const hx_status status =
        bytes > 0 ? hxi_device_get(w->device, bytes, "what combines shared points", &w->copies) : HX_OK;
    w->out[number] = w->in[number] = w->copies;
    return status;
}

static hx_status make_messages(hxi_device_work *w)
{
    const size_t messages = (size_t)w->sends + (size_t)w->receives;
    w->message = hxi_memory_get(messages, sizeof *w->message, "the messages of an exchange");
    return w->message ? HX_OK : HX_ERR_MEMORY;
}

/* Are there integers on the device that may not fit the format in which they travel? */
static bool has_unfit(const hxi_work *work)
{
    bool has = false;
    for (int i = 0; i < work->exchange->fields; ++i) {
        const hx_exchange_field *item = &work->exchange->field[i];
        has = has || (item->wire >= HX_WIRE_INT8 && work->spec->field[item->field].on_device);
    }
    return has;
}

static hx_status make_notes(hxi_device_work *w, const hxi_work *work)
{
    void *memory[2] = {NULL, NULL};
    if (!has_unfit(work)) {
        return HX_OK;
    }
    const hx_status status =
        hxi_device_get(w->device, sizeof *w->unfit, "numbers that do not fit", &memory[0]);
    w->unfit = memory[0];
    const int error =
        status == HX_OK ? w->device->calls->get(HX_MEMORY_PINNED, sizeof *w->seen, &memory[1]) : 0;
    w->seen = error == 0 ? memory[1] : NULL;
    return error == 0 ? status
                      : hxi_device_fail(w->device->calls, error, "Getting %zu bytes of pinned memory",
                                        sizeof *w->seen);
}

static hx_status make_events(hxi_device_work *w)
{
    const hx_device *calls = w->device->calls;
    int error = calls->event_open(&w->turn);
    error = error == 0 ? calls->event_open(&w->marked) : error;
    return error == 0 ? HX_OK : hxi_device_fail(calls, error, "Making events");
}

hx_status hxi_device_work_make(const hxi_device_context *device, const hxi_work *work, int sends,
                               int receives, hxi_device_work **made)
{
    hxi_device_work *w = hxi_memory_get(1, sizeof *w, purpose);
    *made = w;
    if (!w) {
        return HX_ERR_MEMORY;
    }
    w->device = device;
    w->sends = sends;
    w->receives = receives;
    hx_status status = make_bases(w, work);
    status = status == HX_OK ? make_messages(w) : status;
    for (int aligned = 0; aligned < 2 && status == HX_OK; ++aligned) {
        status = hxi_cuda_lists_make(work, device->spec->cuda, aligned != 0, most_messages(w),
                                     &w->lists[aligned].lists);
    }
    status = status == HX_OK ? make_copies(w) : status;
    status = status == HX_OK ? make_notes(w, work) : status;
    status = status == HX_OK ? make_events(w) : status;
    return status == HX_OK ? make_tables(w) : status;
}

void hxi_device_work_free(hxi_device_work *w, int abandon)
{
    if (!w) {
        return;
    }
    if (abandon) {
        hxi_memory_keep(&w->kept);
        return;
    }
    const hx_device *calls = w->device->calls;
    if (w->turn) {
        calls->event_close(w->turn);
    }
    if (w->marked) {
        calls->event_close(w->marked);
    }
    if (w->memory) {
        calls->free(HX_MEMORY_DEVICE, w->memory);
    }
    if (w->copies) {
        calls->free(HX_MEMORY_DEVICE, w->copies);
    }
    if (w->unfit) {
        calls->free(HX_MEMORY_DEVICE, w->unfit);
    }
    if (w->seen) {
        calls->free(HX_MEMORY_PINNED, w->seen);
    }
    hxi_staging_free(w->device, &w->staging);
    hxi_cuda_lists_free(&w->lists[0].lists);
    hxi_cuda_lists_free(&w->lists[1].lists);
    hxi_memory_free(w->out);
    hxi_memory_free(w->in);
    hxi_memory_free(w->message);
    hxi_memory_free(w);
}

/* Kernels write and read the buffers themselves. */
static hx_status map(const hxi_device_work *w)
{
    for (int m = 0; m < w->sends + w->receives; ++m) {
        hxi_device_message *message = &w->message[m];
        const int error = message->buffer ? w->device->calls->mapped(message->buffer, &message->place) : 0;
        if (error != 0) {
            return hxi_device_fail(w->device->calls, error, "Asking where device %d sees pinned memory",
                                   w->device->number);
        }
    }
    return HX_OK;
}

void hxi_device_work_lay(hxi_device_work *w, int number, void *place)
{
    void **base = number < w->sends ? &w->out[w->slots + number] : &w->in[w->slots + number - w->sends];
    *base = place;
}

static hx_status find_places(hxi_device_work *w, hxi_messages messages)
{
    if (messages == HX_MESSAGES_COPIED) {
        return hxi_staging_make(w->device, w->message, w->sends, w->receives, &w->staging);
    }
    if (messages == HX_MESSAGES_MAPPED) {
        return map(w);
    }
    for (int m = 0; m < w->sends + w->receives; ++m) {
        w->message[m].place = w->message[m].buffer;
    }
    return HX_OK;
}

hx_status hxi_device_work_bind(hxi_device_work *w, hxi_messages messages)
{
    const hx_status status = find_places(w, messages);
    for (int m = 0; m < w->sends + w->receives; ++m) {
        hxi_device_work_lay(w, m, w->message[m].place);
    }
    return status;
}

/* ---- running ------------------------------------------------------------------------------------------- */

void hxi_device_work_take(hxi_device_work *w, void *const *array, const bool on_device[])
{
    w->aligned = 1;
    for (int s = 0; s < w->slots; ++s) {
        w->out[s] = on_device[s] ? array[s] : NULL;
        w->in[s] = w->out[s];
        w->aligned = w->aligned && (uintptr_t)w->out[s] % 16 == 0;
    }
}

static int launch(const hxi_device_work *w, hxi_device_task task, void *const *base, hx_stream stream)
{
    const hxi_device_lists *lists = &w->lists[w->aligned];
    const hxi_cuda_list *list = list_of(&lists->lists, task);
    const hxi_cuda_tables *tables = &lists->tables[task];
    const hx_cuda_kernels *k = w->device->spec->cuda;
    return k->listing ? hxi_cuda_run_listed(list, listed_of(k->listing, task), tables, base, stream)
                      : hxi_cuda_run(list, kernel_of(k, task), tables, base, stream);
}

static hx_status run(const hxi_device_work *w, hxi_device_task task, void *const *base, hx_stream stream)
{
    const int error = launch(w, task, base, stream);
    static const char *const names[HX_DEVICE_TASKS] = {
        [HX_DEVICE_PACK] = "packs",  [HX_DEVICE_COPY] = "copies",       [HX_DEVICE_UNPACK] = "unpacks",
        [HX_DEVICE_SUM] = "adds",    [HX_DEVICE_ZERO] = "sets to zero", [HX_DEVICE_COMBINE] = "combines",
        [HX_DEVICE_LEAVE] = "packs",
    };
    return error == 0 ? HX_OK
                      : hxi_device_fail(w->device->calls, error, "Launching what %s on device %d",
                                        names[task], w->device->number);
}

hx_status hxi_device_work_pack(const hxi_device_work *w, hx_stream stream)
{
    const hx_status status = run(w, HX_DEVICE_PACK, w->out, stream);
    return status == HX_OK ? hxi_staging_out(w->device, &w->staging, stream) : status;
}

hx_status hxi_device_work_copy_within(const hxi_device_work *w, hx_stream stream)
{
    return run(w, HX_DEVICE_COPY, w->out, stream);
}

hx_status hxi_device_work_leave(const hxi_device_work *w, hx_stream stream)
{
    if (list_of(&w->lists[w->aligned].lists, HX_DEVICE_LEAVE)->launches > 0) {
        const hx_status status = run(w, HX_DEVICE_LEAVE, w->out, stream);
        return status == HX_OK ? hxi_staging_out(w->device, &w->staging, stream) : status;
    }
    const hx_status status = hxi_device_work_pack(w, stream);
    return status == HX_OK ? hxi_device_work_copy_within(w, stream) : status;
}

hx_status hxi_device_work_unpack(const hxi_device_work *w, hx_stream stream)
{
    hx_status status = hxi_staging_in(w->device, &w->staging, stream);
    status = status == HX_OK ? run(w, HX_DEVICE_UNPACK, w->in, stream) : status;
    status = status == HX_OK ? run(w, HX_DEVICE_SUM, w->in, stream) : status;
    status = status == HX_OK ? run(w, HX_DEVICE_ZERO, w->in, stream) : status;
    return status == HX_OK ? run(w, HX_DEVICE_COMBINE, w->in, stream) : status;
}

hx_status hxi_device_work_copy(const hxi_device_work *w, void *to, const void *from, size_t bytes,
                               hx_stream stream)
{
    const int error = w->device->calls->copy(to, from, bytes, stream);
    return error == 0
               ? HX_OK
               : hxi_device_fail(w->device->calls, error, "Copying a message of %zu bytes on device %d",
                                 bytes, w->device->number);
}

hx_status hxi_device_work_look(const hxi_device_work *w, hx_stream stream)
{
    const hx_device *calls = w->device->calls;
    int error = calls->copy(w->seen, w->unfit, sizeof *w->seen, stream);
    error = error == 0 ? calls->zero(w->unfit, sizeof *w->unfit, stream) : error;
    return error == 0 ? HX_OK
                      : hxi_device_fail(calls, error, "Asking which numbers do not fit on device %d",
                                        w->device->number);
}

hx_status hxi_device_work_follow(const hxi_device_work *w, hx_stream stream, hx_stream before)
{
    const hx_device *calls = w->device->calls;
    int error = calls->event_record(w->turn, before);
    error = error == 0 ? calls->event_wait(w->turn, stream) : error;
    return error == 0 ? HX_OK
                      : hxi_device_fail(calls, error, "Having a stream of device %d wait for another",
                                        w->device->number);
}

hx_status hxi_device_work_mark(const hxi_device_work *w, hx_stream stream)
{
    const int error = w->device->calls->event_record(w->marked, stream);
    return error == 0 ? HX_OK
                      : hxi_device_fail(w->device->calls, error, "Recording an event of device %d",
                                        w->device->number);
}

hx_status hxi_device_work_marked(const hxi_device_work *w, bool *done)
{
    const int error = w->device->calls->event_done(w->marked, done);
    return error == 0 ? HX_OK
                      : hxi_device_fail(w->device->calls, error,
                                        "Packing or copying messages on device %d, or a kernel before that,",
                                        w->device->number);
}

int hxi_device_work_launches(const hxi_device_work *w, hxi_device_task task)
{
    return list_of(&w->lists[1].lists, task)->launches;
}
