#include "channel.h"

#include <hx/abi.h>
#include <hx/mask.h>
#include <hx/pool.h>
#include <hx/shared_array.h>
#include <hx/window.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"

/* What the listings of the documents find around them. */
struct surroundings {
    MPI_Comm comm;
    int rank;
    int steps;
    hx_part mine;
    channel_shape shape;
    channel *halo;
    channel_fields f;
    channel_fields g;
};

void part_of_a_program(const struct surroundings *around);
void inner(channel_fields *f);
void update(channel_fields *f, const int lo[], const int hi[]);
void outer(channel_fields *f);
void other_work(void);

void part_of_a_program(const struct surroundings *around)
{
    MPI_Comm comm = around->comm;
    int rank = around->rank;
    int steps = around->steps;
    hx_part mine = around->mine;
    channel_shape shape = around->shape;
    channel *halo = around->halo;
    channel_fields f = around->f;
    channel_fields g = around->g;
    /* LISTING */
}
