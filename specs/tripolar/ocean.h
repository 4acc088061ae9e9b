/*
 * The ocean as on a map, its cells, and what flows: a vortex across the fold.
 *
 * With the poles at (-1, 0) and (1, 0), lines of the grid are the ellipses and hyperbolas that have these as
 * their foci: place = (cosh m cos n, sinh m sin n), where n goes around with the columns, and m falls to 0
 * with the rows.  At m = 0 the ellipse is the line between the poles, and n and -n are the same place: the
 * fold.
 */
#ifndef TRIPOLAR_OCEAN_H
#define TRIPOLAR_OCEAN_H

enum { TRACERS = 2 };

typedef struct place {
    double x, y;
} place;

typedef struct ocean {
    int columns, rows;
    double step; /* of m and of n, from cell to cell */
} ocean;

ocean ocean_of(int columns);

/* Of a cell's middle; of its corners, too, half a column and half a row from there. */
place place_of(const ocean *o, double column, double row);

/* The cell at a place; 0: it lies beyond the rim. */
int cell_at(const ocean *o, place p, int *column, int *row);

double area_of(const ocean *o, int column, int row);

/* How much of a cell's area belongs to it alone: in the last row each place is there twice. */
double share_of(const ocean *o, int column, int row);

/* Whatever lies between two places, the difference is what flows through there: to the right of who walks
 * from the first to the second. */
double stream(place p);

/* The tracers at a time: each a cloud that the vortex turns around, on two sides of its center. */
double tracer(int number, place p, double time);

/* In this time the center of the vortex turns around once. */
extern const double turn;

#endif
