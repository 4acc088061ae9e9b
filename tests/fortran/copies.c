/* Stands before hx_start of libhx, and remembers what it was given. */
#define _GNU_SOURCE
#include "channel.h"

#include <hx/fortran.h>

#include <dlfcn.h>
#include <string.h>

void *last_given(int field);
size_t size_of_part(void);
size_t size_of_shape(void);
size_t size_of_traffic(void);
size_t size_of_options(void);

static void *given[CHANNEL_FIELDS];

hx_status hx_start(hx_handle *handle, int exchange, const void *fields)
{
    hx_status (*start)(hx_handle *, int, const void *) = NULL;
    *(void **)&start = dlsym(RTLD_NEXT, "hx_start");
    memcpy(given, fields, sizeof given);
    return start(handle, exchange, fields);
}

void *last_given(int field)
{
    return given[field];
}

size_t size_of_part(void)
{
    return sizeof(hx_part);
}

size_t size_of_shape(void)
{
    return sizeof(channel_shape);
}

size_t size_of_traffic(void)
{
    return sizeof(hx_traffic);
}

size_t size_of_options(void)
{
    return sizeof(hx_f_options);
}
