#include "gpu.h"

#include <stdarg.h>
#include <stdlib.h>

void give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "gpu_bench: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(2);
}

void must(int error, const char *purpose)
{
    if (error != 0) {
        give_up("%s: %s (%d)", purpose, cudaGetErrorString((cudaError_t)error), error);
    }
}

void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (!memory) {
        give_up("no memory for %zu times %zu bytes", count, size);
    }
    return memory;
}

/* ---- boxes ----------------------------------------------------------------------------------- */

void direction_of(int d, int direction[3])
{
    const int number = d < DIRECTIONS / 2 ? d : d + 1; /* without that of the middle */
    direction[0] = number / 9 - 1;
    direction[1] = number / 3 % 3 - 1;
    direction[2] = number % 3 - 1;
}

box box_sent(const extents *s, int d)
{
    int direction[3];
    direction_of(d, direction);
    box b;
    for (int a = 0; a < 3; ++a) {
        b.first[a] = direction[a] > 0 ? s->n : s->h;
        b.extent[a] = direction[a] == 0 ? s->n : s->h;
    }
    return b;
}

box box_filled(const extents *s, int d)
{
    int direction[3];
    direction_of(d, direction);
    box b = box_sent(s, d);
    for (int a = 0; a < 3; ++a) {
        b.first[a] += direction[a] * s->h;
    }
    return b;
}

size_t box_cells(const box *b)
{
    return (size_t)b->extent[0] * (size_t)b->extent[1] * (size_t)b->extent[2];
}

size_t box_at(const extents *s, const box *b)
{
    const size_t wide = (size_t)(s->n + 2 * s->h);
    return ((size_t)b->first[0] * wide + (size_t)b->first[1]) * wide + (size_t)b->first[2];
}

/* ---- arrays ---------------------------------------------------------------------------------- */

enum { SPACE_BETWEEN = 64 }; /* bytes between parts of messages, at most */

static void *device_memory(size_t bytes)
{
    void *memory = NULL;
    must(cudaMalloc(&memory, bytes), "memory of the device");
    return memory;
}

/* As many as it takes, and as there is memory for. */
static int sets_for(const problem *p, size_t cache)
{
    size_t vacant = 0;
    size_t total = 0;
    must(cudaMemGetInfo(&vacant, &total), "asking for memory that is left");
    const size_t each = (size_t)p->shape.fields * p->cells * sizeof(double) + 2 * p->message_bytes;
    const size_t most = vacant / 10 * 8 / each;
    size_t wanted = cache > 0 ? 2 + 2 * cache / (2 * p->packed) : 2;
    wanted = cache > 0 && wanted < 3 ? 3 : wanted;
    if (most < 2) {
        give_up("two sets of arrays of %zu bytes are more than the device has room for", each);
    }
    return (int)(wanted < most ? wanted : most);
}

void problem_make(problem *p, const extents *s, const hx_spec *spec, size_t cache)
{
    const size_t wide = (size_t)(s->n + 2 * s->h);
    const size_t owned = (size_t)s->n * (size_t)s->n * (size_t)s->n;
    *p = (problem){.shape = *s, .spec = spec, .cells = wide * wide * wide};
    p->packed = (size_t)s->fields * (p->cells - owned) * sizeof(double);
    p->message_bytes = p->packed + DIRECTIONS * (MOST_FIELDS + 1) * SPACE_BETWEEN;
    p->sets = sets_for(p, cache);
    p->set = allocate((size_t)p->sets, sizeof *p->set);
    must(cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking), "making a stream");
    p->wrong = device_memory(MOST_THREADS * sizeof *p->wrong);
    for (int i = 0; i < p->sets; ++i) {
        for (int f = 0; f < s->fields; ++f) {
            p->set[i].field[f] = device_memory(p->cells * sizeof(double));
        }
        p->set[i].message = device_memory(p->message_bytes);
        p->set[i].spare = device_memory(p->message_bytes);
        problem_fill(p, i);
    }
}

void problem_free(problem *p)
{
    for (int i = 0; i < p->sets; ++i) {
        for (int f = 0; f < p->shape.fields; ++f) {
            must(cudaFree(p->set[i].field[f]), "giving back arrays");
        }
        must(cudaFree(p->set[i].message), "giving back a message");
        must(cudaFree(p->set[i].spare), "giving back a message");
    }
    must(cudaFree(p->wrong), "giving back counters");
    must(cudaStreamDestroy(p->stream), "closing the stream");
    free(p->set);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Those of a field: no other field or run has the same. */
static values values_of(const problem *p, int set, int field)
{
    const double apart = (double)p->shape.n * p->shape.n * p->shape.n;
    const size_t blocks = p->cells / 1024 + 1;
    return (values){.field = p->set[set].field[field],
                    .blocks = blocks < MOST_BLOCKS ? (uint32_t)blocks : MOST_BLOCKS,
                    .wrong = p->wrong,
                    .n = p->shape.n,
                    .h = p->shape.h,
                    .first = apart * (p->run * MOST_FIELDS + field)};
}

void problem_fill(problem *p, int set)
{
    enum { SPOILED = 0xff }; /* bytes; no number is equal to eight of them */
    ++p->run;
    for (int f = 0; f < p->shape.fields; ++f) {
        const values v = values_of(p, set, f);
        must(values_fill(&v, p->stream), "filling arrays");
    }
    must(cudaMemsetAsync(p->set[set].message, SPOILED, p->message_bytes, p->stream), "spoiling a message");
    must(cudaMemsetAsync(p->set[set].spare, SPOILED, p->message_bytes, p->stream), "spoiling a message");
}

long problem_wrong(const problem *p, int set)
{
    long wrong = 0;
    uint32_t *count = allocate(MOST_THREADS, sizeof *count);
    for (int f = 0; f < p->shape.fields; ++f) {
        const values v = values_of(p, set, f);
        must(values_check(&v, p->stream), "looking at arrays");
        must(
            cudaMemcpyAsync(count, p->wrong, MOST_THREADS * sizeof *count, cudaMemcpyDeviceToHost, p->stream),
            "fetching counters");
        must(cudaStreamSynchronize(p->stream), "looking at arrays");
        for (uint32_t i = 0; i < MOST_THREADS / MOST_BLOCKS * v.blocks; ++i) {
            wrong += count[i];
        }
    }
    free(count);
    return wrong;
}
