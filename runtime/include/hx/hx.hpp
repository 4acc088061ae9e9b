/*
 * What the C++ headers of all specs share, for C++17 and later: header only, on top of hx/hx.h.
 *
 * `halogen --emit c,cxx` writes NAME.hpp, which has a class for handles of the spec.  Everything of C can be used beside
 * it: get() gives the pointer that C functions take, and structs such as hx_part and NAME_shape are those of C.
 *
 * Failures are exceptions, hx::error, or statuses, where the program takes the class status_handle instead of handle.
 */
#ifndef HX_HX_HPP
#define HX_HX_HPP

#include <hx/hx.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if defined __has_include
#if __has_include(<version>)
#include <version>
#endif
#endif
#ifdef __cpp_lib_span
#include <span>
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

namespace hx {

/* ---- failures ---------------------------------------------------------------------------------------- */

/* what() is the sentence of hx_last_error(). */
class error : public std::runtime_error {
public:
    explicit error(hx_status status) : std::runtime_error(hx_last_error()), status_(status) {}
    hx_status status() const noexcept { return status_; }

private:
    hx_status status_;
};

/* For calls of C: throws what they return, unless it is HX_OK. */
inline void check(hx_status status)
{
    if (status != HX_OK) {
        throw error(status);
    }
}

/* An hx_status that compilers tell of where it is dropped. */
class [[nodiscard]] status {
public:
    constexpr status(hx_status value) noexcept : value_(value) {}
    constexpr operator hx_status() const noexcept { return value_; }

private:
    hx_status value_;
};

/* What members of handles do with a status: they throw it, or they return it. */
struct throwing {
    using result = void;
    static void of(hx_status status) { check(status); }
};

struct returning {
    using result = hx::status;
    static result of(hx_status status) noexcept { return status; }
};

/* ---- spans and views --------------------------------------------------------------------------------- */

#ifdef __cpp_lib_span
template <class T>
using span = std::span<T>;
#else
/* As much of std::span as is needed before C++20. */
template <class T>
class span {
public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t index) const noexcept { return data_[index]; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};
#endif

/* With -DHX_CHECK_INDICES: the program ends where an index lies outside of the halo, also with -DNDEBUG. */
inline void check_index([[maybe_unused]] int axis, [[maybe_unused]] std::ptrdiff_t index, [[maybe_unused]] std::ptrdiff_t begin,
                        [[maybe_unused]] std::ptrdiff_t end)
{
#ifdef HX_CHECK_INDICES
    if (index < begin || index >= end) {
        std::fprintf(stderr, "hx::view: index %td along axis %d is outside of %td to %td\n", index, axis, begin, end - 1);
        std::abort();
    }
#endif
}

/* How the points of an array lie, by axes in the order of the spec; of components last. */
template <std::size_t Rank>
struct layout {
    std::array<std::ptrdiff_t, Rank> points; /* owned ones */
    std::array<std::ptrdiff_t, Rank> low;    /* layers of ghost points below them */
    std::array<std::ptrdiff_t, Rank> high;   /* and above */
    std::array<std::ptrdiff_t, Rank> stride; /* elements */
    std::size_t size;                        /* elements of the array, padding included */
};

/*
 * The array of one field of one block.  u(i, j, k) is a point, counted as NAME_u_at counts: owned points start at 0,
 * ghost points below have negative indices.  Components come last.  A view owns nothing; copies are cheap.
 *
 * Unit is the index along which elements lie side by side, so that compilers make good loops; -1: not known.
 */
template <class T, std::size_t Rank, int Unit = -1>
class view {
public:
    view() = default;
    view(T *data, const layout<Rank> &where) : data_(data), where_(where)
    {
        for (std::size_t a = 0; a < Rank; ++a) {
            origin_ += where.low[a] * where.stride[a];
        }
    }

    /* For reading. */
    template <class U, class = std::enable_if_t<std::is_same_v<const U, T> && !std::is_same_v<U, T>>>
    view(const view<U, Rank, Unit> &writable) : data_(writable.data_), origin_(writable.origin_), where_(writable.where_)
    {
    }

    template <class... Index>
    T &operator()(Index... index) const
    {
        static_assert(sizeof...(Index) == Rank, "a point has one index for each axis, and one for its components");
        return data_[offset(std::make_index_sequence<Rank>(), static_cast<std::ptrdiff_t>(index)...)];
    }
#ifdef __cpp_multidimensional_subscript
    template <class... Index>
    T &operator[](Index... index) const
    {
        return (*this)(index...);
    }
#endif

    static constexpr std::size_t rank() noexcept { return Rank; }
    T *data() const noexcept { return data_; } /* the first element, a ghost point where there are any */
    std::size_t size() const noexcept { return where_.size; }
    span<T> elements() const noexcept { return span<T>(data_, where_.size); } /* all, padding included */

    /* Indices along an axis: begin <= index < end; owned points: 0 <= index < points. */
    std::ptrdiff_t begin(int axis) const noexcept { return -where_.low[at(axis)]; }
    std::ptrdiff_t end(int axis) const noexcept { return points(axis) + where_.high[at(axis)]; }
    std::ptrdiff_t points(int axis) const noexcept { return where_.points[at(axis)]; }
    std::ptrdiff_t extent(int axis) const noexcept { return end(axis) - begin(axis); }
    std::ptrdiff_t stride(int axis) const noexcept { return axis == Unit ? 1 : where_.stride[at(axis)]; }

#ifdef __cpp_lib_mdspan
    /* The whole array, whose indices start at 0: ghost points come first. */
    using mdspan_type = std::mdspan<T, std::dextents<std::ptrdiff_t, Rank>, std::layout_stride>;
    mdspan_type mdspan() const
    {
        std::array<std::ptrdiff_t, Rank> extents;
        for (std::size_t a = 0; a < Rank; ++a) {
            extents[a] = extent(static_cast<int>(a));
        }
        return mdspan_type(data_, {typename mdspan_type::extents_type(extents), where_.stride});
    }
#endif

private:
    template <class, std::size_t, int>
    friend class view;

    static constexpr std::size_t at(int axis) noexcept { return static_cast<std::size_t>(axis); }

    template <std::size_t... Axis, class... Index>
    std::ptrdiff_t offset(std::index_sequence<Axis...>, Index... index) const
    {
        (check_index(static_cast<int>(Axis), index, begin(static_cast<int>(Axis)), end(static_cast<int>(Axis))), ...);
        return (origin_ + ... + (index * stride(static_cast<int>(Axis))));
    }

    T *data_ = nullptr;
    std::ptrdiff_t origin_ = 0; /* from data_ to the first owned point */
    layout<Rank> where_ = {};
};

/*
 * Ghost points across a side of a block that lie behind its owned points, as a view with the indices of all points: below
 * from -layers to -1, above from the number of points on.
 *
 *     at           what NAME_plane says; below 0 there are none
 *     order        axes, the fastest in memory first
 *     all_layers   by axis and side
 */
template <class T, std::size_t Rank, int Unit, std::size_t Axes>
view<T, Rank, Unit> plane(const view<T, Rank, Unit> &owned, std::ptrdiff_t at, const std::array<int, Rank> &order,
                          const std::ptrdiff_t (&all_layers)[Axes][2], int axis, int side)
{
    if (at < 0 || axis < 0 || axis >= static_cast<int>(Axes)) {
        return {};
    }
    const std::ptrdiff_t layers = all_layers[axis][side];
    layout<Rank> where = {};
    std::ptrdiff_t step = 1;
    for (const int each : order) {
        const auto a = static_cast<std::size_t>(each);
        where.points[a] = owned.points(each);
        where.stride[a] = step;
        step *= each == axis ? layers : owned.points(each);
    }
    const auto across = static_cast<std::size_t>(axis);
    if (side == 0) {
        where.points[across] = 0;
        where.low[across] = layers;
    } else {
        where.low[across] = -owned.points(axis);
        where.high[across] = layers;
    }
    where.size = static_cast<std::size_t>(step);
    return {owned.data() + at, where};
}

/* The elements of a container of the program's own, for NAME_fields.  name: "channel: u". */
template <class T, class Container>
T *array_of(Container &array, std::size_t needed, const char *name)
{
    if (std::size(array) < needed) {
        throw error(hx_refuse(HX_ERR_ARGUMENT, (std::string(name) + " has " + std::to_string(std::size(array)) +
                                                " elements; its shape needs " + std::to_string(needed) +
                                                ", ghost points and padding included.")
                                                   .c_str()));
    }
    return std::data(array);
}

/* An array of the program's own, for shape_of: extents and strides by the spec's axes, in elements. */
template <class T, std::size_t Rank>
hx_strided_array strided(T *data, const std::ptrdiff_t (&extents)[Rank], const std::ptrdiff_t (&strides)[Rank])
{
    static_assert(Rank <= HX_MAX_AXES, "there are at most HX_MAX_AXES axes");
    hx_strided_array array = {};
    array.base = data;
    array.bytes = sizeof(T);
    array.components = 1;
    for (std::size_t a = 0; a < Rank; ++a) {
        array.extent[a] = extents[a];
        array.stride[a] = strides[a] * static_cast<std::ptrdiff_t>(sizeof(T));
    }
    return array;
}

/* ---- what create takes ------------------------------------------------------------------------------- */

inline hx_part decompose(MPI_Comm comm, const hx_partition &partition)
{
    hx_part mine;
    check(hx_decompose(comm, &partition, &mine));
    return mine;
}

inline hx_part part_of(const hx_partition &partition, int block, int tile = 0)
{
    hx_part part;
    check(hx_part_of(&partition, tile, block, &part));
    return part;
}

/* What a rank shares with another one: numbers of its own points, from 0.  See hx_peer. */
struct peer {
    int rank;
    std::vector<int> send;
    std::vector<int> receive;
};

/*
 * Lists of points for create, of ids (collective) or of lists of the program's own.  Moves, and is not copied; one that was
 * moved from can only be assigned to.
 */
class index_list {
public:
    index_list(MPI_Comm comm, const hx_ids &ids)
    {
        hx_index_list *list = nullptr;
        check(hx_index_list_of_ids(comm, &ids, &list));
        made_.reset(list);
    }
    explicit index_list(std::vector<peer> peers) : given_(std::move(peers))
    {
        for (const peer &p : given_) {
            rows_.push_back({p.rank, static_cast<int>(p.send.size()), p.send.data(),
                             static_cast<int>(p.receive.size()), p.receive.data()});
        }
        own_ = {static_cast<int>(rows_.size()), rows_.data()};
    }
    const hx_index_list *get() const noexcept { return made_ ? made_.get() : &own_; }

private:
    struct release {
        void operator()(hx_index_list *list) const noexcept { hx_index_list_free(list); }
    };
    std::unique_ptr<hx_index_list, release> made_; /* by libhx */
    std::vector<peer> given_;
    std::vector<hx_peer> rows_; /* which point into given_ */
    hx_index_list own_ = {};
};

/* One struct, or as many as there are blocks, in any container that lies in one piece. */
template <class T>
class per_block {
public:
    per_block(T &one) noexcept : data_(&one), size_(1) {}
    template <std::size_t Size>
    per_block(T (&all)[Size]) noexcept : data_(all), size_(Size)
    {
    }
    template <class Container, class = decltype(std::declval<Container &>().data()),
              class = decltype(std::declval<Container &>().size())>
    per_block(Container &&all) noexcept : data_(all.data()), size_(all.size())
    {
    }
    T *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }

private:
    T *data_;
    std::size_t size_;
};

/* ---- handles ----------------------------------------------------------------------------------------- */

/*
 * What the handles of all specs can do.  Spec has types and functions of one, Errors is throwing or returning.
 *
 * A handle moves and is not copied.  Its destructor, and assignment to it, destroy it: that is collective, so all ranks
 * come to it in the same order.  There are three cases in which the destructor leaves it to the end of the program, since
 * it could only hang or be refused:
 *
 * - while an exception unwinds the stack, for the other ranks may not come along
 * - while an exchange is under way
 * - after MPI_Finalize
 *
 * destroy() tells what is wrong.
 */
template <class Spec, class Errors>
class basic_handle {
public:
    using result = typename Errors::result;
    using shape_type = typename Spec::shape_type;
    using fields_type = typename Spec::fields_type;

    basic_handle() = default;
    basic_handle(basic_handle &&other) noexcept
        : handle_(std::exchange(other.handle_, nullptr)), shapes_(std::move(other.shapes_)),
          hooks_(std::move(other.hooks_))
    {
    }
    basic_handle &operator=(basic_handle &&other) noexcept
    {
        if (this != &other) {
            static_cast<void>(end());
            leave_hooks();
            handle_ = std::exchange(other.handle_, nullptr);
            shapes_ = std::move(other.shapes_);
            hooks_ = std::move(other.hooks_);
        }
        return *this;
    }
    ~basic_handle()
    {
        if (std::uncaught_exceptions() <= unwinding_) {
            static_cast<void>(end());
        }
        leave_hooks();
    }

    /* Collective. */
    result destroy() { return Errors::of(end()); }

    /* For functions of C. */
    typename Spec::handle_type *get() const noexcept { return handle_; }
    explicit operator bool() const noexcept { return handle_ != nullptr; }

    /* Blocks of this rank, and their shapes as create was given them. */
    std::size_t blocks() const noexcept { return shapes_.size(); }
    const shape_type &shape() const { return shape(0); }
    template <class Number>
    const shape_type &shape(Number block) const
    {
        static_assert(std::is_integral_v<Number>, "blocks are counted by integers");
        if (static_cast<std::size_t>(block) >= blocks()) {
            throw std::out_of_range(Spec::name() + ": block " + std::to_string(block) + " was asked for; the handle has " +
                                    std::to_string(blocks()) + ", counted from 0.");
        }
        return shapes_[static_cast<std::size_t>(block)];
    }

    /* Arrays for all fields, zero, one struct for each block.  Collective.  They are freed with the handle, or before. */
    result alloc(per_block<fields_type> f) { return on_all_ranks(Spec::alloc, f); }
    result free(per_block<fields_type> f) { return on_all_ranks(Spec::free, f); }
    fields_type alloc()
    {
        only_throwing();
        fields_type f = {};
        alloc(f);
        return f;
    }
    std::vector<fields_type> alloc_blocks()
    {
        only_throwing();
        std::vector<fields_type> f(blocks());
        alloc(f);
        return f;
    }

    /*
     * Collective: fields to the blocks of another handle, of the same spec, grid and ranks.  See NAME_redistribute, NAME_gather
     * and NAME_scatter in <hx/hx.h>.  how: a stream for fields in the memory of a device, halos, ids of points of lists.
     */
    template <class Mistakes>
    result redistribute(per_block<const fields_type> f, basic_handle<Spec, Mistakes> &target, per_block<const fields_type> g,
                        const hx_redistribution &how = {})
    {
        if (handle_ && target.handle_ && f.size() == blocks() && g.size() == target.blocks()) {
            return Errors::of(hx_redistribute_with(any(handle_), f.data(), any(target.handle_), g.data(), &how));
        }
        if (target.handle_) { /* the other ranks wait for this one: without a source the call fails on all */
            static_cast<void>(hx_redistribute(nullptr, nullptr, any(target.handle_), nullptr));
        }
        if (!handle_ || !target.handle_) {
            return empty();
        }
        return fail(HX_ERR_ARGUMENT, "_redistribute: there are fields for " + std::to_string(f.size()) + " and " +
                                         std::to_string(g.size()) + " blocks, and the handles have " +
                                         std::to_string(blocks()) + " and " + std::to_string(target.blocks()) +
                                         "; give one struct for each block.");
    }

    /*
     * Collective: which blocks should have other ranks, so that these have equal work; see NAME_rebalance.  work: of each block
     * of this rank.  owners: room for the ranks of all blocks of the grid.
     */
    result rebalance(per_block<const double> work, per_block<int> owners, int &moved)
    {
        if (!handle_) {
            return empty();
        }
        if (work.size() == blocks()) {
            return Errors::of(hx_rebalance(any(handle_), work.data(), owners.data(), &moved));
        }
        static_cast<void>(hx_rebalance(any(handle_), nullptr, nullptr, nullptr)); /* as above */
        return fail(HX_ERR_ARGUMENT, "_rebalance: there is work for " + std::to_string(work.size()) +
                                         " blocks, and the handle has " + std::to_string(blocks()) +
                                         "; give one number for each block.");
    }

    /* Collective: a field to arrays of whole tiles on one rank, and back.  whole: one for each tile; other ranks may leave it out. */
    result gather(per_block<const fields_type> f, int field, int root, per_block<const hx_strided_array> whole = no_arrays())
    {
        return move_whole(hx_gather, f, field, root, whole);
    }
    result scatter(per_block<const fields_type> f, int field, int root, per_block<const hx_strided_array> whole = no_arrays())
    {
        return move_whole(hx_scatter, f, field, root, whole);
    }

    /* Collective: the points that each rank selects, see hx_selection in <hx/hx.h>; it may leave them out. */
    result gather_selected(per_block<const fields_type> f, per_block<const hx_selection> wanted = no_selections())
    {
        return move_selected(hx_gather_selected, f, wanted);
    }
    result scatter_selected(per_block<const fields_type> f, per_block<const hx_selection> given = no_selections())
    {
        return move_selected(hx_scatter_selected, f, given);
    }

    /* Collective: arrays in a window of <hx/window.h>, see NAME_register in <hx/hx.h>. */
    result add_window(hx_window *window) { return Errors::of(Spec::add_window(handle_, window)); }
    result remove_window(hx_window *window) { return Errors::of(Spec::remove_window(handle_, window)); }

    /* What is really used, in words. */
    std::string describe() const
    {
        const char *text = Spec::describe(handle_);
        return text ? text : "";
    }

    /* The same as JSON.  Where statuses are returned, "" if that failed, and hx_last_status() tells which. */
    std::string describe_json() const
    {
        const char *text = Spec::describe_json(handle_);
        if (!text) {
            static_cast<void>(Errors::of(hx_last_status()));
        }
        return text ? text : "";
    }
    /* Collective: what HX_STATS has counted so far.  file: as JSON; "": a table, on standard error. */
    result stats(const std::string &file = "") const
    {
        return Errors::of(hx_stats(Spec::any_handle(handle_), file.c_str()));
    }
    result traffic(int exchange, hx_traffic &moved) const
    {
        return Errors::of(Spec::traffic(handle_, exchange, &moved));
    }
    hx_traffic traffic(int exchange) const
    {
        only_throwing();
        hx_traffic moved = {};
        traffic(exchange, moved);
        return moved;
    }

    /* The messages that the program moves, with the transport "manual". */
    result message_buffers(int exchange, std::vector<hx_message_buffer> &buffers) const
    {
        int count = 0;
        hx_status status = Spec::message_buffers(handle_, exchange, nullptr, &count);
        buffers.resize(status == HX_OK ? static_cast<std::size_t>(count) : 0);
        if (!buffers.empty()) {
            status = Spec::message_buffers(handle_, exchange, buffers.data(), &count);
        }
        return Errors::of(status);
    }

protected:
    using handle_type = typename Spec::handle_type;

    per_block<const shape_type> shapes() const noexcept { return shapes_; }

    /* made(&handle) creates it. */
    template <class Make>
    result make(per_block<const shape_type> shapes, Make made)
    {
        if (handle_) { /* the other ranks wait for this one: without a place for the handle create fails on all */
            static_cast<void>(made(nullptr));
            return fail(HX_ERR_STATE, "_create: this handle is in use; destroy it first, or take another one.");
        }
        std::vector<shape_type> copies(shapes.data(), shapes.data() + shapes.size());
        const hx_status status = made(&handle_);
        if (status == HX_OK) {
            shapes_ = std::move(copies);
        }
        return Errors::of(status);
    }

    /* Calls a function of C that takes one struct for each block, and maybe a stream. */
    template <class Call, class Fields, class... Stream>
    result for_all(Call call, per_block<Fields> f, Stream... stream)
    {
        if (!handle_) {
            return empty();
        }
        if (f.size() != blocks()) {
            return fail(HX_ERR_ARGUMENT, ": there are fields for " + std::to_string(f.size()) +
                                             " blocks, and the handle has " + std::to_string(blocks()) +
                                             "; give one struct for each block.");
        }
        return ended(call(handle_, f.data(), stream...));
    }

    /* The same for a collective call.  The other ranks wait for this one, so where it is wrong the call goes to libhx without f. */
    template <class Call, class Fields>
    result on_all_ranks(Call call, per_block<Fields> f)
    {
        if (handle_ && f.size() != blocks()) {
            static_cast<void>(call(handle_, static_cast<Fields *>(nullptr)));
        }
        return for_all(call, f);
    }

    template <class Fields>
    result audit(int exchange, per_block<Fields> f)
    {
        const auto call = [exchange](typename Spec::handle_type *handle, const Fields *fields) {
            return hx_audit(reinterpret_cast<hx_handle *>(handle), exchange, fields);
        };
        return on_all_ranks(call, f);
    }

    template <class Call, class... Stream>
    result finish(Call call, Stream... stream)
    {
        if (!handle_) {
            return empty();
        }
        return ended(call(handle_, stream...));
    }

    /* Start, work() and finish.  Where work throws, finish comes all the same, since messages are on their way.  So it does where
     * work returns a status that is not HX_OK, and that status is then the result. */
    template <class Start, class Finish, class Fields, class Work, class... Stream>
    result both(Start start, Finish stop, per_block<Fields> f, Work &&work, Stream... stream)
    {
        if constexpr (std::is_void_v<result>) {
            for_all(start, f, stream...);
        } else if (const hx_status status = for_all(start, f, stream...); status != HX_OK) {
            return status;
        }
        hx_status worked = HX_OK;
        try {
            worked = done(std::forward<Work>(work));
        } catch (...) {
            static_cast<void>(stop(handle_, stream...));
            if (hooks_) {
                hooks_->thrown = nullptr; /* the first exception counts, and the next exchange begins afresh */
            }
            throw;
        }
        if constexpr (std::is_void_v<result>) {
            finish(stop, stream...);
        } else if (const hx_status status = finish(stop, stream...); status != HX_OK) {
            return status;
        }
        return Errors::of(worked);
    }

    template <class Call>
    result test(Call call, bool &is_through)
    {
        int through = 0;
        is_through = false;
        if (!handle_) {
            return empty();
        }
        const hx_status status = call(handle_, &through);
        is_through = through != 0;
        return Errors::of(status);
    }

    template <class Call>
    bool test(Call call)
    {
        only_throwing();
        bool is_through = false;
        test(call, is_through);
        return is_through;
    }

    /* Functions for walls, which take const hx_wall & and, on a device, the stream. */
    template <class Set>
    result hook(Set set, std::function<void(const hx_wall &)> fill)
    {
        return set_hook(&hooks::fill, std::move(fill), [&](void *context) {
            return set(handle_, context ? &basic_handle::call_hook : nullptr, context);
        });
    }
    template <class Set>
    result hook_on(Set set, std::function<void(const hx_wall &, hx_stream)> fill)
    {
        return set_hook(&hooks::fill_on, std::move(fill), [&](void *context) {
            return set(handle_, context ? &basic_handle::call_hook_on : nullptr, context);
        });
    }

    static void only_throwing()
    {
        static_assert(std::is_void_v<result>, "a status_handle returns statuses: take the member with a result to fill");
    }

private:
    template <class, class>
    friend class basic_handle;

    static hx_handle *any(typename Spec::handle_type *handle) { return reinterpret_cast<hx_handle *>(handle); }
    static per_block<const hx_strided_array> no_arrays() { return std::array<hx_strided_array, 0>(); }

    static per_block<const hx_selection> no_selections() { return std::array<hx_selection, 0>(); }

    template <class Call>
    result move_selected(Call call, per_block<const fields_type> f, per_block<const hx_selection> s)
    {
        return on_all_ranks([=](typename Spec::handle_type *handle,
                                const fields_type *fields) { return call(any(handle), fields, s.data(), static_cast<int>(s.size())); },
                            f);
    }

    template <class Call>
    result move_whole(Call call, per_block<const fields_type> f, int field, int root, per_block<const hx_strided_array> whole)
    {
        std::vector<hx_strided_array> tiles(whole.data(), whole.data() + whole.size());
        hx_spec_facts facts = {};
        if (!tiles.empty() && hx_spec_query(hx_spec_of(any(handle_)), &facts) == HX_OK) {
            tiles.resize(std::max(tiles.size(), static_cast<std::size_t>(facts.tiles))); /* libhx names those that are missing */
        }
        const hx_strided_array *arrays = tiles.empty() ? nullptr : tiles.data();
        return on_all_ranks([=](typename Spec::handle_type *handle,
                                const fields_type *fields) { return call(any(handle), fields, field, root, arrays); },
                            f);
    }

    /* At one address however the handle moves: libhx knows it. */
    struct hooks {
        std::function<void(const hx_wall &)> fill;
        std::function<void(const hx_wall &, hx_stream)> fill_on;
        std::exception_ptr thrown; /* by one of them; exceptions cannot cross C */
    };

    static void call_hook(void *context, const hx_wall *wall)
    {
        hooks *mine = static_cast<hooks *>(context);
        guard(*mine, [&] { mine->fill(*wall); });
    }
    static void call_hook_on(void *context, const hx_wall *wall, hx_stream stream)
    {
        hooks *mine = static_cast<hooks *>(context);
        guard(*mine, [&] { mine->fill_on(*wall, stream); });
    }

    /* The first exception is kept, and other walls are left alone. */
    template <class Fill>
    static void guard(hooks &mine, Fill fill) noexcept
    {
        if (mine.thrown) {
            return;
        }
        try {
            fill();
        } catch (...) {
            mine.thrown = std::current_exception();
        }
    }

    template <class Function, class Set>
    result set_hook(Function hooks::*member, Function fill, Set set)
    {
        if (!hooks_) {
            hooks_ = std::make_unique<hooks>();
        }
        const hx_status status = set(fill ? hooks_.get() : nullptr);
        if (status == HX_OK) {
            (*hooks_).*member = std::move(fill);
        }
        return Errors::of(status);
    }

    /* A call is over that may have called hooks: what one threw goes before the status. */
    result ended(hx_status status)
    {
        if (hooks_ && hooks_->thrown) {
            std::rethrow_exception(std::exchange(hooks_->thrown, nullptr));
        }
        return Errors::of(status);
    }

    /* libhx may still call those of a handle that could not be destroyed. */
    void leave_hooks() noexcept
    {
        if (handle_) {
            static_cast<void>(hooks_.release());
        }
    }

    template <class Work>
    static hx_status done(Work &&work)
    {
        using returned = std::decay_t<decltype(work())>;
        if constexpr (std::is_same_v<returned, hx_status> || std::is_same_v<returned, status>) {
            return work();
        } else {
            static_cast<void>(work());
            return HX_OK;
        }
    }

    static result empty()
    {
        return fail(HX_ERR_ARGUMENT, ": this handle is empty; it was moved from or destroyed, or is not created yet.");
    }

    /* What libhx was not asked. */
    static result fail(hx_status status, const std::string &sentence)
    {
        return Errors::of(hx_refuse(status, (Spec::name() + sentence).c_str()));
    }

    hx_status end() noexcept
    {
        const hx_status status = Spec::destroy(handle_);
        if (status == HX_OK) {
            handle_ = nullptr;
            shapes_.clear();
            hooks_.reset();
        }
        return status;
    }

    handle_type *handle_ = nullptr;
    int unwinding_ = std::uncaught_exceptions();
    std::vector<shape_type> shapes_;
    std::unique_ptr<hooks> hooks_;
};

} // namespace hx

#endif
