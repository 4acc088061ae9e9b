#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    exit(EXIT_FAILURE);
}

void check(hx_status status)
{
    if (status != HX_OK) {
        fail("%s: %s", hx_status_name(status), hx_last_error());
    }
}

int whole_number(const char *text, int least, int most, const char *usage)
{
    char *end;
    const long number = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || number < least || number > most) {
        fail("'%s' is not a whole number from %d to %d\n%s", text, least, most, usage);
    }
    return (int)number;
}

void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        fail("no memory for %zu elements of %zu bytes", count, size);
    }
    return memory;
}
