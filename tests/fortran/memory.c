/* A calloc that fails when it is asked to. */
#include <errno.h>
#include <stddef.h>

void fail_calloc(int n);
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
