/*
 * What follows from what a spec says.
 */
#ifndef HX_CHECK_SPEC_H
#define HX_CHECK_SPEC_H

#include "check/run.h"

/* The type of each field. */
check_type *hxi_check_make_types(const hx_check_program *program);

/* The most layers that an exchange fills along an axis. */
int hxi_check_deepest(const check_run *r, int axis);

/* May create find a grid too thin, for what fills walls or for halos that reach into other tiles? */
bool hxi_check_may_refuse(const check_run *r);

/* Does a function of the application's fill walls? */
bool hxi_check_has_hook(const check_run *r);

/*
 * A grid whose rows are long enough for devices to move them in pieces, and which is thin otherwise.  Returns
 * the axis across which all ranks are to lie; -1: there is no such grid.
 */
int hxi_check_long_rows(const check_run *r, int cells[]);

#endif
