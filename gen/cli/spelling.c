#include "cli/spelling.h"

#include <string.h>

enum { WORD_MAX = 31 };

size_t spelling_distance(const char *a, const char *b)
{
    size_t row[WORD_MAX + 1], width = strnlen(b, WORD_MAX), height = strnlen(a, WORD_MAX);
    for (size_t j = 0; j <= width; ++j) {
        row[j] = j;
    }
    for (size_t i = 1; i <= height; ++i) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= width; ++j) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            best = best < row[j] + 1 ? best : row[j] + 1;
            row[j] = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
        }
    }
    return row[width];
}
