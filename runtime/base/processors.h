/*
 * The processors that ranks may run on.
 */
#ifndef HX_PROCESSORS_H
#define HX_PROCESSORS_H

/* A set of processors, a bit for each. */
enum { HX_PROCESSOR_BYTES = 1024 };
typedef struct hxi_processors {
    unsigned char bits[HX_PROCESSOR_BYTES];
} hxi_processors;

/* Those that this process may run on; none if the system does not say. */
hxi_processors hxi_processors_mine(void);

int hxi_processors_count(const hxi_processors *set);

#endif
