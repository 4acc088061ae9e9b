/*
 * What a rank tells the first one: its counts, those of each exchange, and for whom it waited; report.h reads it.
 */
#ifndef HX_STATS_ACCOUNT_H
#define HX_STATS_ACCOUNT_H

#include "observe/telling.h"

/* As many bytes as it sets, for hxi_memory_free; NULL: there is no memory for that.  telling: as far as it has
 * come. */
char *hxi_account_make(const hxi_telling *telling, size_t *bytes);

#endif
