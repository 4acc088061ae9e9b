#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

void hxi_log(const hx_options *options, int level, const char *format, ...)
{
    if (level > options->log_level) {
        return;
    }
    char line[HX_SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (options->log) {
        options->log(options->log_context, level, line);
    } else {
        fprintf(stderr, "libhx %s: %s\n", level == HX_LOG_WARNING ? "warning" : "info", line);
    }
}
