/*
 * Files: where the points of a field lie in an array of the whole grid.  HDF5, netCDF, Zarr and ADIOS2 take
 * that as start and count; MPI-IO as datatypes.  libhx opens no file.
 *
 * The array of a field has these axes, from the slowest to the fastest: tiles, if the grid has several and
 * all are equally large; then the axes of the grid and the components, as they lie in the memory of a block.
 * So a row of memory is a row of the file.  Where tiles differ in size, each is an array of its own.
 *
 * Along an axis the array has as many points as the tile has cells, and one more of fields that have both
 * faces.  A point goes with the cell of which it is the center or the low face, the last face of a tile with
 * its last cell.  So each point of the file has one block that writes it.  Points that tiles share, or that
 * lie on a fold, are in the file once for each of their indices.
 */
#ifndef HX_FILES_H
#define HX_FILES_H

#include <hx/hx.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tiles, the axes of a grid, components. */
enum { HX_FILE_AXES = HX_MAX_AXES + 2 };

/* What an axis of the file is, if it is none of the grid's. */
enum { HX_FILE_TILES = -1, HX_FILE_COMPONENTS = -2 };

/*
 * A file is written in pass 0, which has each point of the file once.  It is read in all passes, from 0 to
 * hx_file_passes - 1.  Fields without points on both faces have one pass.  Others have one more for each way in
 * which blocks share points, since MPI reads no byte of a file to two places at once, nor do libraries that
 * read by MPI.
 */
enum {
    HX_ALL_PASSES = -1
}; /* in hx_extents: all points of a block in one box, to read one block at a time */

/* 0: the spec has no such field, or is not of this libhx. */
int hx_file_passes(const struct hx_spec *spec, int field);

/* A box of points of a block: in the file, and in the array of the block. */
typedef struct hx_extent {
    int axes;                  /* of the array in the file, from the slowest to the fastest */
    int tile;                  /* of the block */
    int axis[HX_FILE_AXES];    /* which of the grid each is, or HX_FILE_TILES, HX_FILE_COMPONENTS */
    size_t size[HX_FILE_AXES]; /* of the whole array */
    size_t start[HX_FILE_AXES];
    size_t count[HX_FILE_AXES];
    ptrdiff_t stride[HX_FILE_AXES]; /* 1 along each axis */
    ptrdiff_t first;                /* element of the block's array that belongs to start */
    /* Elements from there to the next along each axis: netCDF's imap. */
    ptrdiff_t memory_stride[HX_FILE_AXES];
    /* The block's array, halo and padding included, as a box of elements of the same axes, and where in it
     * the points begin: for HDF5's and ADIOS2's selections of memory.  All 0 where strides make no box. */
    size_t memory_size[HX_FILE_AXES];
    size_t memory_start[HX_FILE_AXES];
} hx_extent;

/*
 * What a block has of a field in a pass, as boxes; blocks count in the order of the shapes.  Local.  It is
 * HX_ERR_ARGUMENT for lists of points, which have no boxes.
 *
 *     extent   room for *count boxes, or NULL to ask how many there are
 *     *count   becomes that number: 1 in pass 0 and for HX_ALL_PASSES, 0 or 1 in other passes.  Beside blocks
 *              without an owner a pass may have more, since a block writes what these would
 */
hx_status hx_extents(const hx_handle *handle, int field, int block, int pass, hx_extent *extent, int *count);

/*
 * Datatypes for MPI-IO: all blocks of this rank in one call, in the order in which their points lie in the
 * file.  Both are committed, and yours: MPI_Type_free.  They are made of the type of the field's elements,
 * MPI_DOUBLE of double and so on, which is the etype of the view; of MPI_BYTE for structs, half precision and
 * types that MPI does not have.  A rank without blocks gets types without data.
 *
 *     MPI_File_set_view(file, offset, MPI_DOUBLE, in_file, "native", MPI_INFO_NULL);
 *     MPI_File_write_all(file, MPI_BOTTOM, 1, in_memory, &status);
 *
 * hx_memory_type has the addresses of the arrays: fields is one struct of pointers for each block.  Give
 * MPI_BOTTOM as the buffer; the type is valid while these arrays live.  For fields in the memory of a device give
 * copies on the host, with the same strides.  The extent of hx_file_type is that of the whole array, all
 * tiles, one after another.
 *
 * Both are local.  Errors of MPI are returned if MPI_COMM_WORLD returns them.
 */
hx_status hx_memory_type(const hx_handle *handle, int field, int pass, const void *fields,
                         MPI_Datatype *type);
hx_status hx_file_type(const hx_handle *handle, int field, int pass, MPI_Datatype *type);

/*
 * The same for lists of points, whose ids are their places in the file: from 0 to points - 1.  Both types have
 * the points that this rank owns, but for those with an id of -1.
 */
hx_status hx_memory_type_of_ids(const hx_handle *handle, int field, const hx_ids *ids, const void *fields,
                                MPI_Datatype *type);
hx_status hx_file_type_of_ids(const hx_handle *handle, int field, const hx_ids *ids, int64_t points,
                              MPI_Datatype *type);

#ifdef __cplusplus
}
#endif
#endif
