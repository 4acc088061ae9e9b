/*
 * What fills ghost points beyond walls.
 */
#ifndef HX_CHECK_WALLS_H
#define HX_CHECK_WALLS_H

#include "check/grid.h"

/*
 * Puts into *value what fills a point beyond walls, if anything does, and leaves it as it is if nothing does.
 */
void hxi_check_fill(const check_run *r, const check_step *step, const check_spot *spot, int component,
                    check_value *value);

/* The same where blocks without an owner lie beside others. */
void hxi_check_fill_at_land(const check_run *r, const check_step *step, const check_spot *spot, int component,
                            check_value *value);

/* Gives the handle the functions that fill walls, if its spec asks for any. */
void hxi_check_set_boundary(check_run *r);

#endif
