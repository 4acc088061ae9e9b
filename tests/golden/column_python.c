/*
 * column: what the Python package halogen needs beside the tables of column.c.
 *
 * Emitted by halogen 0.1.0 from column.lua, model c73f1a9854d268b9.  Do not edit: change the spec and generate again.
 * Compile it with column.c into a shared library that is linked with libhx.  column.py knows what is in it.
 */
#include "column.h"

#include <stddef.h>
#include <string.h>

/* Looked up by name, so no header declares them. */
extern const char *const column_python_mpi;
extern const size_t column_python_sizes[];
extern const MPI_Datatype column_python_int;
extern const MPI_Op column_python_and;
void column_python_comm(int fortran, void *comm);

/* The MPI that this was compiled with. */
#if defined OMPI_MAJOR_VERSION
const char *const column_python_mpi = "Open MPI " HX_VERSION_TEXT(OMPI_MAJOR_VERSION) "." HX_VERSION_TEXT(
    OMPI_MINOR_VERSION) "." HX_VERSION_TEXT(OMPI_RELEASE_VERSION);
#elif defined MPICH_VERSION
const char *const column_python_mpi = "MPICH " MPICH_VERSION;
#else
const char *const column_python_mpi = "MPI " HX_VERSION_TEXT(MPI_VERSION) "." HX_VERSION_TEXT(MPI_SUBVERSION);
#endif

/* Compared with what the package believes; the last two say where strides lie in a shape, 0: nowhere. */
const size_t column_python_sizes[] = {
    sizeof(MPI_Comm),
    sizeof(hx_partition),
    sizeof(hx_part),
    sizeof(hx_blocks),
    sizeof(hx_wall),
    sizeof(hx_options),
    sizeof(hx_traffic),
    sizeof(hx_spec_facts),
    sizeof(hx_field_facts),
    sizeof(hx_exchange_facts),
    sizeof(hx_carried_facts),
    offsetof(column_shape, stride),
    0,
};

/* What the ranks ask each other before memory is given back. */
const MPI_Datatype column_python_int = MPI_INT;
const MPI_Op column_python_and = MPI_LAND;

/* Communicators come from Python as numbers of Fortran, which are ints with every MPI. */
void column_python_comm(int fortran, void *comm)
{
    const MPI_Comm handle = MPI_Comm_f2c((MPI_Fint)fortran);
    memcpy(comm, &handle, sizeof handle);
}
