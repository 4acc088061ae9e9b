#include "heat.h"

void part_of_a_program(heat *halo, heat_fields f, int steps);
void diffuse(heat_fields *f, const int lo[], const int hi[]);

void part_of_a_program(heat *halo, heat_fields f, int steps)
{
    /* LISTING */
}
