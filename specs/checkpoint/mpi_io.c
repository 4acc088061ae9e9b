/*
 * A checkpoint by MPI-IO: the arrays of the whole grid, one field behind the other.
 */
#include "store.h"

#include "../common/check.h"

static void check_mpi(int code, const char *path)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (code != MPI_SUCCESS) {
        MPI_Error_string(code, text, &length);
        fail("%s: %s", path, text);
    }
}

/* One pass over a field from here on; returns where the next field begins. */
static MPI_Offset move_field(const store *s, MPI_File file, MPI_Offset from, int field, int pass, int writes)
{
    MPI_Datatype in_memory, in_file;
    MPI_Aint first, bytes;
    check(hx_memory_type(s->handle, field, pass, s->fields, &in_memory));
    check(hx_file_type(s->handle, field, pass, &in_file));
    check_mpi(MPI_File_set_view(file, from, MPI_DOUBLE, in_file, "native", MPI_INFO_NULL), "the view");
    const int code = writes ? MPI_File_write_all(file, MPI_BOTTOM, 1, in_memory, MPI_STATUS_IGNORE)
                            : MPI_File_read_all(file, MPI_BOTTOM, 1, in_memory, MPI_STATUS_IGNORE);
    check_mpi(code, "the file");
    MPI_Type_get_extent(in_file, &first, &bytes);
    MPI_Type_free(&in_memory);
    MPI_Type_free(&in_file);
    return from + bytes;
}

static void move_all(const store *s, const char *path, int mode)
{
    const struct hx_spec *spec = hx_spec_of(s->handle);
    hx_spec_facts facts;
    MPI_File file;
    MPI_Offset at = 0;
    check(hx_spec_query(spec, &facts));
    check_mpi(MPI_File_open(s->comm, path, mode, MPI_INFO_NULL, &file), path);
    if (mode & MPI_MODE_CREATE) {
        check_mpi(MPI_File_set_size(file, 0), path); /* of a file that was there nothing stays */
    }
    for (int field = 0; field < facts.fields; ++field) {
        const int writes = (mode & MPI_MODE_WRONLY) != 0;
        const int passes = writes ? 1 : hx_file_passes(spec, field);
        MPI_Offset next = at;
        for (int pass = 0; pass < passes; ++pass) {
            next = move_field(s, file, at, field, pass, writes);
        }
        at = next;
    }
    check_mpi(MPI_File_close(&file), path);
}

void mpi_io_write(const store *s, const char *path)
{
    move_all(s, path, MPI_MODE_CREATE | MPI_MODE_WRONLY);
}

void mpi_io_read(const store *s, const char *path)
{
    move_all(s, path, MPI_MODE_RDONLY);
}
