/*
 * Whether this MPI may be given memory of devices, as far as it says so itself.  It is believed where it says
 * no; where it says yes hx_probe has tried it, and probe_result.h has kept what came of that.
 */
#ifndef HX_AWARE_H
#define HX_AWARE_H

#include <stddef.h>

enum { HX_AWARE_NAME = 128 };

/* The first words of what MPI says of its version, and a fingerprint of it all. */
const char *hx_aware_mpi(char name[HX_AWARE_NAME]);

/* The name of this machine. */
const char *hx_aware_host(char name[HX_AWARE_NAME]);

typedef enum hx_aware_answer { HX_AWARE_SILENT, HX_AWARE_NO, HX_AWARE_YES } hx_aware_answer;

/* Asks MPI, where it can be asked. */
hx_aware_answer hx_aware_ask(void);

#endif
