#include "comm/node_space.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Pages that MPI may add for each rank, and for all. */
enum { PAGES = 2 };

/* MPI may refuse to take the last of a file system: one part in so many stays free.  Open MPI has 20. */
enum { SPARE = 16 };

/* A read gives no more than that at once. */
static const size_t most_at_once = (size_t)1 << 30;

/* Where Open MPI and MPICH keep what processes share. */
static const char *find_place(void)
{
    const char *chosen = getenv("OMPI_MCA_osc_sm_backing_directory");
    if (chosen && chosen[0] != '\0') {
        return chosen;
    }
    if (access("/dev/shm", W_OK) == 0) {
        return "/dev/shm";
    }
    const char *temporary = getenv("TMPDIR");
    return temporary && temporary[0] != '\0' ? temporary : "/tmp";
}

hx_status hxi_node_space_check(const hxi_topology *topology, size_t bytes, const char *what,
                               const char *instead)
{
    uint64_t all = 0;
    const hx_status status = hxi_topology_node_sum(topology, bytes, &all);
    const char *place = find_place();
    struct statvfs found;
    if (status != HX_OK || all == 0 || statvfs(place, &found) != 0) {
        return status; /* of a place that is not there MPI knows more */
    }
    const uint64_t left = (uint64_t)found.f_bavail * (uint64_t)found.f_frsize;
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const uint64_t added = all / SPARE + PAGES * page * ((uint64_t)topology->node_ranks + 1);
    if (all <= left && added <= left - all) {
        return HX_OK;
    }
    return hxi_fail(
        HX_ERR_MEMORY,
        "The ranks of a node need %llu bytes of shared memory for %s, and MPI %llu beside them; %s has "
        "%llu left.  Enlarge it (containers: --shm-size), or %s.",
        (unsigned long long)all, what, (unsigned long long)added, place, (unsigned long long)left, instead);
}

/*
 * The system writes, and finds in our place that a page is not there: it tells us by an error, where a store
 * of ours would raise SIGBUS.
 */
hx_status hxi_node_space_touch(void *memory, size_t bytes, const char *what)
{
    const int zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC); /* without it nothing is known */
    int error = 0;
    for (size_t done = 0; zeros >= 0 && done < bytes && error == 0;) {
        const size_t rest = bytes - done;
        const ssize_t got =
            read(zeros, (unsigned char *)memory + done, rest < most_at_once ? rest : most_at_once);
        done += got > 0 ? (size_t)got : 0;
        error = got < 0 && errno != EINTR ? errno : 0;
    }
    close(zeros);
    return error == 0
               ? HX_OK
               : hxi_fail(HX_ERR_MEMORY,
                          "MPI gave %zu bytes of shared memory for %s, and the system has not all of their "
                          "pages (%s): %s is full.",
                          bytes, what, strerror(error), find_place());
}
