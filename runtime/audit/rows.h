/*
 * The rows of a patch in an array: here the audit looks at points, row by row.
 */
#ifndef HX_AUDIT_ROWS_H
#define HX_AUDIT_ROWS_H

#include "audit/patch.h"

#include <stdint.h>

/* Dimensions are numbered as they are walked, the innermost loop's first. */
typedef struct hxi_rows {
    const hx_field *field;
    int number;                    /* of the field */
    int block;                     /* of this rank */
    ptrdiff_t at;                  /* bytes from the array's pointer */
    ptrdiff_t stride[HX_MAX_AXES]; /* bytes */
    int n[HX_MAX_AXES];
    int axis[HX_MAX_AXES]; /* of the patch that a dimension is */
    size_t bytes;          /* of a point, or of the component that is meant of it */
} hxi_rows;

/* The points that are filled, and those of another patch that feed it, on the rank that owns them. */
hxi_rows hxi_rows_filled(const hx_spec *spec, const hxi_block_list *mine, const hxi_patch *patch);
hxi_rows hxi_rows_feeding(const hx_spec *spec, const hxi_block_list *mine, const hxi_patch *patch, int block);

size_t hxi_rows_bytes(const hxi_rows *rows);

/* Writes the points of an array one behind the other; returns where the last one ends. */
unsigned char *hxi_rows_pack(const hxi_rows *rows, const unsigned char *array, unsigned char *to);

/* Points that differ from what they are to be. */
typedef struct hxi_difference {
    int64_t points;
    int at[HX_MAX_AXES]; /* of the first: counted from the first point of the patch */
    int component;       /* likewise, of those that lie side by side; -1: there is one */
    const unsigned char *is;
    const unsigned char *wanted;
} hxi_difference;

void hxi_rows_compare(const hxi_rows *rows, const unsigned char *array, const unsigned char *wanted,
                      hxi_difference *difference);

/* Writes the poison of its type into all points. */
void hxi_rows_poison(const hxi_rows *rows, unsigned char *array);

#endif
