/*
 * Choosing how many parts a partition has along each axis, and saying why.
 */
#include "base/status.h"
#include "base/text.h"
#include "grid/partition.h"

#include <stdint.h>
#include <string.h>

typedef struct search {
    hx_partition partition; /* request; ranks[] filled in on the way */
    int open[HX_MAX_AXES];  /* axes to choose for */
    int opens;
    hxi_process_grids found;
} search;

/* The longest part with so many cut sides (0, 1 or 2), 0 if there is none. */
static void longest_parts(const hx_partition *p, int axis, int longest[3])
{
    longest[0] = longest[1] = longest[2] = 0;
    const int parts = p->ranks[axis];
    /* Without given cuts the longest parts come first, so the first two and the last tell. */
    const int step = p->cuts[axis] || parts <= 4 ? 1 : parts - 2;
    for (int i = 0; i < parts; i += i == 1 ? step : 1) {
        const int n = hxi_partition_cut(p, axis, i + 1) - hxi_partition_cut(p, axis, i);
        const int outer = (i == 0) + (i == parts - 1);
        const int sides = parts == 1 ? 0 : p->periodic[axis] ? 2 : 2 - outer;
        if (n > longest[sides]) {
            longest[sides] = n;
        }
    }
}

/* Bytes to and from the busiest rank: the worst combination of part lengths and cut sides. */
static double busiest_bytes(const hx_partition *p)
{
    int longest[HX_MAX_AXES][3];
    int combinations = 1;
    for (int a = 0; a < p->axes; ++a) {
        longest_parts(p, a, longest[a]);
        combinations *= 3;
    }
    double worst = 0.0;
    for (int c = 0; c < combinations; ++c) {
        int sides[HX_MAX_AXES];
        double cells = 1.0;
        for (int a = 0, rest = c; a < p->axes; ++a, rest /= 3) {
            sides[a] = rest % 3;
            cells *= longest[a][sides[a]];
        }
        double bytes = 0.0;
        for (int a = 0; a < p->axes && cells > 0.0; ++a) {
            bytes += sides[a] * p->face_bytes[a] * (cells / longest[a][sides[a]]);
        }
        worst = bytes > worst ? bytes : worst;
    }
    return worst;
}

/* Parts around the busiest one, corners included: an exchange sends each of them one message at most. */
static int busiest_neighbors(const hx_partition *p)
{
    int around = 1;
    for (int a = 0; a < p->axes; ++a) {
        around *= p->ranks[a] < 3 ? p->ranks[a] : 3;
    }
    return around - 1;
}

/* Fewest bytes, then fewest neighbors, then fewest parts along the first axes, so that the order is total. */
static bool is_better(const hxi_process_grid *a, const hxi_process_grid *b)
{
    if (a->bytes < b->bytes || a->bytes > b->bytes) {
        return a->bytes < b->bytes;
    }
    if (a->neighbors != b->neighbors) {
        return a->neighbors < b->neighbors;
    }
    int axis = 0;
    while (axis < HX_MAX_AXES - 1 && a->parts[axis] == b->parts[axis]) {
        ++axis;
    }
    return a->parts[axis] < b->parts[axis];
}

static void keep(search *s)
{
    hxi_process_grid found = {.bytes = busiest_bytes(&s->partition),
                              .neighbors = busiest_neighbors(&s->partition)};
    memcpy(found.parts, s->partition.ranks, sizeof found.parts);
    s->found.tried++;
    int at = s->found.kept;
    while (at > 0 && is_better(&found, &s->found.best[at - 1])) {
        if (at < HX_PROCESS_GRIDS) {
            s->found.best[at] = s->found.best[at - 1];
        }
        --at;
    }
    if (at < HX_PROCESS_GRIDS) {
        s->found.best[at] = found;
        s->found.kept += s->found.kept < HX_PROCESS_GRIDS;
    }
}

static void give(search *s, int i, int ranks, int parts);

/* Every way to write `ranks` as a product over the open axes from number i on. */
static void divide(search *s, int i, int ranks)
{
    if (i == s->opens || i == HX_MAX_AXES) {
        if (ranks == 1) {
            keep(s);
        }
        return;
    }
    if (i == s->opens - 1) {
        give(s, i, ranks, ranks);
        return;
    }
    for (int parts = 1; parts <= ranks / parts; ++parts) {
        if (ranks % parts == 0) {
            give(s, i, ranks, parts);
        }
        if (ranks % parts == 0 && parts != ranks / parts) {
            give(s, i, ranks, ranks / parts);
        }
    }
}

/* So many of the ranks along the i-th open axis, and the rest along the others. */
static void give(search *s, int i, int ranks, int parts)
{
    const int axis = s->open[i];
    if (parts <= s->partition.cells[axis]) {
        s->partition.ranks[axis] = parts;
        divide(s, i + 1, ranks / parts);
    }
}

static search search_partition(int ranks, const hx_partition *request)
{
    search s = {.partition = *request};
    int given = 1;
    for (int a = 0; a < request->axes; ++a) {
        if (request->ranks[a] == 0) {
            s.open[s.opens++] = a;
        } else {
            given *= request->ranks[a]; /* fits: hxi_partition_check */
        }
    }
    if (ranks % given == 0) {
        divide(&s, 0, ranks / given);
    }
    return s;
}

/* The largest number of ranks below `ranks` that can share the cells; 0 if there is none. */
static int largest_legal(int ranks, const hx_partition *request)
{
    int64_t fewer = 1;
    for (int a = 0; a < request->axes; ++a) {
        fewer *= request->ranks[a] > 0 ? request->ranks[a] : request->cells[a];
        fewer = fewer < ranks ? fewer : ranks - 1;
    }
    while (fewer > 0 && search_partition((int)fewer, request).found.kept == 0) {
        --fewer;
    }
    return (int)fewer;
}

static hx_status refuse(int ranks, const hx_partition *p)
{
    char product[HX_PRODUCT];
    char asked[HX_SENTENCE / 4] = "";
    hxi_text text = {asked, sizeof asked, 0};
    if (hxi_partition_parts(p) > 1) {
        hxi_text_add(&text, " with the parts asked for, %s (0: chosen)",
                     hxi_product(p->axes, p->ranks, product));
    }
    const int legal = largest_legal(ranks, p);
    const char *way_out =
        legal > 0 ? "the largest number of ranks below that fits is" : "the fewest ranks that fit are";
    return hxi_fail(HX_ERR_PARTITION, "%d rank%s cannot share a grid of %s cells%s; %s %d.", ranks,
                    hxi_s(ranks), hxi_product(p->axes, p->cells, product), asked, way_out,
                    legal > 0 ? legal : hxi_partition_parts(p));
}

hx_status hxi_process_grids_find(int ranks, const hx_partition *request, hxi_process_grids *found)
{
    *found = search_partition(ranks, request).found;
    return found->kept > 0 ? HX_OK : refuse(ranks, request);
}

hx_status hxi_partition_choose(int ranks, hx_partition *partition)
{
    hxi_process_grids found;
    const hx_status status = hxi_process_grids_find(ranks, partition, &found);
    if (status == HX_OK) {
        memcpy(partition->ranks, found.best[0].parts, sizeof partition->ranks);
    }
    return status;
}

size_t hx_explain_partition(int ranks, const hx_partition *request, char *text, size_t size)
{
    hxi_text out = {text, size, 0};
    if (text && size > 0) {
        text[0] = '\0';
    }
    if (hxi_partition_check(request, false) != HX_OK ||
        (ranks < 1 && hxi_fail(HX_ERR_ARGUMENT, "There is no partition for %d ranks.", ranks) != HX_OK)) {
        hxi_text_add(&out, "%s\n", hx_last_error());
        return out.length;
    }
    hxi_process_grids found;
    if (hxi_process_grids_find(ranks, request, &found) != HX_OK) {
        hxi_text_add(&out, "%s\n", hx_last_error());
        return out.length;
    }
    char cells[HX_PRODUCT];
    hxi_text_add(
        &out,
        "%s cells among %d rank%s.  Of the busiest rank: bytes sent and received when every exchange is done "
        "once, without corners; neighbors, with corners.  Fewest bytes win, then fewest neighbors.\n",
        hxi_product(request->axes, request->cells, cells), ranks, hxi_s(ranks));
    hxi_text_add(&out, "  %-24s %14s %9s\n", "parts", "bytes", "neighbors");
    for (int i = 0; i < found.kept; ++i) {
        char parts[HX_PRODUCT];
        hxi_text_add(&out, "  %-24s %14.0f %9d%s\n", hxi_product(request->axes, found.best[i].parts, parts),
                     found.best[i].bytes, found.best[i].neighbors, i == 0 ? "  chosen" : "");
    }
    if (found.tried > found.kept) {
        hxi_text_add(&out, "  and %lld more, none better\n", (long long)(found.tried - found.kept));
    }
    return out.length;
}
