/*
 * What must hold; else the program ends with a line that says where.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include <hx/hx.h>

#include <stdio.h>

#define expect(holds)   expect_at((holds) ? 1 : 0, #holds, __FILE__, __LINE__)
#define expect_ok(call) expect_at((call) == HX_OK, #call, __FILE__, __LINE__)

static inline void expect_at(int holds, const char *what, const char *file, int line)
{
    if (!holds) {
        printf("%s:%d: not so: %s.  %s\n", file, line, what, hx_last_error());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

#endif
