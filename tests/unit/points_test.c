/*
 * Do two boxes of points in memory have a byte in common?  Drawn at random, and compared with a list of all bytes
 * of both.
 */
#include "grid/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MEMORY = 4096, TRIES = 20000 };

static uint64_t state = 1;

static int draw(int count)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)count);
}

/* Strides are nested, with room to spare for others between points and rows. */
static hxi_points draw_points(void)
{
    static const int sizes[] = {1, 4, 8, 24};
    hxi_points p = {.bytes = sizes[draw(4)]};
    ptrdiff_t stride = p.bytes * (1 + draw(3));
    for (int i = 0; i < HX_POINTS_STEPS; ++i) {
        p.n[i] = 1 + draw(4);
        p.stride[i] = p.n[i] > 1 ? stride : draw(100) - 50;
        stride *= p.n[i] + draw(2);
    }
    p.first = (uintptr_t)draw(600);
    return p;
}

static void mark(const hxi_points *p, unsigned char *memory, unsigned char bit)
{
    int i[HX_POINTS_STEPS] = {0};
    for (int axis = 0; axis < HX_POINTS_STEPS;) {
        uintptr_t at = p->first;
        for (int a = 0; a < HX_POINTS_STEPS; ++a) {
            at += i[a] > 0 ? (uintptr_t)(i[a] * p->stride[a]) : 0;
        }
        for (uintptr_t k = at; k < at + (uintptr_t)p->bytes && k < MEMORY; ++k) {
            memory[k] |= bit;
        }
        axis = 0;
        while (axis < HX_POINTS_STEPS && ++i[axis] == p->n[axis]) {
            i[axis++] = 0;
        }
    }
}

static void agrees_with_all_bytes(void **context)
{
    (void)context;
    int met = 0;
    int tried = 0;
    for (int i = 0; i < TRIES; ++i) {
        const hxi_points one = draw_points();
        hxi_points other = draw_points();
        if (i % 2 == 0) { /* as fields of one kind have them */
            const uintptr_t first = other.first;
            other = one;
            other.first = first;
        }
        if (hxi_points_end(&one) > MEMORY || hxi_points_end(&other) > MEMORY) {
            continue;
        }
        unsigned char memory[MEMORY] = {0};
        mark(&one, memory, 1);
        mark(&other, memory, 2);
        const bool both = memchr(memory, 3, sizeof memory) != NULL;
        assert_int_equal(hxi_points_meet(&one, &other), both);
        assert_int_equal(hxi_points_meet(&other, &one), both);
        met += both;
        ++tried;
    }
    assert_true(met > tried / 10 && met < tried - tried / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_all_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
