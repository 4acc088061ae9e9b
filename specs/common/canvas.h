/*
 * Just enough drawing for one picture: filled polygons, lines and letters, smooth at the edges.
 */
#ifndef COMMON_CANVAS_H
#define COMMON_CANVAS_H

typedef struct point {
    double x, y; /* pixels, from the top left corner */
} point;

typedef struct color {
    double red, green, blue; /* 0 ... 1, as in sRGB */
} color;

typedef struct canvas canvas;

canvas *canvas_create(int width, int height, color background);
void canvas_destroy(canvas *c);

/* A convex polygon. */
void canvas_polygon(canvas *c, const point *corner, int corners, color fill);

/* A line with round ends. */
void canvas_line(canvas *c, point from, point to, double width, color stroke);

/* A picture of a function over a rectangle: at(context, x, y), 0 <= x, y < 1 from its top left corner. */
void canvas_image(canvas *c, point corner, double width, double height,
                  color (*at)(const void *, double, double), const void *context);

/* Letters whose small ones are `size` high.  `from` is the left end of the baseline, or its middle if
 * centered. */
void canvas_text(canvas *c, point from, double size, int centered, color ink, const char *text);

/* Writes a PNG file.  Returns NULL, or what went wrong. */
const char *canvas_write(const canvas *c, const char *path);

/* From one color to another: fraction 0 is the first, 1 the second. */
color color_between(color first, color second, double fraction);

/* Colors of even lightness and strength; hue in turns. */
color color_of_hue(double lightness, double strength, double hue);

#endif
