// What listings about walls stand in.
#include "tube.hpp"

void listed(halogen::tube::handle &halo);

void listed(halogen::tube::handle &halo)
{
/* LISTING */
}
