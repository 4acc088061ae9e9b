/*
 * Deadlines that are short only once windows and groups are made: making them may take its time.
 */
#ifndef SHORT_DEADLINE_H
#define SHORT_DEADLINE_H

#include <hx/shared_array.h>
#include <hx/window.h>

void short_deadline_of_window(hx_window *window, double seconds);
void short_deadline_of_group(hx_shared_arrays *group, double seconds);

#endif
