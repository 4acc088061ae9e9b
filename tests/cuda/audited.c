/*
 * Audits where some fields lie on a device: create says which exchanges are not looked at, and why, and a call
 * looks at all of them.
 *
 * usage: cuda_audited, on 2 ranks
 */
#include "check.h"
#include "mirror.h"
#include "odd.h"
#include "pair.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hx_spec mixed_spec;
extern const hx_spec shorter_spec; /* its first exchange rounds numbers on the way */

enum { ALL, BOTH, HOST, STAR, SUMS, EXCHANGES }; /* of mixed_spec */
enum { U };                                      /* likewise, a field */

static int rank;

/* Warnings that an exchange is not audited: how many, and the last one of each. */
static int warnings[EXCHANGES];
static char warned[EXCHANGES][400];

static void note(void *context, int level, const char *text)
{
    (void)context;
    for (int e = 0; e < EXCHANGES && level == HX_LOG_WARNING; ++e) {
        char words[60];
        snprintf(words, sizeof words, "exchange \"%s\" is not audited", mixed_spec.exchange[e].name);
        if (strstr(text, words)) {
            warnings[e]++;
            snprintf(warned[e], sizeof warned[e], "%s", text);
        }
    }
}

static hx_handle *create(const layout *l)
{
    hx_options options = HX_OPTIONS_INIT;
    options.log = note;
    hx_handle *handle = NULL;
    memset(warnings, 0, sizeof warnings);
    CHECK_STATUS(hx_create(l->spec, &l->blocks, l->shapes, &options, &handle), HX_OK);
    return handle;
}

static void check_warnings(void)
{
    static const char *const why[] = {[ALL] = "does not poison.  Audit it by a call.",
                                      [BOTH] = "does not poison.  Audit it by a call.",
                                      [STAR] = "does not poison.  Audit it by a call.",
                                      [SUMS] =
                                          "does not wait for what a stream does, and start does not poison."};
    for (int e = 0; e < EXCHANGES; ++e) {
        const int wanted = rank == 0 && e != HOST;
        CHECK(warnings[e] == wanted, "%d warnings about %s", warnings[e], mixed_spec.exchange[e].name);
        CHECK(!wanted || strstr(warned[e], why[e]) != NULL, "%s", warned[e]);
    }
}

/* Writes a number into u of rank 1, at (2, 1, 0) of its block: 2 of 5, 1 of 4 and 3 of 6 points. */
static void write_u(const mirror *m, double value)
{
    if (rank == 1) {
        const int point[HX_MAX_AXES] = {2, 1, 0};
        double *u = (double *)(void *)m->here->actual[U];
        u[m->here->guard + (size_t)layout_at(m->here->layout, 0, U, point)] = value;
    }
    mirror_up(m, NULL);
    CHECK(cudaStreamSynchronize(NULL) == 0, "a stream failed");
}

/* What lies on the device is fetched: a point that the device has changed since is named. */
static void audit_device(hx_handle *handle, const mirror *m)
{
    write_u(m, 7.5);
    CHECK_STATUS(hx_start_on(handle, STAR, m->pointers, NULL), HX_OK);
    CHECK_STATUS(hx_finish_on(handle, STAR, NULL), HX_OK);
    mirror_down(m, NULL);
    CHECK_STATUS(hx_audit(handle, STAR, m->pointers), HX_OK);
    write_u(m, 9.25);
    CHECK_REFUSED(
        MPI_COMM_WORLD, hx_audit(handle, STAR, m->pointers), HX_ERR_MISMATCH,
        "field u (line 3) is 7.5 at ghost point (2, 1, 3) of block 0 and must be 9.25, as rank 1 has "
        "it in block 1 at (2, 1, 0), which is (2, 1, 3) of the grid.  The exchange last ran as run 1");
    CHECK_REFUSED(MPI_COMM_WORLD, hx_audit(handle, SUMS, m->pointers), HX_ERR_ARGUMENT,
                  "cannot audit exchange \"sums\"");
}

/* Of an exchange of fields of both. */
static void audit_by_call(hx_handle *handle, mirror *m)
{
    arrays_fill(m->here, 0);
    mirror_up(m, NULL);
    CHECK_STATUS(hx_start_on(handle, ALL, m->pointers, NULL), HX_OK);
    CHECK_STATUS(hx_finish_on(handle, ALL, NULL), HX_OK);
    mirror_down(m, NULL);
    arrays_expect(m->here, ALL);
    arrays_check(m->here, "once");
    CHECK_STATUS(hx_audit(handle, ALL, m->pointers), HX_OK);
    arrays_fill(m->here, 1); /* and no exchange */
    CHECK_REFUSED(MPI_COMM_WORLD, hx_audit(handle, ALL, m->pointers), HX_ERR_MISMATCH,
                  "exchange \"all\", audit on rank 0 as called: field ");
}

/* Ghost points are to be what the owner has, as it is rounded on the way. */
static void audit_rounded(void)
{
    layout l;
    arrays s;
    mirror m;
    hx_options options = HX_OPTIONS_INIT;
    hx_handle *handle = NULL;
    pair_layout(&l, &shorter_spec);
    arrays_make(&s, &l, oracle_cartesian);
    mirror_make(&m, &s);
    if (CHECK_STATUS(hx_create(l.spec, &l.blocks, l.shapes, &options, &handle), HX_OK)) {
        arrays_fill(&s, 0);
        odd_fill(&s, 0);
        mirror_up(&m, NULL);
        CHECK_STATUS(hx_start_on(handle, 0, m.pointers, NULL), HX_OK);
        CHECK_STATUS(hx_finish_on(handle, 0, NULL), HX_OK);
        CHECK(cudaStreamSynchronize(NULL) == 0, "a stream failed");
        CHECK_STATUS(hx_audit(handle, 0, m.pointers), HX_OK);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    mirror_free(&m);
    arrays_free(&s);
    layout_free(&l);
}

int main(int argc, char **argv)
{
    setenv("HX_AUDIT", "1", 1);
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mirror_need_device();
    layout l;
    arrays s;
    mirror m;
    pair_layout(&l, &mixed_spec);
    arrays_make(&s, &l, oracle_cartesian);
    hx_handle *handle = create(&l);
    check_warnings();
    mirror_make(&m, &s);
    audit_by_call(handle, &m);
    audit_device(handle, &m);
    mirror_free(&m);
    CHECK_STATUS(hx_destroy(handle), HX_OK);
    arrays_free(&s);
    layout_free(&l);
    unsetenv("HX_AUDIT");
    audit_rounded();
    return check_verdict("audits with fields of a device");
}
