/*
 * What the library says when it was asked to.
 */
#ifndef HX_LOG_H
#define HX_LOG_H

#include "base/status.h"

#include <hx/hx.h>

/* One line, if the options let the level through. */
void hxi_log(const hx_options *options, int level, const char *format, ...) HX_PRINTF(3, 4);

#endif
