/*
 * What rank 0's environment asks of all ranks of a handle: files in a directory.
 */
#ifndef HX_REQUEST_H
#define HX_REQUEST_H

#include "exchange/handle.h"

typedef struct hxi_request {
    uint64_t id; /* of the handle, the same on all its ranks, and no other handle's */
    char directory[1024];
} hxi_request;

/* Collective, in create, where asked.h has that the variable is set.  HX_ERR_LIMIT: its value is too long. */
hx_status hxi_request_tell(const hx_handle *handle, const char *variable, hxi_request *request);

/* To standard error, though nobody set a level of the log: somebody asked, and does not get it. */
void hxi_request_warn(const hx_handle *handle, const char *variable);

#endif
