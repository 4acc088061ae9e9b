/*
 * What a handle really does, in words and numbers; hx_describe tells all of it.
 */
#ifndef HX_DESCRIBE_H
#define HX_DESCRIBE_H

#include "base/text.h"

struct hx_handle;

/* By which transports messages really go: "peers of exchanges: 4 by shared, 2 by persistent". */
void hxi_describe_peers(const struct hx_handle *handle, hxi_text *text);

#endif
