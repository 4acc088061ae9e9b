/* An application of two libraries, which have a spec of the same name each, but not the same spec. */
#include <mpi.h>

int creates_float(void);
int creates_double(void);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const int first = creates_float();
    const int second = creates_double();
    MPI_Finalize();
    return first * 10 + second;
}
