/*
 * Devices of two ranks: one for both, one each, one each that do not reach each other, slices of one.  Who
 * cannot reach the other one's memory goes by the host, and describe says why.
 *
 * usage: cuda_reach, on 2 ranks
 */
#include "check.h"
#include "mirror.h"
#include "pair.h"

#include <fake.h>

#include <string.h>

extern const hx_spec cube_xz_spec;

static int rank;

typedef struct place {
    const char *name;
    const char *device[2]; /* what describe says of it */
    const char *why;       /* messages go by the host; NULL: they do not */
} place;

/* Arrays of the test's, or of hx_alloc, into which the other rank writes if it can. */
static void exchange(const layout *l, hx_handle *handle, bool straight, bool reached)
{
    arrays s;
    mirror m;
    arrays_make(&s, l, oracle_cartesian);
    if (straight) {
        mirror_alloc(&m, &s, handle);
    } else {
        mirror_make(&m, &s);
    }
    for (int i = 0; i < 3; ++i) {
        arrays_fill(&s, i);
        mirror_up(&m, NULL);
        CHECK_STATUS(hx_start_on(handle, 0, m.pointers, NULL), HX_OK);
        CHECK_STATUS(hx_finish_on(handle, 0, NULL), HX_OK);
        mirror_down(&m, NULL);
        arrays_expect(&s, 0);
        arrays_check(&s, straight ? "straight" : "packed");
    }
    CHECK(pair_written(handle) == (!reached ? -1 : straight ? 3 : 0), "%s", hx_describe(handle));
    mirror_free(&m);
    arrays_free(&s);
}

static void try_place(const layout *l, const place *p)
{
    hx_handle *handle = NULL;
    check_about("%s", p->name);
    const long before = fake_left();
    if (CHECK_STATUS(pair_create(l, 60.0, &handle), HX_OK)) {
        static const char fallen[] = "by persistent, not as chosen: ";
        const char *about = hx_describe(handle);
        const char *why = strstr(about, fallen);
        CHECK(strstr(about, p->device[rank]), "%s", about);
        CHECK((why != NULL) == (p->why != NULL), "%s", about);
        CHECK(!why || !p->why || strncmp(why + strlen(fallen), p->why, strlen(p->why)) == 0, "%s", about);
        exchange(l, handle, false, !p->why);
        exchange(l, handle, true, !p->why);
        CHECK_STATUS(hx_destroy(handle), HX_OK);
    }
    CHECK(fake_left() == before, "%ld things are left", fake_left() - before);
}

static void use_device(int number)
{
    CHECK(cudaSetDevice(number) == 0, "no device %d", number);
}

int main(int argc, char **argv)
{
    check_init(&argc, &argv, MPI_THREAD_SINGLE);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    layout l;
    pair_layout(&l, &cube_xz_spec);
    fake_set_devices(2);
    static const char both[] = "  device 0 is \"fake device\", which ranks 0, 1 of this node share\n";
    try_place(&l, &(place){"one device", {both, both}, NULL});
    use_device(rank);
    static const char *const each[2] = {
        "  device 0 is \"fake device\", which no other rank of this node has\n",
        "  device 1 is \"fake device\", which no other rank of this node has\n"};
    try_place(&l, &(place){"a device each", {each[0], each[1]}, NULL});
    fake_set_peers(false);
    try_place(&l, &(place){"a device each, which do not reach each other",
                           {each[0], each[1]},
                           "Rank 0 of 2: Reaching memory of the device of rank 1 from device 0 failed: "
                           "\"peer access is not supported between these two devices\" (error 217 "});
    fake_set_peers(true);
    use_device(0);
    fake_set_slice(1 + rank);
    try_place(&l, &(place){"a slice each",
                           {"  device 0 is \"fake device MIG 1g\", which no other rank of this node has\n",
                            "  device 0 is \"fake device MIG 1g\", which no other rank of this node has\n"},
                           "Rank 0 of 2: Reaching memory of the device of rank 1 from device 0 failed: "
                           "\"invalid argument\" (error 1 "});
    fake_set_slice(1);
    static const char slice[] = "  device 0 is \"fake device MIG 1g\", which ranks 0, 1 of this node share\n";
    try_place(&l, &(place){"one slice", {slice, slice}, NULL});
    layout_free(&l);
    return check_verdict("who reaches whom");
}
