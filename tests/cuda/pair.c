#include "pair.h"

#include "check.h"
#include "mirror.h"

#include <fake.h>

#include <stdlib.h>
#include <string.h>

const pair_way pair_ways[PAIR_WAYS] = {
    {"persistent", "mapped"}, {"persistent", "copied"}, {"persistent", "aware"}, {"ipc", "mapped"}};
const pair_way *pair_taken = &pair_ways[PAIR_WAYS - 1];

static int in_turn(void *context, int tile, int block)
{
    (void)context;
    (void)tile;
    return block % 2;
}

void pair_layout(layout *l, const hx_spec *spec)
{
    const hx_partition partition = {.axes = 3, .cells = {5, 4, 6}, .ranks = {1, 1, 2}};
    layout_make(l, &(layout_request){spec, MPI_COMM_WORLD, &partition, in_turn, NULL, NULL, 1});
}

hx_status pair_create(const layout *l, double deadline, hx_handle **handle)
{
    hx_options options = HX_OPTIONS_INIT;
    options.transport = pair_taken->transport;
    options.deadline = deadline;
    const bool wanted = strcmp(pair_taken->messages, "aware") == 0;
    options.device_messages = fake_set_host_access(wanted) == wanted ? pair_taken->messages : "copied";
    return hx_create(l->spec, &l->blocks, l->shapes, &options, handle);
}

long pair_written(hx_handle *handle)
{
    static const char words[] = ", straight into arrays of its device ";
    const char *at = strstr(hx_describe(handle), words);
    return at ? strtol(at + strlen(words), NULL, 10) : -1;
}

void pair_exchange_once(const layout *l, hx_handle *handle, int exchange)
{
    arrays s;
    mirror m;
    arrays_make(&s, l, oracle_cartesian);
    arrays_fill(&s, 1);
    mirror_make(&m, &s);
    mirror_up(&m, NULL);
    CHECK_STATUS(hx_start_on(handle, exchange, m.pointers, NULL), HX_OK);
    CHECK_STATUS(hx_finish_on(handle, exchange, NULL), HX_OK);
    mirror_down(&m, NULL);
    arrays_expect(&s, exchange);
    arrays_check(&s, "once");
    mirror_free(&m);
    arrays_free(&s);
}
