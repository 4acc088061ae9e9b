/*
 * The device of this rank, for fields in its memory.
 */
#ifndef HX_CHECK_DEVICE_H
#define HX_CHECK_DEVICE_H

#include "check/run.h"

/* Takes one for this rank, another for each rank of a machine, as far as there are; nothing to do where no
 * field lies there.  Returns false, and says so, where some rank finds none. */
bool hxi_check_open_device(check_run *r);
void hxi_check_close_device(check_device *d);

void *hxi_check_get(const check_device *d, size_t bytes);
void hxi_check_release(const check_device *d, void *memory);
void hxi_check_copy(const check_device *d, void *to, const void *from, size_t bytes, hx_stream stream);

/* Returns when the stream has done all that it was given. */
void hxi_check_follow(const check_device *d);

#endif
