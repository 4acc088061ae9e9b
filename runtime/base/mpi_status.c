/*
 * Sentences about calls of MPI that failed.
 */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

hx_status hxi_fail_mpi(int code, const char *format, ...)
{
    char what[HX_SENTENCE / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);

    char text[MPI_MAX_ERROR_STRING + 1] = ""; /* MPI may not know the code, either */
    int length = 0;
    MPI_Error_string(code, text, &length);
    return hxi_fail(HX_ERR_MPI, "%s failed: MPI says \"%s\" (code %d).", what, text, code);
}
