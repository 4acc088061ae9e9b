/*
 * When kernels ran, for `halogen trace merge`: with HX_TRACE, a file beside that of libhx.
 */
#ifndef FLOW_SPANS_H
#define FLOW_SPANS_H

#include <hx/hx.h>

/* Without HX_TRACE none of these does anything. */
void spans_open(hx_stream stream);

/* Around what is put into the stream.  The name is a constant. */
void spans_begin(const char *name, hx_stream stream);
void spans_end(hx_stream stream);

/* Waits for the stream, and writes the file of this rank. */
void spans_write(hx_stream stream);

#endif
