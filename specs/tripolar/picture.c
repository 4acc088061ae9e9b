#include "picture.h"

#include "../common/canvas.h"
#include "../common/check.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 1000, HEIGHT = 920, LEFT = 60, TOP = 120, ACROSS = 880, DOWN = 760 };

static const color paper = {0.985, 0.982, 0.972};
static const color ink = {0.13, 0.14, 0.20};
static const color faint = {0.45, 0.46, 0.52};
static const color water = {0.86, 0.91, 0.93};
static const color cloud[TRACERS] = {{0.80, 0.25, 0.15}, {0.10, 0.35, 0.60}};
static const double scale = 230.0; /* pixels from the middle to a pole */

typedef struct map {
    const ocean *ocean;
    const double *state;
} map;

static point pixel_of(place p)
{
    return (point){LEFT + 0.5 * ACROSS + scale * p.x, TOP + 0.5 * DOWN - scale * p.y};
}

static color color_at(const void *context, double x, double y)
{
    const map *m = context;
    const place p = {ACROSS * (x - 0.5) / scale, DOWN * (0.5 - y) / scale};
    int column, row;
    if (!cell_at(m->ocean, p, &column, &row)) {
        return paper;
    }
    color c = water;
    for (int k = 0; k < TRACERS; ++k) {
        const double amount = m->state[TRACERS * (row * m->ocean->columns + column) + k];
        c = color_between(c, cloud[k], fmin(fmax(amount, 0.0), 1.0));
    }
    return c;
}

/* From one corner of cells to another, along a row or a column. */
static void draw_line(canvas *c, const ocean *o, const double from[2], const double to[2], double width,
                      color stroke)
{
    enum { PIECES = 64 };
    for (int i = 0; i < PIECES; ++i) {
        const double a = (double)i / PIECES, b = (double)(i + 1) / PIECES;
        const place p = place_of(o, from[0] + a * (to[0] - from[0]), from[1] + a * (to[1] - from[1]));
        const place q = place_of(o, from[0] + b * (to[0] - from[0]), from[1] + b * (to[1] - from[1]));
        canvas_line(c, pixel_of(p), pixel_of(q), width, stroke);
    }
}

static void draw_grid(canvas *c, const ocean *o)
{
    const double last = o->rows - 1;
    for (int row = 0; row < o->rows; row += o->columns / 32) {
        draw_line(c, o, (double[]){0, row - 0.5}, (double[]){o->columns, row - 0.5}, 0.6, faint);
    }
    for (int column = 0; column < o->columns; column += o->columns / 32) {
        draw_line(c, o, (double[]){column, -0.5}, (double[]){column, last}, 0.6, faint);
    }
    draw_line(c, o, (double[]){0, last}, (double[]){0.5 * o->columns, last}, 3.0, ink);
    for (int pole = -1; pole <= 1; pole += 2) {
        canvas_line(c, pixel_of((place){pole, 0}), pixel_of((place){pole, 0}), 14.0, ink);
    }
}

static void draw_blocks(canvas *c, const ocean *o, const hx_partition *grid)
{
    for (int b = 0; b < grid->ranks[0] * grid->ranks[1]; ++b) {
        hx_part part;
        check(hx_part_of(grid, 0, b, &part));
        const double west = part.first[0] - 0.5, south = part.first[1] - 0.5;
        const double east = west + part.n[0], north = fmin(south + part.n[1], o->rows - 1);
        draw_line(c, o, (double[]){west, south}, (double[]){east, south}, 1.8, ink);
        draw_line(c, o, (double[]){west, south}, (double[]){west, north}, 1.8, ink);
    }
}

const char *picture_write(const char *path, const ocean *o, const hx_partition *grid, const double *state)
{
    const map m = {o, state};
    canvas *c = canvas_create(WIDTH, HEIGHT, paper);
    char text[96];
    canvas_text(c, (point){LEFT, 56}, 13.0, 0, ink, "tracers across the fold between two poles");
    snprintf(text, sizeof text, "%d x %d cells in %d x %d blocks", o->columns, o->rows, grid->ranks[0],
             grid->ranks[1]);
    canvas_text(c, (point){LEFT, 86}, 8.5, 0, faint, text);
    canvas_image(c, (point){LEFT, TOP}, ACROSS, DOWN, color_at, &m);
    draw_grid(c, o);
    draw_blocks(c, o, grid);
    const char *problem = canvas_write(c, path);
    canvas_destroy(c);
    return problem;
}
