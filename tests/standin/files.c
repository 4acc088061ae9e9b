/*
 * There are no datatypes for files on the stand-in for MPI.
 */
#include "base/status.h"

#include <hx/files.h>

static hx_status refuse(MPI_Datatype *type)
{
    *type = MPI_DATATYPE_NULL;
    return hxi_fail(HX_ERR_STATE, "The stand-in for MPI has no datatypes for files.");
}

hx_status hx_memory_type(const hx_handle *handle, int field, int pass, const void *fields, MPI_Datatype *type)
{
    (void)handle;
    (void)field;
    (void)pass;
    (void)fields;
    return refuse(type);
}

hx_status hx_file_type(const hx_handle *handle, int field, int pass, MPI_Datatype *type)
{
    (void)handle;
    (void)field;
    (void)pass;
    return refuse(type);
}

hx_status hx_memory_type_of_ids(const hx_handle *handle, int field, const hx_ids *ids, const void *fields,
                                MPI_Datatype *type)
{
    (void)handle;
    (void)field;
    (void)ids;
    (void)fields;
    return refuse(type);
}

hx_status hx_file_type_of_ids(const hx_handle *handle, int field, const hx_ids *ids, int64_t points,
                              MPI_Datatype *type)
{
    (void)handle;
    (void)field;
    (void)ids;
    (void)points;
    return refuse(type);
}
