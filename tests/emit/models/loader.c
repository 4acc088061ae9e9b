/* An application that loads twins.c when it runs: loader LIBRARY [MODEL].  It gives the model that it was
 * compiled for. */
#define HX_LOADED_LATER
#include "model.h"

#include <dlfcn.h>
#include <string.h>

typedef hx_status create_fn(const char *, MPI_Comm, const twins_shape *, const hx_options *, twins **);
typedef hx_status destroy_fn(twins *);

int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void *create = library ? dlsym(library, "twins_create_for") : NULL;
    void *destroy = library ? dlsym(library, "twins_destroy") : NULL;
    create_fn *twins_created = NULL;
    destroy_fn *twins_destroyed = NULL;
    twins *halo = NULL;
    if (!create || !destroy) {
        printf("%s\n", dlerror());
        return 1;
    }
    memcpy(&twins_created, &create,
           sizeof create); /* POSIX lets a pointer to data be one to a function, C does not */
    memcpy(&twins_destroyed, &destroy, sizeof destroy);
    MPI_Init(NULL, NULL);
    const twins_shape shape = shape_of_eight();
    const char *model = argc < 3 ? TWINS_ASKS_FOR_MODEL : strcmp(argv[2], "none") == 0 ? NULL : argv[2];
    const int status = tell(twins_created(model, MPI_COMM_SELF, &shape, NULL, &halo));
    twins_destroyed(halo);
    MPI_Finalize();
    return status;
}
