#include "comm/mpi_awareness.h"

#include "base/hash.h"

#include <mpi.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if HX_MPI_EXTENSIONS
#include <mpi-ext.h>
#endif

#if HX_MPI_QUERY
/* An MPI that takes the place of this one may have been built without. */
#pragma weak MPIX_Query_cuda_support
#endif

const char *hx_aware_mpi(char name[HX_AWARE_NAME])
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(mpi, &length);
    uint64_t fingerprint = HX_HASH_SEED;
    for (int i = 0; i < length; ++i) {
        fingerprint = hx_hash(fingerprint, mpi[i]);
        mpi[i] = mpi[i] == '\t' ? ' ' : mpi[i];
    }
    const int words = (int)strcspn(mpi, ",\n");
    snprintf(name, HX_AWARE_NAME, "%.*s (%016llx)", words < HX_AWARE_NAME / 2 ? words : HX_AWARE_NAME / 2,
             mpi, (unsigned long long)fingerprint);
    return name;
}

const char *hx_aware_host(char name[HX_AWARE_NAME])
{
    name[0] = '\0';
    gethostname(name, HX_AWARE_NAME - 1);
    name[HX_AWARE_NAME - 1] = '\0';
    return name;
}

hx_aware_answer hx_aware_ask(void)
{
#if HX_MPI_QUERY
    if (!MPIX_Query_cuda_support) {
        return HX_AWARE_SILENT;
    }
    return MPIX_Query_cuda_support() == 1 ? HX_AWARE_YES : HX_AWARE_NO;
#else
    return HX_AWARE_SILENT;
#endif
}
