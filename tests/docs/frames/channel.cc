// What listings about channel.hpp stand in.
#include "channel.hpp"

#include <hx/memory.hpp>
#include <hx/observe.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

void inner(const halogen::channel::block_views &v);
void outer(const halogen::channel::block_views &v);
void listed(MPI_Comm comm, int rank, const hx_part &mine, halogen::channel::handle &halo, channel_fields &f);

void listed([[maybe_unused]] MPI_Comm comm, [[maybe_unused]] int rank, [[maybe_unused]] const hx_part &mine,
            halogen::channel::handle &halo, channel_fields &f)
{
    const auto v = halo.views(f);
    inner(v);
/* LISTING */
}
