/* What kinds.lua names. Both types have bytes between or behind their members. */
#ifndef PARTICLES_H
#define PARTICLES_H

typedef struct cell {
    double mass;
    int count;
    char kind;
} cell;

typedef struct cell_2 {
    char first;
    short second;
    char third;
} cell_2;

#endif
