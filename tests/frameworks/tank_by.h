/*
 * A tank, its arrays and its exchanges, in two ways that know nothing of each other.
 */
#ifndef TANK_BY_H
#define TANK_BY_H

#include <hx/hx.h>

enum { TANK_ARRAYS = 3 };

/* What a way leaves: the bytes of each array after all exchanges.  Free them. */
typedef struct tank_arrays {
    size_t bytes[TANK_ARRAYS];
    void *array[TANK_ARRAYS];
    int changed[TANK_ARRAYS]; /* elements that the exchanges have changed */
    hx_partition grid;        /* before ranks are chosen */
} tank_arrays;

enum { TANK_X = 13, TANK_Y = 9, TANK_Z = 8 };

/* Element number k of an array, before any exchange. */
static inline int tank_value(int rank, int field, size_t k)
{
    return 1000 * rank + 100 * field + (int)(k * 7 % 97);
}

/* As an application has it: the functions of tank.h. */
tank_arrays tank_by_name(int rank);

/* As a framework has it: tables that it loads, and no header. */
tank_arrays tank_by_number(const char *library, int rank);

#endif
