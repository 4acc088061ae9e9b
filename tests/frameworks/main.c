/*
 * Exchanges by number, as frameworks have them, against the emitted functions: main LIBRARY, the library of
 * tank.lua.  And what a spec says of itself by number, against tank.lua by hand.
 */
#include "expect.h"
#include "tank_by.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static void check_spec(const struct hx_spec *spec)
{
    hx_spec_facts s;
    expect_ok(hx_spec_query(spec, &s));
    expect(strcmp(s.name, "tank") == 0 && strcmp(s.file, "tank.lua") == 0 && s.hash != 0);
    expect(s.axes == 3 && strcmp(s.axis[0], "x") == 0 && strcmp(s.axis[2], "z") == 0);
    expect(s.periodic[0] == 1 && s.periodic[1] == 0 && s.periodic[2] == 1);
    expect(s.decomposed[1] == 1 && s.cells[0] == 0 && s.tiles == 1 && s.list == 0);
    expect(s.fields == 3 && s.exchanges == 3 && s.shape_size > sizeof(hx_part));
}

static void check_fields(const struct hx_spec *spec)
{
    hx_field_facts u, t, m;
    expect_ok(hx_field_query(spec, hx_field_named(spec, "u"), &u));
    expect_ok(hx_field_query(spec, hx_field_named(spec, "t"), &t));
    expect_ok(hx_field_query(spec, hx_field_named(spec, "m"), &m));
    expect(strcmp(u.name, "u") == 0 && strcmp(u.type, "double") == 0 && u.bytes == 8 && u.line == 3);
    expect(u.components == 1 && u.components_after == 0 && u.on_device == 0 && u.behind == 0 &&
           u.vector[0] == -1);
    expect(u.order[0] == 2 && u.order[1] == 1 && u.order[2] == 0);
    expect(u.at[0] == HX_AT_LOW && u.at[1] == HX_AT_CENTER && u.at[2] == HX_AT_CENTER);
    expect(strcmp(t.type, "float") == 0 && t.bytes == 4 && t.components == 3 && t.components_after == 0);
    expect(t.halo_lo[0] == 1 && t.halo_hi[0] == 1 && t.halo_lo[1] == 1 && t.halo_hi[1] == 2 &&
           t.halo_hi[2] == 0);
    expect(strcmp(m.type, "int32_t") == 0 && m.bytes == 4 && m.components == 2 && m.components_after == 3);
    expect(m.at[0] == HX_AT_BOTH && m.at[1] == HX_AT_CENTER && m.at[2] == HX_AT_HIGH);
    expect(hx_field_named(spec, "flow") == -1 && hx_field_named(spec, NULL) == -1 &&
           hx_field_named(NULL, "u") == -1);
}

static void check_exchanges(const struct hx_spec *spec)
{
    hx_exchange_facts flow, star, sums;
    hx_carried_facts first, second;
    expect(hx_exchange_named(spec, "sums") == 2 && hx_exchange_named(spec, "u") == -1);
    expect_ok(hx_exchange_query(spec, 0, &flow));
    expect_ok(hx_exchange_query(spec, 1, &star));
    expect_ok(hx_exchange_query(spec, 2, &sums));
    expect(strcmp(flow.name, "flow") == 0 && strcmp(flow.op, "copy") == 0 && flow.line == 7);
    expect(flow.fields == 2 && flow.directions == 8 && flow.shared == 0 && flow.on_device == 0);
    expect(star.fields == 1 && star.directions == 6 && star.direction[0][0] == -1 &&
           star.direction[0][1] == 0);
    expect(strcmp(sums.op, "add") == 0 && sums.keeps == 1 && flow.keeps == 0);
    expect_ok(hx_carried_query(spec, 0, 0, &first));
    expect_ok(hx_carried_query(spec, 1, 0, &second));
    expect(first.field == 0 && first.width_lo[0] == 1 && first.width_hi[2] == 0);
    expect(second.field == 0 && second.width_lo[0] == 2 && second.width_hi[2] == 2);
}

#define expect_refused(call, words)                                                                          \
    expect((call) == HX_ERR_ARGUMENT && strstr(hx_last_error(), words) != NULL)

static void check_mistakes(const struct hx_spec *spec)
{
    static const int other_abi[64] = {1};
    hx_field_facts f = {.line = 7};
    hx_exchange_facts e;
    hx_carried_facts c;
    hx_spec_facts s;
    hx_partition p;
    expect_refused(hx_field_query(spec, 3, &f), "tank.lua has no field 3; they are counted from 0 to 2");
    expect(f.line == 0 && f.name == NULL);
    expect_refused(hx_field_query(spec, -1, &f), "tank.lua has no field -1");
    expect_refused(hx_exchange_query(spec, 3, &e), "tank.lua has no exchange 3");
    expect_refused(hx_carried_query(spec, 0, 2, &c),
                   "no field of this exchange 2; they are counted from 0 to 1");
    expect_refused(hx_carried_query(spec, 9, 0, &c), "tank.lua has no exchange 9");
    expect_refused(hx_spec_query(NULL, &s), "The spec given to a question");
    expect_refused(hx_spec_query(spec, NULL), "The place for the answer given to a question");
    expect_refused(hx_spec_partition(spec, NULL, &p), "is a null pointer");
    expect_refused(hx_spec_shape(spec, NULL, &p), "is a null pointer");
    expect_refused(hx_spec_query((const struct hx_spec *)(const void *)other_abi, &s),
                   "for libhx as of ABI 1");
    expect(hx_spec_of(NULL) == NULL);
    expect(hx_points(NULL, other_abi, 0) == 0 && hx_plane(NULL, other_abi, 0, 0, 0) == -1);
    expect(hx_points((const struct hx_spec *)(const void *)other_abi, other_abi, 0) == 0);
}

static void check_partition(const hx_partition *name, const hx_partition *number)
{
    expect(name->axes == number->axes && name->first_fastest == number->first_fastest);
    for (int a = 0; a < name->axes; ++a) {
        expect(name->cells[a] == number->cells[a] && name->ranks[a] == number->ranks[a] && !number->cuts[a]);
        expect(name->periodic[a] == number->periodic[a] && name->face_bytes[a] > 0.0);
        expect(name->face_bytes[a] == number->face_bytes[a]);
    }
}

int main(int argc, char **argv)
{
    int rank = 0;
    int changed = 0;
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    const struct hx_spec *spec = library ? dlsym(library, "tank_spec") : NULL;
    if (!spec) {
        printf("no tank_spec in %s\n", argv[argc - 1]);
        return 1;
    }
    check_spec(spec); /* before MPI */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    check_fields(spec);
    check_exchanges(spec);
    check_mistakes(spec);
    const tank_arrays name = tank_by_name(rank);
    const tank_arrays number = tank_by_number(argv[1], rank);
    check_partition(&name.grid, &number.grid);
    for (int i = 0; i < TANK_ARRAYS; ++i) {
        expect(name.bytes[i] == number.bytes[i] && name.changed[i] == number.changed[i] &&
               name.changed[i] > 0);
        expect(memcmp(name.array[i], number.array[i], name.bytes[i]) == 0);
        changed += name.changed[i];
        free(name.array[i]);
        free(number.array[i]);
    }
    printf("rank %d: %d elements changed, the same by name and by number\n", rank, changed);
    MPI_Finalize();
    return 0;
}
