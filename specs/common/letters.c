/*
 * Letters as strokes, so that they need no font and scale.
 */
#include "canvas.h"

#include <stddef.h>
#include <string.h>

/*
 * A glyph is a few strokes, a stroke a few points of two digits, x and y: the baseline is y = 2, small
 * letters reach up to 7, others to 9.  A stroke that starts with ~ has its corners rounded; o closes it, too.
 */
static const struct {
    char letter;
    int width;
    const char *strokes;
} glyph[] = {
    {' ', 1, ""},
    {'(', 2, "~290520"},
    {')', 2, "~092500"},
    {'+', 4, "0545 2327"},
    {',', 1, "1200"},
    {'-', 3, "0535"},
    {'.', 0, "02"},
    {'/', 3, "0039"},
    {'0', 4, "o09024249"},
    {'1', 2, "072922"},
    {'2', 4, "~0709494602 0242"},
    {'3', 4, "~0809494626 ~2646420203"},
    {'4', 4, "32390444"},
    {'5', 4, "490906 ~0646420203"},
    {'6', 4, "o06024246 ~04094948"},
    {'7', 4, "094912"},
    {'8', 4, "o09064649 o06024246"},
    {'9', 4, "o09054549 ~47420203"},
    {':', 0, "02 06"},
    {'=', 4, "0444 0646"},
    {'a', 4, "4742 ~454707024244"},
    {'b', 4, "0902 ~040242470705"},
    {'c', 4, "~464707024243"},
    {'d', 4, "4942 ~454707024244"},
    {'e', 4, "0545 ~454707024243"},
    {'f', 3, "~391916 1612 0737"},
    {'g', 4, "4742 ~454707024244 ~424000"},
    {'h', 4, "0902 ~05074744 4442"},
    {'i', 0, "0702 09"},
    {'j', 1, "1712 ~121000 19"},
    {'k', 4, "0902 4704 1542"},
    {'l', 0, "0902"},
    {'m', 6, "0702 ~05073734 3432 ~35376764 6462"},
    {'n', 4, "0702 ~05074744 4442"},
    {'o', 4, "o07024247"},
    {'p', 4, "0700 ~040242470705"},
    {'q', 4, "4740 ~454707024244"},
    {'r', 3, "0702 ~050737"},
    {'s', 4, "~4647070544420203"},
    {'t', 3, "1914 ~141232 0737"},
    {'u', 4, "0705 ~05024244 4742"},
    {'v', 4, "072247"},
    {'w', 6, "0712375267"},
    {'x', 4, "0742 0247"},
    {'y', 4, "0722 4710"},
    {'z', 4, "07470242"},
};
enum {
    GLYPHS = sizeof glyph / sizeof glyph[0],
    UNKNOWN = 0,
    SMALL_LETTER = 7 - 2,
    GAP = 2,
    MOST_POINTS = 128
};

static size_t find_glyph(char letter)
{
    for (size_t g = 0; g < GLYPHS; ++g) {
        if (glyph[g].letter == letter) {
            return g;
        }
    }
    return UNKNOWN;
}

static point between(point a, point b, double fraction)
{
    return (point){a.x + fraction * (b.x - a.x), a.y + fraction * (b.y - a.y)};
}

/* Cuts off every corner by Chaikin's rule; the ends of an open stroke stay.  Returns the number of points. */
static int cut_corners(point *corner, int corners, int closed)
{
    point cut[MOST_POINTS];
    int count = 0;
    const int edges = closed ? corners : corners - 1;
    for (int e = 0; e < edges; ++e) {
        const point a = corner[e], b = corner[(e + 1) % corners];
        cut[count++] = !closed && e == 0 ? a : between(a, b, 0.25);
        cut[count++] = !closed && e == edges - 1 ? b : between(a, b, 0.75);
    }
    memcpy(corner, cut, (size_t)count * sizeof *cut);
    return count;
}

/* Draws one stroke, which ends at a space or at the end of the text. */
static void draw_stroke(canvas *c, point origin, double scale, color ink, const char *text)
{
    const int closed = *text == 'o', rounded = closed || *text == '~';
    point corner[MOST_POINTS];
    int corners = 0;
    for (text += rounded; *text != '\0' && *text != ' '; text += 2) {
        corner[corners++] = (point){origin.x + scale * (text[0] - '0'), origin.y - scale * (text[1] - '2')};
    }
    for (int round = 0; round < 3 && rounded; ++round) {
        corners = cut_corners(corner, corners, closed);
    }
    for (int i = 0; i < corners; ++i) {
        const int next = i + 1 < corners ? i + 1 : closed ? 0 : i;
        canvas_line(c, corner[i], corner[next], 0.95 * scale, ink);
    }
}

void canvas_text(canvas *c, point from, double size, int centered, color ink, const char *text)
{
    const double scale = size / SMALL_LETTER;
    if (centered) {
        double width = -GAP;
        for (const char *letter = text; *letter != '\0'; ++letter) {
            width += glyph[find_glyph(*letter)].width + GAP;
        }
        from.x -= 0.5 * scale * width;
    }
    for (; *text != '\0'; ++text) {
        const size_t g = find_glyph(*text);
        for (const char *stroke = glyph[g].strokes; stroke != NULL && *stroke != '\0';) {
            draw_stroke(c, from, scale, ink, stroke);
            stroke = strchr(stroke, ' ');
            stroke = stroke != NULL ? stroke + 1 : NULL;
        }
        from.x += scale * (glyph[g].width + GAP);
    }
}
