#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char sentence[HX_SENTENCE];
static _Thread_local hx_status last = HX_OK; /* whose sentence that is */

static const char *const names[] = {
    [HX_OK] = "HX_OK",
    [HX_ERR_ARGUMENT] = "HX_ERR_ARGUMENT",
    [HX_ERR_STATE] = "HX_ERR_STATE",
    [HX_ERR_PARTITION] = "HX_ERR_PARTITION",
    [HX_ERR_MISMATCH] = "HX_ERR_MISMATCH",
    [HX_ERR_MEMORY] = "HX_ERR_MEMORY",
    [HX_ERR_MPI] = "HX_ERR_MPI",
    [HX_ERR_DEADLINE] = "HX_ERR_DEADLINE",
    [HX_ERR_LIMIT] = "HX_ERR_LIMIT",
    [HX_ERR_INTERNAL] = "HX_ERR_INTERNAL",
    [HX_ERR_DEVICE] = "HX_ERR_DEVICE",
};

const char *hx_status_name(hx_status status)
{
    const size_t number = (size_t)status;
    return number < sizeof names / sizeof names[0] ? names[number] : "unknown status";
}

const char *hx_last_error(void)
{
    return sentence;
}

hx_status hx_last_status(void)
{
    return last;
}

hx_status hx_refuse(hx_status status, const char *text)
{
    return hxi_fail(status, "%s", text ? text : "");
}

hx_status hxi_fail(hx_status status, const char *format, ...)
{
    /* By way of a copy: the arguments may contain the previous sentence. */
    char text[HX_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    memcpy(sentence, text, sizeof text);
    last = status;
    return status;
}

void hxi_first_note(hxi_first *first, hx_status status)
{
    if (first->status == HX_OK && status != HX_OK) {
        first->status = status;
        memcpy(first->sentence, sentence, sizeof first->sentence);
    }
}

hx_status hxi_first_tell(const hxi_first *first)
{
    return first->status == HX_OK ? HX_OK : hxi_fail(first->status, "%s", first->sentence);
}
