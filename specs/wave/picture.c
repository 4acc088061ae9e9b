#include "picture.h"

#include "../common/canvas.h"
#include "../common/check.h"
#include "solver.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 1400, HEIGHT = 800 };

static const color paper = {0.985, 0.982, 0.972};
static const color ink = {0.13, 0.14, 0.20};
static const color faint = {0.45, 0.46, 0.52};
static const color white = {1.0, 1.0, 1.0};
static const color black = {0.0, 0.0, 0.0};

static color color_of_rank(int rank)
{
    return color_of_hue(0.76, 0.115, 0.08 + 0.381966 * rank);
}

static hx_part part_of_rank(const hx_partition *partition, int rank)
{
    hx_part part;
    check(hx_part_of(partition, 0, rank, &part));
    return part;
}

static int ranks_of(const hx_partition *partition)
{
    return partition->ranks[0] * partition->ranks[1] * partition->ranks[2];
}

/* ---- the field ---- */

typedef struct slice {
    const double *value; /* of the lowest cells */
    int nx, ny;
    double largest; /* the end of the color scale */
} slice;

/* Even steps in lightness from blue by way of white to red, after Fabio Crameri's "vik". */
static color color_of_value(double value)
{
    static const color scale[] = {
        {0.000, 0.071, 0.380}, {0.012, 0.243, 0.490}, {0.118, 0.435, 0.616}, {0.443, 0.659, 0.769},
        {0.788, 0.867, 0.906}, {0.930, 0.900, 0.880}, {0.918, 0.808, 0.741}, {0.827, 0.592, 0.455},
        {0.745, 0.396, 0.200}, {0.545, 0.153, 0.024}, {0.349, 0.000, 0.031},
    };
    enum { STEPS = sizeof scale / sizeof scale[0] - 1 };
    const double place = fmin(fmax(0.5 + 0.5 * value, 0.0), 1.0) * STEPS;
    const int step = place < STEPS ? (int)place : STEPS - 1;
    return color_between(scale[step], scale[step + 1], place - step);
}

/* Catmull and Rom's cubic through four values, between the middle ones. */
static double cubic(const double v[4], double t)
{
    return v[1] +
           0.5 * t *
               (v[2] - v[0] +
                t * (2.0 * v[0] - 5.0 * v[1] + 4.0 * v[2] - v[3] + t * (3.0 * (v[1] - v[2]) + v[3] - v[0])));
}

static color color_in_slice(const void *context, double x, double y)
{
    const slice *s = context;
    const double column = x * s->nx - 0.5, row = (1.0 - y) * s->ny - 0.5;
    const int i = (int)floor(column), j = (int)floor(row);
    double across[4];
    for (int b = 0; b < 4; ++b) {
        const ptrdiff_t line = (j + b - 1 + s->ny) % s->ny;
        double along[4];
        for (int a = 0; a < 4; ++a) {
            along[a] = s->value[line * s->nx + (i + a - 1 + s->nx) % s->nx];
        }
        across[b] = cubic(along, column - i);
    }
    return color_of_value(cubic(across, row - j) / s->largest);
}

static color color_in_scale(const void *context, double x, double y)
{
    (void)context;
    (void)y;
    return color_of_value(2.0 * x - 1.0);
}

static void draw_tag(canvas *c, point left, int rank)
{
    char text[32];
    snprintf(text, sizeof text, "rank %d", rank);
    const double length = rank < 10 ? 45.0 : 54.0;
    const point from = {left.x + 12.0, left.y - 12.0}, to = {from.x + length, from.y};
    canvas_line(c, from, to, 19.0, color_between(color_of_rank(rank), white, 0.35));
    canvas_text(c, (point){from.x + 0.5 * length, from.y + 4.0}, 8.0, 1, ink, text);
}

static void draw_field(canvas *c, const hx_partition *partition, const double *pressure, double time)
{
    enum { LEFT = 50, TOP = 96, SIDE = 600 };
    const int nx = partition->cells[0], ny = partition->cells[1];
    slice s = {pressure, nx, ny, 0.0};
    for (ptrdiff_t i = 0; i < (ptrdiff_t)nx * ny; ++i) {
        s.largest = fmax(s.largest, fabs(pressure[i]));
    }
    char text[96];
    canvas_text(c, (point){LEFT, 52}, 13.0, 0, ink, "sound in a room: pressure on the floor");
    snprintf(text, sizeof text, "%d x %d x %d cells, t = %.3f", nx, ny, partition->cells[2], time);
    canvas_text(c, (point){LEFT, 78}, 8.5, 0, faint, text);
    canvas_image(c, (point){LEFT, TOP}, SIDE, SIDE, color_in_slice, &s);

    for (int rank = 0; rank < ranks_of(partition); ++rank) {
        const hx_part part = part_of_rank(partition, rank);
        if (part.first[2] > 0) {
            continue;
        }
        const double west = LEFT + SIDE * (double)part.first[0] / nx;
        const double east = LEFT + SIDE * (double)(part.first[0] + part.n[0]) / nx;
        const double south = TOP + SIDE * (1.0 - (double)part.first[1] / ny);
        const double north = TOP + SIDE * (1.0 - (double)(part.first[1] + part.n[1]) / ny);
        canvas_line(c, (point){west, south}, (point){east, south}, 1.2, ink);
        canvas_line(c, (point){west, south}, (point){west, north}, 1.2, ink);
        canvas_line(c, (point){east, south}, (point){east, north}, 1.2, ink);
        canvas_line(c, (point){west, north}, (point){east, north}, 1.2, ink);
        draw_tag(c, (point){west + 10.0, south - 10.0}, rank);
    }

    canvas_image(c, (point){LEFT, TOP + SIDE + 24}, SIDE, 12, color_in_scale, NULL);
    for (int tick = -1; tick <= 1; ++tick) {
        snprintf(text, sizeof text, tick == 0 ? "0" : "%+.1f", tick * s.largest);
        canvas_text(c, (point){LEFT + 0.5 * SIDE * (1 + tick) - 14.0 * tick, TOP + SIDE + 56}, 8.5, 1, faint,
                    text);
    }
}

/* ---- the blocks, drawn apart, each with the halo of its pressure ---- */

/* Layers of the halo, as in wave.lua. */
static const int below = 2, above = 1;

typedef struct view {
    const hx_partition *partition;
    point origin;
    double scale; /* pixels per unit of length */
    double gap;   /* between blocks, in units of length as the others */
    double apart; /* from a block to its halo */
    double layer; /* thickness of a layer, more than it is in truth */
} view;

/* Seen from high up, with x running down to the right and y up to the right. */
static point project(const view *v, const double x[3])
{
    return (point){v->origin.x + v->scale * 0.866 * (x[0] + x[1]),
                   v->origin.y + v->scale * (0.5 * (x[0] - x[1]) - x[2])};
}

/* One side of a box: the parallelogram at `corner` along all axes but one. */
static void draw_side(canvas *c, const view *v, const double corner[3], const double extent[3], int across,
                      color fill)
{
    static const int along[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int first = across == 0 ? 1 : 0, second = across == 2 ? 1 : 2;
    point outline[4];
    for (int i = 0; i < 4; ++i) {
        double x[3] = {corner[0], corner[1], corner[2]};
        x[first] += along[i][0] * extent[first];
        x[second] += along[i][1] * extent[second];
        outline[i] = project(v, x);
    }
    canvas_polygon(c, outline, 4, fill);
    for (int i = 0; i < 4; ++i) {
        canvas_line(c, outline[i], outline[(i + 1) % 4], 1.0, color_between(fill, black, 0.28));
    }
}

/* The three sides of a box of cells that can be seen: top, right and left. */
static void draw_box(canvas *c, const view *v, const double lo[3], const double hi[3], color fill)
{
    const double extent[3] = {hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]};
    const double top[3] = {lo[0], lo[1], hi[2]}, right[3] = {hi[0], lo[1], lo[2]};
    draw_side(c, v, right, extent, 0, color_between(fill, black, 0.09));
    draw_side(c, v, lo, extent, 1, color_between(fill, black, 0.18));
    draw_side(c, v, top, extent, 2, color_between(fill, white, 0.15));
}

/* Where a block is drawn. */
static void place_block(const view *v, const hx_part *part, double lo[3], double hi[3])
{
    for (int a = 0; a < 3; ++a) {
        const double cell = wave_extent[a] / v->partition->cells[a];
        lo[a] = part->first[a] * cell + part->index[a] * v->gap;
        hi[a] = lo[a] + part->n[a] * cell;
    }
}

/* The layers on one side of a block, in the color of the rank whose cells they copy.  At a wall there are
 * none. */
static void draw_halo(canvas *c, const view *v, const hx_part *part, int axis, int side)
{
    const hx_partition *partition = v->partition;
    const int parts = partition->ranks[axis];
    int index[3] = {part->index[0], part->index[1], part->index[2]};
    index[axis] += side;
    if (!partition->periodic[axis] && (index[axis] < 0 || index[axis] >= parts)) {
        return;
    }
    index[axis] = (index[axis] + parts) % parts;
    const int owner = (index[0] * partition->ranks[1] + index[1]) * partition->ranks[2] + index[2];
    const color pale = color_between(color_of_rank(owner), white, 0.55);

    /* The layer that is farther along x and less far along y hides the other. */
    const int layers = side < 0 ? below : above, outward = axis == 1 ? -side : side;
    for (int count = 0; count < layers; ++count) {
        const int layer = outward > 0 ? count : layers - 1 - count;
        double lo[3], hi[3];
        place_block(v, part, lo, hi);
        const double near = v->apart + layer * v->layer, far = near + v->layer;
        const double edge = side < 0 ? lo[axis] : hi[axis];
        lo[axis] = side < 0 ? edge - far : edge + near;
        hi[axis] = side < 0 ? edge - near : edge + far;
        draw_box(c, v, lo, hi, pale);
    }
}

static void draw_block(canvas *c, const view *v, int rank)
{
    const hx_part part = part_of_rank(v->partition, rank);
    double lo[3], hi[3];
    place_block(v, &part, lo, hi);
    draw_halo(c, v, &part, 0, -1);
    draw_halo(c, v, &part, 1, +1);
    draw_halo(c, v, &part, 2, -1);
    draw_box(c, v, lo, hi, color_of_rank(rank));
    draw_halo(c, v, &part, 0, +1);
    draw_halo(c, v, &part, 1, -1);
    draw_halo(c, v, &part, 2, +1);
}

/* Tells the ranks whose tops can be seen by name and size. */
static void label_block(canvas *c, const view *v, int rank)
{
    const hx_part part = part_of_rank(v->partition, rank);
    if (part.index[2] < v->partition->ranks[2] - 1) {
        return;
    }
    double lo[3], hi[3];
    place_block(v, &part, lo, hi);
    const point at = project(v, (double[3]){0.5 * (lo[0] + hi[0]), 0.5 * (lo[1] + hi[1]), hi[2]});
    char text[64];
    snprintf(text, sizeof text, "rank %d", rank);
    canvas_text(c, (point){at.x, at.y - 1.0}, 10.0, 1, ink, text);
    snprintf(text, sizeof text, "%d x %d x %d", part.n[0], part.n[1], part.n[2]);
    canvas_text(c, (point){at.x, at.y + 17.0}, 7.0, 1, ink, text);
}

static void draw_axes(canvas *c, const view *v)
{
    static const char *const name[3] = {"x", "y", "z"};
    const point origin = project(v, (double[3]){0.0, 0.0, 0.0});
    for (int a = 0; a < 3; ++a) {
        double tip[3] = {0.0, 0.0, 0.0}, letter[3] = {0.0, 0.0, 0.0};
        tip[a] = 0.13;
        letter[a] = 0.17;
        const point at = project(v, letter);
        canvas_line(c, origin, project(v, tip), 1.6, faint);
        canvas_text(c, (point){at.x, at.y + 4.0}, 8.5, 1, faint, name[a]);
    }
}

static void draw_blocks(canvas *c, const hx_partition *partition)
{
    enum { LEFT = 740, MIDDLE = 1056 };
    const int *ranks = partition->ranks;
    int most = 1;
    for (int a = 0; a < 3; ++a) {
        most = ranks[a] > most ? ranks[a] : most;
    }
    view v = {.partition = partition, .scale = 285.0, .apart = 0.025 / most, .layer = 0.04 / most};
    v.gap = 0.5 / most;
    double size[3], half[3];
    for (int a = 0; a < 3; ++a) {
        size[a] = wave_extent[a] + (ranks[a] - 1) * v.gap;
        half[a] = 0.5 * size[a];
    }
    const point middle = project(&v, half);
    v.origin = (point){MIDDLE - middle.x, 390.0 - middle.y};

    char text[96];
    canvas_text(c, (point){LEFT, 52}, 13.0, 0, ink, "blocks and the halos of their pressure");
    snprintf(text, sizeof text, "ranks: %d, blocks: %d x %d x %d, drawn apart", ranks_of(partition), ranks[0],
             ranks[1], ranks[2]);
    canvas_text(c, (point){LEFT, 78}, 8.5, 0, faint, text);

    /* From the back to the front. */
    for (int k = 0; k < ranks[2]; ++k) {
        for (int i = 0; i < ranks[0]; ++i) {
            for (int j = ranks[1] - 1; j >= 0; --j) {
                draw_block(c, &v, (i * ranks[1] + j) * ranks[2] + k);
            }
        }
    }
    for (int rank = 0; rank < ranks_of(partition); ++rank) {
        label_block(c, &v, rank);
    }
    v.origin = (point){LEFT, 640.0};
    draw_axes(c, &v);
    canvas_line(c, (point){LEFT + 6, 724}, (point){LEFT + 18, 724}, 12.0, color_of_rank(0));
    canvas_text(c, (point){LEFT + 36, 728}, 8.5, 0, ink, "cells that rank 0 owns");
    canvas_line(c, (point){LEFT + 6, 748}, (point){LEFT + 18, 748}, 12.0,
                color_between(color_of_rank(0), white, 0.55));
    canvas_text(c, (point){LEFT + 36, 752}, 8.5, 0, ink,
                "layers of a halo that are copied from rank 0 (none at walls)");
}

const char *picture_write(const char *path, const hx_partition *partition, const double *pressure,
                          double time)
{
    canvas *c = canvas_create(WIDTH, HEIGHT, paper);
    draw_field(c, partition, pressure, time);
    draw_blocks(c, partition);
    const char *message = canvas_write(c, path);
    canvas_destroy(c);
    return message;
}
