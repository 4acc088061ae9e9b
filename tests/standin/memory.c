/*
 * Memory of libhx: counted, and refused where a test says so.  runtime/memory.c is compiled with these names
 * for aligned_alloc and free.
 */
#include "standin.h"

#include <stdlib.h>

void *standin_aligned_alloc(size_t alignment, size_t bytes);
void standin_free(void *memory);

static _Thread_local long calls;
static _Thread_local long live;
static _Thread_local int refuse_in;
static _Thread_local bool refused;

void *standin_aligned_alloc(size_t alignment, size_t bytes)
{
    ++calls;
    if (refuse_in > 0 && --refuse_in == 0) {
        refused = true;
        return NULL;
    }
    ++live;
    return aligned_alloc(alignment, bytes);
}

void standin_free(void *memory)
{
    live -= memory != NULL;
    free(memory);
}

void standin_refuse_at(int n)
{
    refuse_in = n;
    refused = false;
}

bool standin_refused(void)
{
    refuse_in = 0;
    return refused;
}

long standin_memory_calls(void)
{
    return calls;
}

long standin_memory_live(void)
{
    return live;
}
