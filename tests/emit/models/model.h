/*
 * What the programs of models.sh ask of a twins.c, which may be of another model than the twins.h that they
 * were compiled with.
 */
#include "twins.h"

#include <stdio.h>

/* A grid of 8 cells for this rank alone. */
static inline twins_shape shape_of_eight(void)
{
    twins_shape shape = {{{1, {8}, {1}, {NULL}, {0}, {0.0}}, 0, {0}, {0}, {8}}, {{1}}};
    return shape;
}

/* What create said: 0, or 3 and the sentence. */
static inline int tell(hx_status status)
{
    printf("%s: %s\n", hx_status_name(status), status == HX_OK ? "" : hx_last_error());
    return status == HX_OK ? 0 : 3;
}
