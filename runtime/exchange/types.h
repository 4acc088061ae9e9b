/*
 * Types of points that the language has by itself, as this machine has them.
 */
#ifndef HX_TYPES_H
#define HX_TYPES_H

typedef struct hxi_type {
    const char *name; /* as in emitted C */
    int size;
    int alignment;
} hxi_type;

/* NULL: a struct, of which emitted code asserts size and alignment. */
const hxi_type *hxi_type_named(const char *name);

#endif
