#include "picture.h"

#include "../common/canvas.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 1200, HEIGHT = 960, SIDE = 270, LEFT = 60, BOTTOM = 900 };

static const color paper = {0.985, 0.982, 0.972};
static const color ink = {0.13, 0.14, 0.20};
static const color faint = {0.45, 0.46, 0.52};
static const color white = {1.0, 1.0, 1.0};

/* Where tiles are drawn: each beside the one before it, as the two meet. */
static const int column[TILES] = {0, 1, 1, 2, 2, 3};
static const int row[TILES] = {0, 0, 1, 1, 2, 2};

typedef struct map {
    const flow *flow;
    const double *surface;
    int cells, tile;
    double lowest, highest;
} map;

/* Even steps in lightness, from 0 to 1. */
static color color_of_value(double value)
{
    static const color scale[] = {
        {0.051, 0.110, 0.310}, {0.086, 0.278, 0.451}, {0.133, 0.451, 0.533}, {0.306, 0.608, 0.573},
        {0.557, 0.737, 0.600}, {0.804, 0.843, 0.667}, {0.980, 0.925, 0.780},
    };
    enum { STEPS = sizeof scale / sizeof scale[0] - 1 };
    const double place = fmin(fmax(value, 0.0), 1.0) * STEPS;
    const int step = place < STEPS ? (int)place : STEPS - 1;
    return color_between(scale[step], scale[step + 1], place - step);
}

/* The mountain is shaded. */
static color color_of_cell(const map *m, int tile, int i, int j)
{
    const double surface = m->surface[(tile * m->cells + j) * m->cells + i];
    const color c = color_of_value((surface - m->lowest) / (m->highest - m->lowest));
    const double bed = flow_bed(m->flow, middle_of_cell(tile, i, j, m->cells));
    return bed > 0.0 ? color_between(c, ink, 0.1 + 0.3 * bed / m->flow->mountain) : c;
}

static color color_in_tile(const void *context, double x, double y)
{
    const map *m = context;
    return color_of_cell(m, m->tile, (int)(x * m->cells), (int)((1.0 - y) * m->cells));
}

/* The sphere from far away, with the mountain in view. */
static color color_of_globe(const void *context, double x, double y)
{
    const map *m = context;
    const double right = 2.0 * x - 1.0, up = 1.0 - 2.0 * y, square = right * right + up * up;
    if (square >= 1.0) {
        return paper;
    }
    const vec front = unit((vec){0.5, -0.8, 0.45});
    const vec east = unit(cross((vec){0.0, 0.0, 1.0}, front)), north = cross(front, east);
    const vec place = plus(scaled(sqrt(1.0 - square), front), plus(scaled(right, east), scaled(up, north)));
    int tile, i, j;
    cell_at(place, m->cells, &tile, &i, &j);
    return color_between(color_of_cell(m, tile, i, j), ink, 0.4 * square * square * square);
}

static color color_in_scale(const void *context, double x, double y)
{
    (void)context;
    (void)y;
    return color_of_value(x);
}

static void draw_tile(canvas *c, map *m, int tile)
{
    const double west = LEFT + column[tile] * SIDE, south = BOTTOM - row[tile] * SIDE;
    const double east = west + SIDE, north = south - SIDE;
    m->tile = tile;
    canvas_image(c, (point){west, north}, SIDE, SIDE, color_in_tile, m);
    canvas_line(c, (point){west, south}, (point){east, south}, 1.2, ink);
    canvas_line(c, (point){west, north}, (point){east, north}, 1.2, ink);
    canvas_line(c, (point){west, south}, (point){west, north}, 1.2, ink);
    canvas_line(c, (point){east, south}, (point){east, north}, 1.2, ink);
    char text[16];
    snprintf(text, sizeof text, "tile %d", tile);
    canvas_line(c, (point){west + 20, south - 20}, (point){west + 58, south - 20}, 21.0, white);
    canvas_text(c, (point){west + 39, south - 16}, 8.5, 1, ink, text);
}

static void draw_scale(canvas *c, const map *m)
{
    enum { TOP = 150, LENGTH = 400 };
    canvas_image(c, (point){LEFT, TOP}, LENGTH, 14, color_in_scale, NULL);
    for (int tick = 0; tick <= 2; ++tick) {
        char text[32];
        snprintf(text, sizeof text, "%.0f m", m->lowest + 0.5 * tick * (m->highest - m->lowest));
        const double inward = 25.0 * (1 - tick);
        canvas_text(c, (point){LEFT + 0.5 * LENGTH * tick + inward, TOP + 36}, 8.5, 1, faint, text);
    }
}

const char *picture_write(const char *path, const flow *f, int cells, double seconds, const double *surface)
{
    map m = {.flow = f, .surface = surface, .cells = cells, .lowest = INFINITY, .highest = -INFINITY};
    for (int at = 0; at < TILES * cells * cells; ++at) {
        m.lowest = fmin(m.lowest, surface[at]);
        m.highest = fmax(m.highest, surface[at]);
    }
    m.highest = fmax(m.highest, m.lowest + 1.0); /* also of a sea at rest */

    canvas *c = canvas_create(WIDTH, HEIGHT, paper);
    char text[96];
    canvas_text(c, (point){LEFT, 62}, 13.0, 0, ink, "shallow water on a sphere: height of the surface");
    snprintf(text, sizeof text, "test %d (%s), 6 x %d x %d cells", f->test, f->name, cells, cells);
    canvas_text(c, (point){LEFT, 92}, 8.5, 0, faint, text);
    snprintf(text, sizeof text, "after %.1f days", seconds / 86400.0);
    canvas_text(c, (point){LEFT, 116}, 8.5, 0, faint, text);
    draw_scale(c, &m);
    enum { GLOBE = 310 };
    canvas_image(c, (point){LEFT + 4 * SIDE - GLOBE, BOTTOM - GLOBE}, GLOBE, GLOBE, color_of_globe, &m);
    for (int tile = 0; tile < TILES; ++tile) {
        draw_tile(c, &m, tile);
    }
    const char *problem = canvas_write(c, path);
    canvas_destroy(c);
    return problem;
}
