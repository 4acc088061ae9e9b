// What listings about a halo behind the owned points stand in.
#include "shelf.hpp"

#include <cstdio>

void listed(halogen::shelf::handle &halo, shelf_fields &f);

void listed(halogen::shelf::handle &halo, shelf_fields &f)
{
/* LISTING */
}
