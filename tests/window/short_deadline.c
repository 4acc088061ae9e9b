#define _POSIX_C_SOURCE 200809L

/* Nothing but this file knows the struct. */
#include "../../runtime/window/shared_array.c"

#include "short_deadline.h"

#include "window/window.h"

void short_deadline_of_window(hx_window *window, double seconds)
{
    window->deadline = seconds;
}

void short_deadline_of_group(hx_shared_arrays *group, double seconds)
{
    group->deadline = seconds;
}
