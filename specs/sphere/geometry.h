/*
 * Places on the sphere of radius 1, and the map of the six tiles.
 *
 * A tile is a side of a cube around the sphere, seen from the middle.  Its cells are equally wide in angle,
 * so that lines between them are parts of great circles, and tiles that meet agree where those are.
 */
#ifndef SPHERE_GEOMETRY_H
#define SPHERE_GEOMETRY_H

enum { TILES = 6 };

/* In space: z points north, and x to where longitude and latitude are 0. */
typedef struct vec {
    double x, y, z;
} vec;

static inline vec scaled(double factor, vec a)
{
    return (vec){factor * a.x, factor * a.y, factor * a.z};
}

static inline vec plus(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline vec minus(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vec cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* What of a vector at a place lies along the sphere. */
static inline vec along_sphere(vec a, vec place)
{
    return minus(a, scaled(dot(a, place), place));
}

vec unit(vec a);

/* Of two places. */
double distance(vec a, vec b);

/* A side of a cell. */
typedef struct side {
    vec middle, normal; /* to the east for sides across x, to the north for those across y */
    double length;
} side;

/* Side i of n + 1 across an axis (0: x, 1: y), and number j of n along it. */
side side_of_cell(int tile, int axis, int i, int j, int n);

/* The middle of cell (i, j) of n x n on a tile, and its corner to the south-west. */
vec middle_of_cell(int tile, int i, int j, int n);
vec corner_of_cell(int tile, int i, int j, int n);

/* The cell that a place lies in. */
void cell_at(vec place, int n, int *tile, int *i, int *j);

/* The area of a polygon whose corners stand around it to the left. */
double area_of(const vec *corner, int corners);
double area_of_cell(int tile, int i, int j, int n);

/*
 * Weights that give the slope of what has `count` values around a place: the sum of weights times how much
 * more it is there.  By least squares.
 */
void weigh_slope(vec place, const vec *around, int count, vec *weight);

#endif
