#include "grid/partition.h"

#include "base/status.h"
#include "base/text.h"

#include <limits.h>

static hx_status check_cuts(const hx_partition *p, int axis)
{
    const int *cuts = p->cuts[axis];
    const int parts = p->ranks[axis];
    if (!cuts) {
        return HX_OK;
    }
    if (parts == 0) {
        return hxi_fail(HX_ERR_PARTITION,
                        "Cuts are given along axis %d, but ranks[%d] is 0; set it to the number of parts.",
                        axis, axis);
    }
    if (cuts[0] != 0 || cuts[parts] != p->cells[axis]) {
        return hxi_fail(HX_ERR_PARTITION,
                        "The cuts along axis %d run from %d to %d; they must run from 0 to its %d cells.",
                        axis, cuts[0], cuts[parts], p->cells[axis]);
    }
    for (int i = 0; i < parts; ++i) {
        if (cuts[i] >= cuts[i + 1]) {
            return hxi_fail(
                HX_ERR_PARTITION,
                "Cut %d along axis %d is at cell %d and cut %d at cell %d; each part needs a cell or more.",
                i, axis, cuts[i], i + 1, cuts[i + 1]);
        }
    }
    return HX_OK;
}

static hx_status check_axis(const hx_partition *p, int axis, bool chosen)
{
    if (p->cells[axis] < 1) {
        return hxi_fail(HX_ERR_PARTITION, "The grid has %d cells along axis %d; it needs 1 or more.",
                        p->cells[axis], axis);
    }
    if (p->cells[axis] > HX_MAX_CELLS) {
        return hxi_fail(HX_ERR_LIMIT, "The grid has %d cells along axis %d; libhx counts up to %d.",
                        p->cells[axis], axis, (int)HX_MAX_CELLS);
    }
    if (p->ranks[axis] < 0 || (chosen && p->ranks[axis] == 0)) {
        return hxi_fail(
            HX_ERR_PARTITION, "The partition has ranks[%d] = %d; %s.", axis, p->ranks[axis],
            chosen ? "here the parts along every axis must be given, 1 or more (hx_decompose chooses them)"
                   : "it takes the number of parts, or 0 to have it chosen");
    }
    if (p->ranks[axis] > p->cells[axis]) {
        return hxi_fail(HX_ERR_PARTITION,
                        "There are %d parts for the %d cell%s along axis %d; use %d part%s.", p->ranks[axis],
                        p->cells[axis], hxi_s(p->cells[axis]), axis, p->cells[axis],
                        p->cells[axis] == 1 ? "" : "s or fewer");
    }
    return check_cuts(p, axis);
}

hx_status hxi_partition_check(const hx_partition *p, bool chosen)
{
    if (!p) {
        return hxi_fail(HX_ERR_ARGUMENT, "The partition is a null pointer.");
    }
    if (p->axes < 1 || p->axes > HX_MAX_AXES) {
        return hxi_fail(HX_ERR_PARTITION, "The partition has %d axes; libhx knows grids of 1 to %d.", p->axes,
                        (int)HX_MAX_AXES);
    }
    for (int a = 0; a < p->axes; ++a) {
        const hx_status status = check_axis(p, a, chosen);
        if (status != HX_OK) {
            return status;
        }
    }
    if (hxi_partition_parts(p) < 0) {
        char parts[HX_PRODUCT];
        return hxi_fail(HX_ERR_LIMIT, "A partition into %s parts has more than %d of them.",
                        hxi_product(p->axes, p->ranks, parts), INT_MAX);
    }
    return HX_OK;
}

int hxi_partition_cut(const hx_partition *p, int axis, int i)
{
    return p->cuts[axis] ? p->cuts[axis][i] : hxi_even_cut(p->cells[axis], p->ranks[axis], i);
}

int hxi_partition_nth_axis(int axes, bool first_fastest, int i)
{
    return first_fastest ? i : axes - 1 - i;
}

int hxi_partition_parts(const hx_partition *p)
{
    int64_t parts = 1;
    for (int a = 0; a < p->axes; ++a) {
        parts *= p->ranks[a] > 0 ? p->ranks[a] : 1;
        if (parts > INT_MAX) {
            return -1;
        }
    }
    return (int)parts;
}

hx_status hxi_part_give(hx_status status, const hx_part *made, hx_part *mine)
{
    if (mine) {
        *mine = status == HX_OK ? *made : (hx_part){0};
    }
    return status;
}

static hx_status make_part(const hx_partition *partition, int tile, int block, hx_part *part)
{
    const hx_status status = hxi_partition_check(partition, true);
    if (status != HX_OK) {
        return status;
    }
    const int parts = hxi_partition_parts(partition);
    if (tile < 0 || block < 0 || block >= parts) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "There is no tile %d, block %d; tiles and blocks count from 0, and the partition has %d "
            "block%s.",
            tile, block, parts, hxi_s(parts));
    }
    hx_part made = {.partition = *partition, .tile = tile};
    int rest = block;
    for (int i = 0; i < partition->axes; ++i) {
        const int a = hxi_partition_nth_axis(partition->axes, partition->first_fastest, i);
        made.index[a] = rest % partition->ranks[a];
        rest /= partition->ranks[a];
        made.first[a] = hxi_partition_cut(partition, a, made.index[a]);
        made.n[a] = hxi_partition_cut(partition, a, made.index[a] + 1) - made.first[a];
    }
    *part = made;
    return HX_OK;
}

hx_status hxi_part_check_place(const hx_part *mine)
{
    return mine ? HX_OK
                : hxi_fail(HX_ERR_ARGUMENT, "The pointer to the part is null; give the address of one.");
}

hx_status hx_part_of(const hx_partition *partition, int tile, int block, hx_part *part)
{
    hx_part made = {0};
    hx_status status = hxi_part_check_place(part);
    if (status == HX_OK) {
        status = make_part(partition, tile, block, &made);
    }
    return hxi_part_give(status, &made, part);
}

static hx_status decompose(int rank, int ranks, const hx_partition *request, hx_part *made)
{
    hx_status status = hxi_partition_check(request, false);
    if (status != HX_OK) {
        return status;
    }
    if (ranks < 1 || rank < 0 || rank >= ranks) {
        return hxi_fail(HX_ERR_ARGUMENT, "There is no rank %d of %d; ranks count from 0.", rank, ranks);
    }
    hx_partition partition = *request;
    status = hxi_partition_choose(ranks, &partition);
    return status == HX_OK ? make_part(&partition, 0, rank, made) : status;
}

hx_status hx_decompose_as(int rank, int ranks, const hx_partition *request, hx_part *mine)
{
    hx_part made = {0};
    hx_status status = hxi_part_check_place(mine);
    if (status == HX_OK) {
        status = decompose(rank, ranks, request, &made);
    }
    return hxi_part_give(status, &made, mine);
}
