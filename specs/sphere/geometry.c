#include "geometry.h"

#include <math.h>

static const double quarter = 1.57079632679489661923;

/* The middle of each tile, and where its east and north are, as docs/spec-language.md connects them. */
static const struct {
    vec middle, east, north;
} tiles[TILES] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},   {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}},
    {{0, 0, 1}, {-1, 0, 0}, {0, -1, 0}}, {{-1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
    {{0, -1, 0}, {0, 0, -1}, {1, 0, 0}}, {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}},
};

vec unit(vec a)
{
    return scaled(1.0 / sqrt(dot(a, a)), a);
}

double distance(vec a, vec b)
{
    const vec normal = cross(a, b);
    return atan2(sqrt(dot(normal, normal)), dot(a, b));
}

/*
 * How far line i of 0 ... n lies from the middle of its side of the cube.  Exact at both ends, and opposite.
 */
static double line(int i, int n)
{
    return i == 0 ? -1.0 : i == n ? 1.0 : tan(0.5 * quarter * (2 * i - n) / n);
}

vec corner_of_cell(int tile, int i, int j, int n)
{
    const vec east = scaled(line(i, n), tiles[tile].east), north = scaled(line(j, n), tiles[tile].north);
    return unit(plus(tiles[tile].middle, plus(east, north)));
}

side side_of_cell(int tile, int axis, int i, int j, int n)
{
    const vec from = axis == 0 ? corner_of_cell(tile, i, j, n) : corner_of_cell(tile, j + 1, i, n);
    const vec to = axis == 0 ? corner_of_cell(tile, i, j + 1, n) : corner_of_cell(tile, j, i, n);
    return (side){unit(plus(from, to)), unit(cross(to, from)), distance(from, to)};
}

static void corners_of_cell(int tile, int i, int j, int n, vec corner[4])
{
    corner[0] = corner_of_cell(tile, i, j, n);
    corner[1] = corner_of_cell(tile, i + 1, j, n);
    corner[2] = corner_of_cell(tile, i + 1, j + 1, n);
    corner[3] = corner_of_cell(tile, i, j + 1, n);
}

/*
 * The center of gravity.  There, and only there, the sides of a cell pull evenly in all directions along the
 * sphere: a sea at rest stays so.
 */
vec middle_of_cell(int tile, int i, int j, int n)
{
    vec corner[4], pull = {0};
    corners_of_cell(tile, i, j, n, corner);
    for (int c = 0; c < 4; ++c) {
        const vec from = corner[c], to = corner[(c + 1) % 4];
        pull = plus(pull, scaled(distance(from, to), unit(cross(from, to))));
    }
    return unit(pull);
}

/* The cell of n in a row whose part of the side of the cube this is. */
static int cell_on_line(double from_middle, int n)
{
    const int i = (int)floor(0.5 * n * (1.0 + atan(from_middle) / (0.5 * quarter)));
    return i < 0 ? 0 : i < n ? i : n - 1;
}

void cell_at(vec place, int n, int *tile, int *i, int *j)
{
    *tile = 0;
    for (int t = 1; t < TILES; ++t) {
        if (dot(place, tiles[t].middle) > dot(place, tiles[*tile].middle)) {
            *tile = t;
        }
    }
    const double far = dot(place, tiles[*tile].middle);
    *i = cell_on_line(dot(place, tiles[*tile].east) / far, n);
    *j = cell_on_line(dot(place, tiles[*tile].north) / far, n);
}

/* Of a triangle, by van Oosterom and Strackee. */
static double area_of_triangle(vec a, vec b, vec c)
{
    return 2.0 * atan2(dot(a, cross(b, c)), 1.0 + dot(a, b) + dot(b, c) + dot(c, a));
}

double area_of(const vec *corner, int corners)
{
    double area = 0.0;
    for (int c = 2; c < corners; ++c) {
        area += area_of_triangle(corner[0], corner[c - 1], corner[c]);
    }
    return area;
}

double area_of_cell(int tile, int i, int j, int n)
{
    vec corner[4];
    corners_of_cell(tile, i, j, n, corner);
    return area_of(corner, 4);
}

void weigh_slope(vec place, const vec *around, int count, vec *weight)
{
    /* The matrix of the normal equations; that of the place itself, across the sphere, makes it regular. */
    vec row[3] = {scaled(place.x, place), scaled(place.y, place), scaled(place.z, place)};
    for (int k = 0; k < count; ++k) {
        weight[k] = along_sphere(minus(around[k], place), place);
        row[0] = plus(row[0], scaled(weight[k].x, weight[k]));
        row[1] = plus(row[1], scaled(weight[k].y, weight[k]));
        row[2] = plus(row[2], scaled(weight[k].z, weight[k]));
    }
    const vec column[3] = {cross(row[1], row[2]), cross(row[2], row[0]), cross(row[0], row[1])};
    const double determinant = dot(row[0], column[0]);
    for (int k = 0; k < count; ++k) {
        const vec d = scaled(1.0 / determinant, weight[k]);
        weight[k] = (vec){dot(column[0], d), dot(column[1], d), dot(column[2], d)};
    }
}
