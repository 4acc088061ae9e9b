/*
 * What a handle really does, as JSON; docs/internals/describe-json.md has its keys.
 */
#ifndef HX_DESCRIBE_JSON_H
#define HX_DESCRIBE_JSON_H

#include <hx/abi.h>

/* The whole of it; hxi_memory_free.  NULL: there is no memory left, in words. */
char *hxi_describe_json(hx_handle *handle);

#endif
