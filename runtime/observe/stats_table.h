/*
 * Statistics in words: a table of at most 100 columns.
 */
#ifndef HX_STATS_TABLE_H
#define HX_STATS_TABLE_H

#include "base/text.h"
#include "observe/stats_report.h"

void hxi_table_write(const hxi_report *report, hxi_text *text);

#endif
