/*
 * What became of one exchange, in words and numbers: its messages, who goes by what, kernels, walls.
 */
#ifndef HX_DESCRIBE_PLAN_H
#define HX_DESCRIBE_PLAN_H

#include "base/text.h"

#include <hx/hx.h>

struct hxi_plan;
struct hxi_tuned;

/* tuned: NULL where nothing was measured. */
void hxi_describe_plan(const struct hxi_plan *plan, const hx_options *options, const struct hxi_tuned *tuned,
                       hxi_text *text);

#endif
