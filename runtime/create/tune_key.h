/*
 * What figures of an exchange hold for, as the file of them says it.
 */
#ifndef HX_TUNE_KEY_H
#define HX_TUNE_KEY_H

#include <stddef.h>

struct hx_handle;

/*
 * Local: of this rank's handle.  A key without tabs or ends of lines, cut at size, of which HX_TUNE_KEY is
 * enough.
 */
void hxi_tune_key(const struct hx_handle *h, int exchange, char *key, size_t size);

#endif
