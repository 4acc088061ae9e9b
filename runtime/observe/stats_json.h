/*
 * Statistics as JSON, for tools; docs/statistics.schema.json is its schema.
 */
#ifndef HX_STATS_JSON_H
#define HX_STATS_JSON_H

#include "base/text.h"
#include "observe/stats_report.h"

void hxi_table_json_write(const hxi_report *report, hxi_text *text);

#endif
