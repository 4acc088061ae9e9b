/* An application: creates a handle by what twins.h has.  Libraries of the same kind name another function. */
#include "model.h"

#ifdef CREATES_AS
int CREATES_AS(void);
int CREATES_AS(void)
#else
int main(int argc, char **argv)
#endif
{
    twins *halo = NULL;
#ifndef CREATES_AS
    MPI_Init(&argc, &argv);
#endif
    const twins_shape shape = shape_of_eight();
    const int status = tell(twins_create(MPI_COMM_SELF, &shape, NULL, &halo));
    twins_destroy(halo);
#ifndef CREATES_AS
    MPI_Finalize();
#endif
    return status;
}
