/*
 * What all that tells of places in files has in common.  what: "the extents in a file", for sentences.
 */
#ifndef HX_FILES_FILES_H
#define HX_FILES_FILES_H

#include "exchange/handle.h"
#include "files/file_types.h"
#include "grid/file_box.h"

hx_status hxi_files_check(const hx_handle *handle, int field, const void *out, const char *what);

/* Has the field such a pass? */
hx_status hxi_files_check_pass(const hx_handle *handle, int field, int pass, const char *what);

/* Refuses lists of points; instead: the function for these. */
hx_status hxi_files_check_boxes(const hx_handle *handle, const char *what, const char *instead);

/* ---- datatypes ------------------------------------------------------------------------------------------ */

extern const char hxi_files_to_memory[]; /* what is asked for */
extern const char hxi_files_to_file[];

/* Sets *type to no type, and looks at what all such calls are given. */
hx_status hxi_files_request(const hx_handle *h, int field, MPI_Datatype *type, const char *what);
hx_status hxi_files_check_fields(const hx_handle *h, const void *fields);

/* Of a field's array. */
hx_status hxi_files_address(const hx_handle *h, const void *fields, int block, int field, MPI_Aint *address);

/* For the axes of the grid and the components of a field. */
hx_status hxi_files_maker(const hx_handle *h, int field, hxi_type_maker *maker);

/* Does MPI count so many bytes of the whole grid in a file?  PTRDIFF_MAX: more than that. */
hx_status hxi_files_check_bytes(const hx_handle *h, int field, ptrdiff_t bytes);

/* Commits a type.  bytes: its extent; -1: that which it has.  Takes it where that fails. */
hx_status hxi_files_finish(const hx_handle *h, int field, ptrdiff_t bytes, MPI_Datatype *type);

#endif
