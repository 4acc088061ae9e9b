#include "pack/unfit.h"

#include <stdint.h>

static _Thread_local const void *found;

void hx_does_not_fit(const void *number)
{
    if (!found || (uintptr_t)number < (uintptr_t)found) {
        found = number;
    }
}

const void *hxi_unfit_take(void)
{
    const void *number = found;
    found = NULL;
    return number;
}
