/*
 * Memory of libhx: counted, and refused where a test says so.  runtime/base/memory.c is compiled with these
 * names for aligned_alloc and free.
 */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 64 }; /* what libhx aligns to */

static _Thread_local long calls;
static _Thread_local long live;
static _Thread_local int refuse_in;
static _Thread_local bool refused;

/* The size of each piece stands before it. */
void *standin_aligned_alloc(size_t alignment, size_t bytes)
{
    ++calls;
    if (refuse_in > 0 && --refuse_in == 0) {
        refused = true;
        return NULL;
    }
    unsigned char *memory = aligned_alloc(alignment, LINE * ((bytes + 2 * LINE - 1) / LINE));
    if (!memory || alignment != LINE) {
        abort();
    }
    ++live;
    memcpy(memory, &bytes, sizeof bytes);
    return memory + LINE;
}

void standin_free(void *memory)
{
    if (memory) {
        unsigned char *whole = (unsigned char *)memory - LINE;
        size_t bytes = 0;
        memcpy(&bytes, whole, sizeof bytes);
        standin_check_freed(memory, bytes);
        --live;
        free(whole);
    }
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
