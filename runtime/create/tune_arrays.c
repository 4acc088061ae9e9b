#include "create/tune_arrays.h"

#include "base/status.h"
#include "base/text.h"
#include "exchange/handle.h"

/* Bytes of arrays, of the host and of a device: what is larger is not measured. */
static const int64_t most_bytes[] = {(int64_t)1 << 28, (int64_t)1 << 31};

/* Bytes of messages of all exchanges; with HX_TUNE_REAL 32 MiB. */
static const int64_t most_of_messages = 24 << 20;

/* Bytes of this rank's arrays of a field, or more than any rank gets. */
static int64_t count_bytes(const hx_handle *h, int field)
{
    const int64_t most = most_bytes[h->spec->field[field].on_device];
    int64_t bytes = 0;
    for (int b = 0; b < h->mine.blocks; ++b) {
        const size_t more = hxi_block_bytes(h->spec, &h->mine.block[b], field);
        bytes = more <= (size_t)(most - bytes) ? bytes + (int64_t)more : most + 1;
        if (bytes > most) {
            break;
        }
    }
    return bytes;
}

static int64_t count_messages(const hx_handle *h)
{
    int64_t bytes = 0;
    for (int e = 0; e < h->plans; ++e) {
        bytes += (int64_t)hxi_plan_buffer_bytes(&h->plan[e], false);
    }
    return bytes;
}

static bool has(const hx_exchange *exchange, int field)
{
    bool found = false;
    for (int i = 0; i < exchange->fields; ++i) {
        found = found || exchange->field[i].field == field;
    }
    return found;
}

/* Where there is not enough for an exchange beside what is needed already: of the host, 0, or of the device,
 * 1; -1: nowhere. */
static int find_excess(const hx_spec *spec, const hx_exchange *exchange, const bool needed[],
                       const int64_t bytes[])
{
    int64_t sum[2] = {0, 0};
    int excess = -1;
    for (int f = 0; f < spec->fields; ++f) {
        const int there = spec->field[f].on_device;
        if (needed[f] || has(exchange, f)) {
            sum[there] += bytes[f];
            excess = sum[there] > most_bytes[there] ? there : excess;
        }
    }
    return excess;
}

static void refuse(hxi_tuned *tuned, int there)
{
    hxi_text text = {tuned->about, sizeof tuned->about, 0};
    hxi_text_add(&text,
                 "not measured: its arrays, with those of what is measured, have more than %lld bytes on "
                 "a rank%s",
                 (long long)most_bytes[there], there ? "'s device" : "");
}

hx_status hxi_tune_choose_arrays(const hx_handle *h, unsigned open[], hxi_tuned tuned[], bool needed[],
                                 int64_t mine[], int64_t most[])
{
    const hx_spec *spec = h->spec;
    int chosen = 0; /* those known before, too */
    int refused = -1;
    for (int f = 0; f < spec->fields; ++f) {
        mine[f] = count_bytes(h, f);
    }
    mine[spec->fields] = count_messages(h);
    const hx_status status =
        hxi_topology_agree(h->topology.comm, hxi_topology_most(&h->topology, mine, most, spec->fields + 1));
    if (status == HX_OK && most[spec->fields] > most_of_messages) {
        return hxi_fail(HX_ERR_LIMIT, "The messages of a rank have more than %lld bytes.",
                        (long long)most_of_messages);
    }
    for (int e = 0; e < spec->exchanges && status == HX_OK; ++e) {
        const int there = open[e] != 0 ? find_excess(spec, &spec->exchange[e], needed, most) : -1;
        if (there >= 0) {
            refuse(&tuned[e], there);
            refused = there;
            open[e] = 0;
        }
        for (int f = 0; f < spec->fields && open[e] != 0; ++f) {
            needed[f] = needed[f] || has(&spec->exchange[e], f);
        }
        chosen += open[e] != 0 || tuned[e].taken.transport;
    }
    return status != HX_OK || chosen > 0 || refused < 0
               ? status
               : hxi_fail(HX_ERR_LIMIT, "The arrays of a rank%s have more than %lld bytes.",
                          refused ? " on its device" : "", (long long)most_bytes[refused]);
}
