#include <hx/abi.h>
#include <hx/version.h>

/* Written when the library is built. */
#include "version_commit.h"

#if defined(OMPI_MAJOR_VERSION)
#define MPI_NAME                                                                                             \
    "Open MPI " HX_VERSION_TEXT(OMPI_MAJOR_VERSION) "." HX_VERSION_TEXT(                                     \
        OMPI_MINOR_VERSION) "." HX_VERSION_TEXT(OMPI_RELEASE_VERSION)
#elif defined(MPICH_VERSION)
#define MPI_NAME "MPICH " MPICH_VERSION
#else
#define MPI_NAME "MPI " HX_VERSION_TEXT(MPI_VERSION) "." HX_VERSION_TEXT(MPI_SUBVERSION)
#endif

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "another compiler"
#endif

int hx_version_number(void)
{
    return HX_VERSION_NUMBER;
}

const char *hx_version(void)
{
    return "libhx " HX_VERSION " (commit " HX_COMMIT
           "), ABI " HX_VERSION_TEXT(HX_ABI) ", " MPI_NAME ", " COMPILER ", " HX_BUILD;
}
