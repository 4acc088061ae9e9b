/* A calloc and an hx_field_query that fail when they are asked to, and a count of handles. */
#define _GNU_SOURCE
#include <hx/abi.h>

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>

void fail_calloc(int n);
void fail_field_query(int fails);
int handles(void);
void *calloc(size_t count, size_t size);
void *__libc_calloc(size_t count, size_t size);

static _Thread_local int left;

void fail_calloc(int n)
{
    left = n;
}

void *calloc(size_t count, size_t size)
{
    if (left > 0 && --left == 0) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_calloc(count, size);
}

/* ---- calls of libhx ------------------------------------------------------------------------------------- */

static int query_fails, count;

void fail_field_query(int fails)
{
    query_fails = fails;
}

int handles(void)
{
    return count;
}

/* libhx's own. */
static void find(const char *name, void *function)
{
    *(void **)function = dlsym(RTLD_NEXT, name);
}

hx_status hx_field_query(const hx_spec *spec, int field, hx_field_facts *facts)
{
    hx_status (*real)(const hx_spec *, int, hx_field_facts *);
    find("hx_field_query", (void *)&real);
    return query_fails ? hx_refuse(HX_ERR_INTERNAL, "no facts") : real(spec, field, facts);
}

hx_status hx_create_for(const char *model, const hx_spec *spec, const hx_blocks *blocks, const void *shapes,
                        const hx_options *options, hx_handle **handle)
{
    hx_status (*real)(const char *, const hx_spec *, const hx_blocks *, const void *, const hx_options *,
                      hx_handle **);
    find("hx_create_for", (void *)&real);
    const hx_status status = real(model, spec, blocks, shapes, options, handle);
    count += status == HX_OK;
    return status;
}

hx_status hx_destroy(hx_handle *handle)
{
    hx_status (*real)(hx_handle *);
    find("hx_destroy", (void *)&real);
    const hx_status status = real(handle);
    count -= status == HX_OK;
    return status;
}
