/*
 * The processors that ranks may run on.
 */
#ifndef HX_PROCESSORS_H
#define HX_PROCESSORS_H

/* A set of processors, a bit for each. */
enum { HX_PROCESSOR_BYTES = 1024 };
typedef struct hx_processors {
    unsigned char bits[HX_PROCESSOR_BYTES];
} hx_processors;

/* Those that this process may run on; none if the system does not say. */
hx_processors hx_processors_mine(void);

int hx_processors_count(const hx_processors *set);

#endif
