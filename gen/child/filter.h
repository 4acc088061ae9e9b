/* What the child may ask of the system once it has read the spec. */
#ifndef HALOGEN_FILTER_H
#define HALOGEN_FILTER_H

/* From now on this process can allocate, look at a clock, write to `pipe` and end; whatever else it asks of
 * the system ends it by SIGSYS.  Where there is no such filter, nothing changes. */
void filter_seal(int pipe);

/* A sentence for --version. */
const char *filter_description(void);

#endif
