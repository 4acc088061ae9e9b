#include "explain/kernels.h"

enum { DEPTHS = 64 };

/* What kernels for a depth point to, and all others.  Any pointer to a function may hold them. */
static void general(void)
{
}

static void deep(void)
{
}

#define GENERAL(type) ((type *)general)
#define DEEP(type)    ((type *)deep)

int kernels_have_depth_pack(hx_pack_fn *pack)
{
    return pack == DEEP(hx_pack_fn);
}

int kernels_have_depth_unpack(hx_unpack_fn *unpack)
{
    return unpack == DEEP(hx_unpack_fn);
}

int kernels_have_depth_copy(hx_copy_fn *copy)
{
    return copy == DEEP(hx_copy_fn);
}

static void read_strips(const reader *r, hx_kernels *kernels)
{
    int depth[DEPTHS];
    const int count = read_ints(r, "strip", DEPTHS, depth);
    hx_strip *strip = read_memory(r, (size_t)count, sizeof *strip);
    for (int i = 0; i < count; ++i) {
        strip[i] = (hx_strip){depth[i], DEEP(hx_pack_fn), DEEP(hx_unpack_fn), DEEP(hx_copy_fn)};
    }
    kernels->strip = strip;
    kernels->strips = count;
}

static void read_turned(const reader *r, hx_kernels *kernels)
{
    int depth[DEPTHS];
    const int count = read_ints(r, "turned", DEPTHS, depth);
    hx_turned *turned = read_memory(r, (size_t)count, sizeof *turned);
    for (int i = 0; i < count; ++i) {
        turned[i] = (hx_turned){depth[i], GENERAL(hx_copy_turned_fn)};
    }
    kernels->turned = turned;
    kernels->turneds = count;
}

static void read_pair(const reader *r, hx_kernels *kernels)
{
    int depth[2];
    if (read_ints(r, "pair", 2, depth) == 2) {
        hx_pair *pair = read_memory(r, 1, sizeof *pair);
        *pair = (hx_pair){.lo = depth[0], .hi = depth[1]};
        kernels->pair = pair;
    }
}

const hx_kernels *kernels_read(const reader *r)
{
    hx_kernels *kernels = read_memory(r, 1, sizeof *kernels);
    if (read_int(r, "general")) {
        kernels->pack = GENERAL(hx_pack_fn);
        kernels->unpack = GENERAL(hx_unpack_fn);
        kernels->copy = GENERAL(hx_copy_fn);
    }
    read_strips(r, kernels);
    read_pair(r, kernels);
    read_turned(r, kernels);
    kernels->copy_turned = read_int(r, "copy_turned") ? GENERAL(hx_copy_turned_fn) : NULL;
    kernels->sweep = read_int(r, "sweep") ? GENERAL(hx_sweep_fn) : NULL;
    kernels->accumulating =
        read_int(r, "accumulating") ? read_memory(r, 1, sizeof *kernels->accumulating) : NULL;
    kernels->picking = read_int(r, "picking") ? read_memory(r, 1, sizeof *kernels->picking) : NULL;
    return kernels;
}
