/*
 * channel: a class of C++17 for the halo exchanges of channel.lua.
 *
 * Emitted by halogen 0.1.0 from channel.lua, model 0c89b90230c8b2dc.  Do not edit: change the spec and generate again.
 * This file belongs to whoever wrote the spec.  channel.h tells what the exchanges do; <hx/hx.hpp> tells what all such
 * classes can do: create, move, destroy, alloc, describe.
 *
 *     const hx_part mine = hx::decompose(MPI_COMM_WORLD, channel_partition(nx, ny, nz));
 *     halogen::channel::handle halo(MPI_COMM_WORLD, channel_shape_best(&mine));
 *     channel_fields f = halo.alloc();                                 or arrays of your own
 *     const auto u = halo.views(f).u;       u(x, y, z) is a point; -1 is a ghost point
 *     halo.velocity_start(f);
 *     halo.velocity_finish();
 *
 * A handle throws hx::error.  A status_handle is made by create, and returns statuses.
 */
#ifndef HALOGEN_CHANNEL_HPP
#define HALOGEN_CHANNEL_HPP

#include "channel.h"

#include <hx/hx.hpp>

namespace halogen::channel {

/* The array of a field as points: indices go in the order x, y, z. */
inline hx::view<double, 3, 0> u_view(const channel_shape &shape, double *array)
{
    const int *n = shape.part.n;
    const std::ptrdiff_t *stride = shape.stride[CHANNEL_U];
    return {array,
            {{n[0], n[1], n[2]}, {2, 2, 2}, {2, 2, 2}, {stride[0], stride[1], stride[2]},
             channel_points(&shape, CHANNEL_U)}};
}

/* The elements of a container of yours, for channel_fields; refused where there are too few. */
template <class Container>
double *u_array(const channel_shape &shape, Container &array)
{
    return hx::array_of<double>(array, channel_points(&shape, CHANNEL_U), "channel: u");
}

inline hx::view<double, 3, 0> v_view(const channel_shape &shape, double *array)
{
    const int *n = shape.part.n;
    const std::ptrdiff_t *stride = shape.stride[CHANNEL_V];
    return {array,
            {{n[0], n[1], n[2]}, {2, 2, 2}, {2, 2, 2}, {stride[0], stride[1], stride[2]},
             channel_points(&shape, CHANNEL_V)}};
}

/* The elements of a container of yours, for channel_fields; refused where there are too few. */
template <class Container>
double *v_array(const channel_shape &shape, Container &array)
{
    return hx::array_of<double>(array, channel_points(&shape, CHANNEL_V), "channel: v");
}

inline hx::view<double, 3, 0> w_view(const channel_shape &shape, double *array)
{
    const int *n = shape.part.n;
    const std::ptrdiff_t *stride = shape.stride[CHANNEL_W];
    return {array,
            {{n[0], n[1], n[2]}, {2, 2, 2}, {2, 2, 2}, {stride[0], stride[1], stride[2]},
             channel_points(&shape, CHANNEL_W)}};
}

/* The elements of a container of yours, for channel_fields; refused where there are too few. */
template <class Container>
double *w_array(const channel_shape &shape, Container &array)
{
    return hx::array_of<double>(array, channel_points(&shape, CHANNEL_W), "channel: w");
}

inline hx::view<float, 3, 0> p_view(const channel_shape &shape, float *array)
{
    const int *n = shape.part.n;
    const std::ptrdiff_t *stride = shape.stride[CHANNEL_P];
    return {array,
            {{n[0], n[1], n[2]}, {1, 1, 1}, {1, 1, 1}, {stride[0], stride[1], stride[2]},
             channel_points(&shape, CHANNEL_P)}};
}

/* The elements of a container of yours, for channel_fields; refused where there are too few. */
template <class Container>
float *p_array(const channel_shape &shape, Container &array)
{
    return hx::array_of<float>(array, channel_points(&shape, CHANNEL_P), "channel: p");
}

/* All arrays of a block. */
struct block_views {
    hx::view<double, 3, 0> u;
    hx::view<double, 3, 0> v;
    hx::view<double, 3, 0> w;
    hx::view<float, 3, 0> p;
};

inline block_views views(const channel_shape &shape, const channel_fields &f)
{
    return {
        u_view(shape, f.u),
        v_view(shape, f.v),
        w_view(shape, f.w),
        p_view(shape, f.p)};
}

/* The shape of arrays that exist already, as hx::strided describes them: one for each field, NULL for none. */
inline channel_shape shape_of(const hx_part &part, const std::array<hx_strided_array, CHANNEL_FIELDS> &arrays)
{
    channel_shape shape;
    hx::check(channel_shape_of(&part, arrays.data(), &shape));
    return shape;
}

/* What <hx/hx.hpp> asks of a spec. */
struct spec {
    using handle_type = ::channel;
    using shape_type = channel_shape;
    using fields_type = channel_fields;
    static std::string name() { return "channel"; }
    static constexpr auto destroy = channel_destroy;
    static constexpr auto alloc = channel_alloc;
    static constexpr auto free = channel_free;
    static constexpr auto add_window = channel_register;
    static constexpr auto remove_window = channel_unregister;
    static constexpr auto any_handle = channel_handle;
    static constexpr auto describe = channel_describe;
    static constexpr auto describe_json = channel_describe_json;
    static constexpr auto traffic = channel_traffic;
    static constexpr auto message_buffers = channel_message_buffers;
};

/* All exchanges of one set of blocks.  Errors: hx::throwing or hx::returning. */
template <class Errors>
class basic_handle : public hx::basic_handle<spec, Errors> {
    using base = hx::basic_handle<spec, Errors>;

public:
    using result = typename base::result; /* void, or hx::status */
    /* One struct, or a container of one for each block. */
    using fields = hx::per_block<const channel_fields>;

    basic_handle() = default;
    basic_handle(MPI_Comm comm, const channel_shape &shape, const hx_options *options = nullptr)
    {
        base::only_throwing();
        create(comm, shape, options);
    }
    basic_handle(const hx_blocks &blocks, hx::per_block<const channel_shape> shapes,
                 const hx_options *options = nullptr)
    {
        base::only_throwing();
        create(blocks, shapes, options);
    }

    /* Collective.  The handle must not be in use.  Of several blocks, shapes tell the count. */
    result create(MPI_Comm comm, const channel_shape &shape, const hx_options *options = nullptr)
    {
        return base::make(shape, [&](::channel **h) { return channel_create(comm, &shape, options, h); });
    }
    result create(hx_blocks blocks, hx::per_block<const channel_shape> shapes, const hx_options *options = nullptr)
    {
        blocks.count = static_cast<int>(shapes.size());
        return base::make(shapes, [&](::channel **h) {
            return channel_create_blocks(&blocks, shapes.data(), options, h);
        });
    }

    /* Collective over `like`: the same blocks with other owners, see NAME_create_like. */
    result create_like(basic_handle &like, hx_blocks blocks, hx::per_block<const channel_shape> shapes)
    {
        blocks.count = static_cast<int>(shapes.size());
        return base::make(shapes, [&](::channel **h) {
            return channel_create_like(like.get(), &blocks, shapes.data(), h);
        });
    }

    /* Collective over comm: the blocks of a handle for more ranks, on which `narrow` is empty.  See NAME_create_wide. */
    result create_wide(const basic_handle &narrow, MPI_Comm comm, const hx_options *options = nullptr)
    {
        return base::make(narrow.base::shapes(), [&](::channel **h) {
            return channel_create_wide(narrow.get(), comm, options, h);
        });
    }

    /* Of the arrays of a block. */
    block_views views(const channel_fields &f, std::size_t block = 0) const
    {
        return channel::views(base::shape(block), f);
    }

    /* velocity, line 8 of the spec.  With work: that is done between start and finish. */
    result velocity_start(fields f) { return base::for_all(channel_velocity_start, f); }
    result velocity_finish() { return base::finish(channel_velocity_finish); }
    result velocity_test(bool &done) { return base::test(channel_velocity_test, done); }
    bool velocity_test() { return base::test(channel_velocity_test); }
    result velocity(fields f)
    {
        return base::both(channel_velocity_start, channel_velocity_finish, f, [] {});
    }
    template <class Work>
    result velocity(fields f, Work &&work)
    {
        return base::both(channel_velocity_start, channel_velocity_finish, f, std::forward<Work>(work));
    }
    /* Collective: see channel_audit. */
    result velocity_audit(fields f) { return base::audit(CHANNEL_VELOCITY, f); }

    /* pressure, line 9 of the spec.  With work: that is done between start and finish. */
    result pressure_start(fields f) { return base::for_all(channel_pressure_start, f); }
    result pressure_finish() { return base::finish(channel_pressure_finish); }
    result pressure_test(bool &done) { return base::test(channel_pressure_test, done); }
    bool pressure_test() { return base::test(channel_pressure_test); }
    result pressure(fields f)
    {
        return base::both(channel_pressure_start, channel_pressure_finish, f, [] {});
    }
    template <class Work>
    result pressure(fields f, Work &&work)
    {
        return base::both(channel_pressure_start, channel_pressure_finish, f, std::forward<Work>(work));
    }
    /* Collective: see channel_audit. */
    result pressure_audit(fields f) { return base::audit(CHANNEL_PRESSURE, f); }
};

using handle = basic_handle<hx::throwing>;
using status_handle = basic_handle<hx::returning>;

} // namespace halogen::channel

#endif
