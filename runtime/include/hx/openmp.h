/*
 * A team of OpenMP for the option team.  Include it in one file that is compiled with OpenMP:
 *
 *     options.threads = omp_get_max_threads();
 *     options.team = hx_team_openmp();
 *
 * libhx itself needs no OpenMP.
 */
#ifndef HX_OPENMP_H
#define HX_OPENMP_H

#ifndef _OPENMP
#error                                                                                                       \
    "compile this file with OpenMP, such as with -fopenmp; or leave options.team out: libhx has threads of its own"
#endif

#include <hx/hx.h>

#include <omp.h>

static inline void hx_run_openmp(void *state, int threads, hx_team_work_fn *work, void *data)
{
    (void)state;
#pragma omp parallel num_threads(threads)
    work(data, omp_get_thread_num(), omp_get_num_threads());
}

static inline const hx_team *hx_team_openmp(void)
{
    static const hx_team team = {hx_run_openmp, NULL};
    return &team;
}

#endif
