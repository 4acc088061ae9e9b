/*
 * Lists of points: meshes that are made up, and what their points hold.
 */
#ifndef HX_CHECK_MESH_H
#define HX_CHECK_MESH_H

#include "check/points.h"

/* The points of this rank, of a mesh of so many. */
void hxi_check_make_mesh(check_run *r, int points);
void hxi_check_free_mesh(check_run *r);

/* Puts into all arrays of a block what they hold before exchanges; and what is sent back by one that sends
 * ghost points back. */
void hxi_check_begin_mesh(const check_run *r, const check_block *b);
void hxi_check_prepare_mesh(const check_run *r, const check_block *b, int exchange);

/* Looks for what they must hold after it. */
void hxi_check_compare_mesh(check_run *r, int exchange);

#endif
