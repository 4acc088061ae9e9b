#include "canvas.h"

#include "check.h"

#include <math.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

/* Everything is drawn so many times larger along x and y, and averaged when written. */
enum { SAMPLES = 3 };

struct canvas {
    int width, height; /* in samples */
    unsigned char (*sample)[3];
};

static unsigned char to_byte(double value)
{
    return (unsigned char)lrint(255.0 * fmin(fmax(value, 0.0), 1.0));
}

static void set(unsigned char sample[3], color ink)
{
    sample[0] = to_byte(ink.red);
    sample[1] = to_byte(ink.green);
    sample[2] = to_byte(ink.blue);
}

static int clamp(double value, int most)
{
    return (int)fmin(fmax(value, 0.0), most);
}

canvas *canvas_create(int width, int height, color background)
{
    canvas *c = allocate(1, sizeof *c);
    c->width = SAMPLES * width;
    c->height = SAMPLES * height;
    const size_t samples = (size_t)c->width * (size_t)c->height;
    c->sample = allocate(samples, sizeof *c->sample);
    for (size_t i = 0; i < samples; ++i) {
        set(c->sample[i], background);
    }
    return c;
}

void canvas_destroy(canvas *c)
{
    free(c->sample);
    free(c);
}

/* Where the polygon's edges cross a row of samples: from *left to *right; nowhere if *left > *right. */
static void crossings(const point *corner, int corners, double y, double *left, double *right)
{
    *left = INFINITY;
    *right = -INFINITY;
    for (int i = 0; i < corners; ++i) {
        const point a = corner[i], b = corner[(i + 1) % corners];
        if ((a.y <= y) != (b.y <= y)) {
            const double x = a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
            *left = fmin(*left, x);
            *right = fmax(*right, x);
        }
    }
}

void canvas_polygon(canvas *c, const point *corner, int corners, color fill)
{
    double top = INFINITY, bottom = -INFINITY;
    for (int i = 0; i < corners; ++i) {
        top = fmin(top, corner[i].y);
        bottom = fmax(bottom, corner[i].y);
    }
    const int last_row = clamp(ceil(SAMPLES * bottom), c->height);
    for (int row = clamp(SAMPLES * top, c->height); row < last_row; ++row) {
        double left, right;
        crossings(corner, corners, (row + 0.5) / SAMPLES, &left, &right);
        const int end = clamp(ceil(SAMPLES * right - 0.5), c->width);
        for (int column = clamp(ceil(SAMPLES * left - 0.5), c->width); column < end; ++column) {
            set(c->sample[(ptrdiff_t)row * c->width + column], fill);
        }
    }
}

static void disc(canvas *c, point middle, double radius, color fill)
{
    enum { CORNERS = 24 };
    point corner[CORNERS];
    for (int i = 0; i < CORNERS; ++i) {
        const double angle = 2.0 * acos(-1.0) * i / CORNERS;
        corner[i] = (point){middle.x + radius * cos(angle), middle.y + radius * sin(angle)};
    }
    canvas_polygon(c, corner, CORNERS, fill);
}

void canvas_line(canvas *c, point from, point to, double width, color stroke)
{
    const double length = hypot(to.x - from.x, to.y - from.y);
    if (length > 0.0) {
        const double dx = 0.5 * width * (to.x - from.x) / length;
        const double dy = 0.5 * width * (to.y - from.y) / length;
        const point corner[4] = {{from.x - dy, from.y + dx},
                                 {to.x - dy, to.y + dx},
                                 {to.x + dy, to.y - dx},
                                 {from.x + dy, from.y - dx}};
        canvas_polygon(c, corner, 4, stroke);
    }
    disc(c, from, 0.5 * width, stroke);
    disc(c, to, 0.5 * width, stroke);
}

void canvas_image(canvas *c, point corner, double width, double height,
                  color (*at)(const void *, double, double), const void *context)
{
    const int left = clamp(SAMPLES * corner.x, c->width),
              right = clamp(SAMPLES * (corner.x + width), c->width);
    const int top = clamp(SAMPLES * corner.y, c->height),
              bottom = clamp(SAMPLES * (corner.y + height), c->height);
    for (int row = top; row < bottom; ++row) {
        for (int column = left; column < right; ++column) {
            const double x = (column - left + 0.5) / (right - left);
            const double y = (row - top + 0.5) / (bottom - top);
            set(c->sample[(ptrdiff_t)row * c->width + column], at(context, x, y));
        }
    }
}

const char *canvas_write(const canvas *c, const char *path)
{
    static png_image image;
    image = (png_image){.version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB};
    image.width = (png_uint_32)(c->width / SAMPLES);
    image.height = (png_uint_32)(c->height / SAMPLES);

    unsigned char(*pixel)[3] = allocate((size_t)image.width * image.height, sizeof *pixel);
    for (size_t i = 0; i < (size_t)image.width * image.height; ++i) {
        unsigned sum[3] = {0, 0, 0};
        const size_t row = i / image.width * SAMPLES, column = i % image.width * SAMPLES;
        for (size_t s = 0; s < SAMPLES * SAMPLES; ++s) {
            const unsigned char *sample =
                c->sample[(row + s / SAMPLES) * (size_t)c->width + column + s % SAMPLES];
            for (int channel = 0; channel < 3; ++channel) {
                sum[channel] += sample[channel];
            }
        }
        for (int channel = 0; channel < 3; ++channel) {
            pixel[i][channel] = (unsigned char)(sum[channel] / (SAMPLES * SAMPLES));
        }
    }
    const int written = png_image_write_to_file(&image, path, 0, pixel, 0, NULL);
    free(pixel);
    return written ? NULL : image.message;
}

/* ---- colors ---- */

color color_between(color first, color second, double fraction)
{
    return (color){first.red + fraction * (second.red - first.red),
                   first.green + fraction * (second.green - first.green),
                   first.blue + fraction * (second.blue - first.blue)};
}

static double gamma_of(double linear)
{
    linear = fmin(fmax(linear, 0.0), 1.0);
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1.0 / 2.4) - 0.055;
}

/* By way of Bjorn Ottosson's Oklab. */
color color_of_hue(double lightness, double strength, double hue)
{
    const double a = strength * cos(2.0 * acos(-1.0) * hue), b = strength * sin(2.0 * acos(-1.0) * hue);
    const double l = pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return (color){gamma_of(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                   gamma_of(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                   gamma_of(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}
