#include "device/staging.h"

static const char purpose[] = "the messages of an exchange";

/* Of the messages of one direction, from *memory on, which moves on.  Returns how many copies they need. */
static int join(hxi_device_message *message, int count, unsigned char **memory, hxi_staged *staged)
{
    int copies = 0;
    for (int i = 0; i < count; ++i) {
        hxi_device_message *m = &message[i];
        if (!m->buffer) {
            continue;
        }
        if (i == 0 || !m[-1].buffer || m->buffer != m[-1].buffer + hxi_buffers_round(m[-1].bytes)) {
            staged[copies++] = (hxi_staged){.host = m->buffer, .device = *memory};
        }
        staged[copies - 1].bytes = (size_t)(m->buffer - staged[copies - 1].host) + m->bytes;
        m->place = *memory;
        *memory += hxi_buffers_round(m->bytes);
    }
    return copies;
}

hx_status hxi_staging_make(const hxi_device_context *device, hxi_device_message *message, int sends,
                           int receives, hxi_staging *staging)
{
    const int count = sends + receives;
    size_t total = 0;
    for (int m = 0; m < count; ++m) {
        total += message[m].buffer ? hxi_buffers_round(message[m].bytes) : 0;
    }
    if (total == 0) {
        return HX_OK;
    }
    staging->staged = hxi_memory_get((size_t)count, sizeof *staging->staged, purpose);
    hx_status status = staging->staged ? HX_OK : HX_ERR_MEMORY;
    status = status == HX_OK ? hxi_device_get(device, total, purpose, &staging->memory) : status;
    if (status != HX_OK) {
        return status;
    }
    unsigned char *memory = staging->memory;
    staging->outs = join(message, sends, &memory, staging->staged);
    staging->ins = join(message + sends, receives, &memory, staging->staged + staging->outs);
    return hxi_device_settle(device, purpose);
}

void hxi_staging_free(const hxi_device_context *device, hxi_staging *staging)
{
    if (staging->memory) {
        device->calls->free(HX_MEMORY_DEVICE, staging->memory);
    }
    hxi_memory_free(staging->staged);
    *staging = (hxi_staging){0};
}

static hx_status explain(const hxi_device_context *device, int error, size_t bytes, const char *from)
{
    return hxi_device_fail(device->calls, error, "Copying %zu bytes of messages %s device %d", bytes, from,
                           device->number);
}

hx_status hxi_staging_out(const hxi_device_context *device, const hxi_staging *staging, hx_stream stream)
{
    for (int i = 0; i < staging->outs; ++i) {
        const hxi_staged *s = &staging->staged[i];
        const int error = device->calls->copy(s->host, s->device, s->bytes, stream);
        if (error != 0) {
            return explain(device, error, s->bytes, "from");
        }
    }
    return HX_OK;
}

hx_status hxi_staging_in(const hxi_device_context *device, const hxi_staging *staging, hx_stream stream)
{
    for (int i = staging->outs; i < staging->outs + staging->ins; ++i) {
        const hxi_staged *s = &staging->staged[i];
        const int error = device->calls->copy(s->device, s->host, s->bytes, stream);
        if (error != 0) {
            return explain(device, error, s->bytes, "to");
        }
    }
    return HX_OK;
}
