/*
 * Small files of lines that several processes read, and replace as a whole: who reads one sees the old one or
 * the new one.  Of two that replace it at the same time one may be lost.
 */
#ifndef HX_LINES_H
#define HX_LINES_H

#include <hx/hx.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A line without its end; it may have zero bytes. */
typedef struct hx_line {
    const char *at;
    size_t length;
} hx_line;

typedef struct hx_lines {
    char *text; /* of the whole file */
    hx_line rest;
} hx_lines;

/* A file that is not there is as good as an empty one.  On failure, in words, there are no lines. */
hx_status hx_lines_load(const char *path, hx_lines *lines);

/* False: there are no more. */
bool hx_lines_next(hx_lines *lines, hx_line *line);

void hx_lines_free(hx_lines *lines);

/* What the file is to have is written by a function.  On failure, in words, it has what it had before; so it
 * has where it is a link, or no regular file. */
typedef void hx_lines_fn(FILE *file, void *context);
hx_status hx_lines_replace(const char *path, hx_lines_fn *write, void *context);

#endif
