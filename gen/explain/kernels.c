#include "explain/kernels.h"

enum { DEPTHS = 64 };

/* Two of each kind that has kernels for a depth: the general one and such a one. */
static void pack(const void *field, const hx_region *from, void *buffer)
{
    (void)field, (void)from, (void)buffer;
}
static void pack_deep(const void *field, const hx_region *from, void *buffer)
{
    pack(field, from, buffer);
}
static void unpack(void *field, const hx_region *to, const void *buffer)
{
    (void)field, (void)to, (void)buffer;
}
static void unpack_deep(void *field, const hx_region *to, const void *buffer)
{
    unpack(field, to, buffer);
}
static void copy(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    (void)to_field, (void)to, (void)from_field, (void)from;
}
static void copy_deep(void *to_field, const hx_region *to, const void *from_field, const hx_region *from)
{
    copy(to_field, to, from_field, from);
}
static void turn(void *to_field, const hx_region *to, const void *from_field, const hx_region *from, int sign)
{
    (void)to_field, (void)to, (void)from_field, (void)from, (void)sign;
}
static void turn_deep(void *to_field, const hx_region *to, const void *from_field, const hx_region *from,
                      int sign)
{
    turn(to_field, to, from_field, from, sign);
}
static void sweep(void *field, const hx_shell *shell, const hx_pull *pull)
{
    (void)field, (void)shell, (void)pull;
}

int kernels_have_depth_pack(hx_pack_fn *kernel)
{
    return kernel == pack_deep;
}

int kernels_have_depth_unpack(hx_unpack_fn *kernel)
{
    return kernel == unpack_deep;
}

int kernels_have_depth_copy(hx_copy_fn *kernel)
{
    return kernel == copy_deep;
}

int kernels_have_depth_turned(hx_copy_turned_fn *kernel)
{
    return kernel == turn_deep;
}

static void read_strips(const reader *r, hx_kernels *kernels)
{
    int depth[DEPTHS];
    const int count = read_ints(r, "strip", DEPTHS, depth);
    hx_strip *strip = read_memory(r, (size_t)count, sizeof *strip);
    for (int i = 0; i < count; ++i) {
        strip[i] = (hx_strip){depth[i], pack_deep, unpack_deep, copy_deep};
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
        turned[i] = (hx_turned){depth[i], turn_deep};
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
        kernels->pack = pack;
        kernels->unpack = unpack;
        kernels->copy = copy;
    }
    read_strips(r, kernels);
    read_pair(r, kernels);
    read_turned(r, kernels);
    kernels->copy_turned = read_int(r, "copy_turned") ? turn : NULL;
    kernels->sweep = read_int(r, "sweep") ? sweep : NULL;
    kernels->adding = read_int(r, "adding") ? read_memory(r, 1, sizeof *kernels->adding) : NULL;
    kernels->picking = read_int(r, "picking") ? read_memory(r, 1, sizeof *kernels->picking) : NULL;
    return kernels;
}
