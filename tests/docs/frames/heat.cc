// What listings about heat.hpp stand in.
#include "heat.hpp"

void diffuse(const decltype(halogen::heat::block_views::u) &u, const hx_box &here, int k);
void listed(halogen::heat::handle &halo, heat_fields &f, int steps);

void listed(halogen::heat::handle &halo, heat_fields &f, int steps)
{
/* LISTING */
}
