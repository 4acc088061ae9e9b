/*
 * Small files of lines that several processes read, and replace as a whole: who reads one sees the old one or
 * the new one.  Of two that replace it at the same time one may be lost.
 */
#ifndef HX_ATOMIC_FILE_H
#define HX_ATOMIC_FILE_H

#include <hx/hx.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* A line without its end; it may have zero bytes. */
typedef struct hxi_atomic_file_line {
    const char *at;
    size_t length;
} hxi_atomic_file_line;

typedef struct hxi_atomic_file {
    char *text; /* of the whole file */
    hxi_atomic_file_line rest;
} hxi_atomic_file;

/* A file that is not there is as good as an empty one.  On failure, in words, there are no lines. */
hx_status hxi_atomic_file_load(const char *path, hxi_atomic_file *lines);

/* False: there are no more. */
bool hxi_atomic_file_next(hxi_atomic_file *lines, hxi_atomic_file_line *line);

void hxi_atomic_file_free(hxi_atomic_file *lines);

/* What the file is to have is written by a function.  On failure, in words, it has what it had before; so it
 * has where it is a link, or no regular file. */
typedef void hxi_atomic_file_line_fn(FILE *file, void *context);
hx_status hxi_atomic_file_replace(const char *path, hxi_atomic_file_line_fn *write, void *context);

#endif
