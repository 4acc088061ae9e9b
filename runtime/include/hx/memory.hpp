/*
 * Pools, windows and arrays that a node shares for C++17 and later: header only, on top of hx/pool.h, hx/window.h and
 * hx/shared_array.h.  get() is what C functions and handles take.  Failures are hx::error.
 */
#ifndef HX_MEMORY_HPP
#define HX_MEMORY_HPP

#include <hx/hx.hpp>
#include <hx/pool.h>
#include <hx/shared_array.h>
#include <hx/window.h>

namespace hx {

/* A stock of buffers; ends after the handles that use it.  One that still has buffers in use is left to the end of the
 * program. */
class pool {
public:
    explicit pool(bool checked = false)
    {
        hx_pool *made = nullptr;
        check(hx_pool_create(checked, &made));
        pool_.reset(made);
    }
    hx_pool *get() const noexcept { return pool_.get(); }

    /* Undefined bytes, on cache lines of their own. */
    span<unsigned char> acquire(std::size_t bytes)
    {
        void *buffer = nullptr;
        check(hx_pool_acquire(get(), bytes, &buffer));
        return {static_cast<unsigned char *>(buffer), bytes};
    }
    void release(span<unsigned char> buffer) { check(hx_pool_release(get(), buffer.data())); }

private:
    struct destroy {
        void operator()(hx_pool *gone) const noexcept { static_cast<void>(hx_pool_destroy(gone)); }
    };
    std::unique_ptr<hx_pool, destroy> pool_;
};

/*
 * Memory that other ranks reach.  Create and the destructor are collective.  While an exception unwinds the stack the
 * destructor leaves the window alone, as that of handles does; so it does while a handle knows the window: remove_window.
 */
class window {
public:
    window(MPI_Comm comm, const hx_window_request &request) { check(hx_window_create(comm, &request, &window_)); }
    window(window &&other) noexcept : window_(std::exchange(other.window_, nullptr)) {}
    window &operator=(window &&other) noexcept
    {
        if (this != &other) {
            static_cast<void>(hx_window_free(&window_));
            window_ = std::exchange(other.window_, nullptr);
        }
        return *this;
    }
    ~window()
    {
        if (std::uncaught_exceptions() <= unwinding_) {
            static_cast<void>(hx_window_free(&window_));
        }
    }

    /* Collective; tells what is wrong. */
    void free() { check(hx_window_free(&window_)); }
    hx_window *get() const noexcept { return window_; }
    hx_window_facts facts() const
    {
        hx_window_facts facts = {};
        hx_window_query(window_, &facts);
        return facts;
    }

    /* What a rank of this node holds, as elements of a type of the size that the request has. */
    template <class T>
    span<T> elements(int node_rank) const
    {
        if (facts().element != sizeof(T)) {
            check(hx_refuse(HX_ERR_ARGUMENT, ("elements of the window have " + std::to_string(facts().element) +
                                              " bytes, the type asked for has " + std::to_string(sizeof(T)) +
                                              "; ask for one of that size.")
                                                 .c_str()));
        }
        void *memory = nullptr;
        int64_t count = 0;
        check(hx_window_pointer(window_, node_rank, &memory, &count));
        return {static_cast<T *>(memory), static_cast<std::size_t>(count)};
    }
    template <class T>
    span<T> mine() const
    {
        return elements<T>(facts().node_rank);
    }

private:
    hx_window *window_ = nullptr;
    int unwinding_ = std::uncaught_exceptions();
};

/*
 * An array that all ranks have and one gave: one copy for all ranks of a node.  Its last axis is the fastest.
 *
 *     hx::shared_array<const double, 2> depth(comm, 0, rank == 0 ? mine.data() : nullptr, {ny, nx});
 *     depth(j, i), depth.view(), depth.elements()              ... for reading, on every rank
 *
 * Of const elements the pages are protected.  Without const the ranks of a node write into the same memory: see sync().
 *
 * It moves and is not copied.  Create, sync, free and the destructor are collective.  While an exception unwinds the stack the
 * destructor leaves the array alone, as that of handles does.
 */
template <class T, std::size_t Rank = 1>
class shared_array {
public:
    using value_type = std::remove_const_t<T>;

    /* given, extents: on the root; it is copied.  Others take what comes.  deadline: seconds; 0: none. */
    shared_array(MPI_Comm comm, int root, const value_type *given, const std::array<std::size_t, Rank> &extents = {},
                 double deadline = 0.0)
    {
        static_assert(Rank >= 1 && Rank <= HX_ARRAY_AXES, "there are 1 to HX_ARRAY_AXES axes");
        static_assert(std::is_trivially_copyable_v<T>, "elements are copied byte by byte");
        hx_array theirs = {};
        theirs.data = given;
        theirs.size = sizeof(T);
        theirs.axes = static_cast<int>(Rank);
        for (std::size_t a = 0; a < Rank; ++a) {
            theirs.extent[a] = extents[a];
        }
        check(hx_shared_arrays_create_within(comm, deadline, &group_));
        void *memory = nullptr;
        const hx_status status =
            hx_shared_array(group_, root, &theirs, &shared_, std::is_const_v<T> ? nullptr : &memory);
        if (status != HX_OK) {
            const error failure(status);
            static_cast<void>(hx_shared_arrays_destroy(group_)); /* all ranks are here */
            throw failure;
        }
        take(memory);
    }
    shared_array(shared_array &&other) noexcept
        : group_(std::exchange(other.group_, nullptr)), shared_(std::exchange(other.shared_, {})),
          view_(std::exchange(other.view_, {}))
    {
    }
    shared_array &operator=(shared_array &&other) noexcept
    {
        if (this != &other) {
            static_cast<void>(hx_shared_arrays_destroy(group_));
            group_ = std::exchange(other.group_, nullptr);
            shared_ = std::exchange(other.shared_, {});
            view_ = std::exchange(other.view_, {});
        }
        return *this;
    }
    ~shared_array()
    {
        if (std::uncaught_exceptions() <= unwinding_) {
            static_cast<void>(hx_shared_arrays_destroy(group_));
        }
    }

    /* Collective; tells what is wrong. */
    void free()
    {
        const hx_status status = hx_shared_arrays_destroy(std::exchange(group_, nullptr));
        shared_ = {};
        view_ = {};
        check(status);
    }

    /* Collective.  What a rank wrote before is what the ranks of its node read after. */
    void sync()
    {
        static_assert(!std::is_const_v<T>, "nobody writes to an array of const elements");
        check(hx_shared_arrays_sync(group_));
    }

    T *data() const noexcept { return view_.data(); }
    std::size_t size() const noexcept { return view_.size(); }
    std::size_t extent(int axis) const noexcept { return static_cast<std::size_t>(view_.points(axis)); }
    span<T> elements() const noexcept { return view_.elements(); }
    using view_type = hx::view<T, Rank, static_cast<int>(Rank) - 1>;
    using const_view_type = hx::view<const T, Rank, static_cast<int>(Rank) - 1>;
    const view_type &view() const noexcept { return view_; }
    const_view_type const_view() const { return {view_.data(), layout_of(shared_)}; }
    template <class... Index>
    T &operator()(Index... index) const
    {
        return view_(index...);
    }
    hx_shared_arrays *get() const noexcept { return group_; }

private:
    static layout<Rank> layout_of(const hx_array &array)
    {
        layout<Rank> where = {};
        where.size = array.data != nullptr ? 1 : 0;
        for (std::size_t a = Rank; a-- > 0;) {
            where.points[a] = static_cast<std::ptrdiff_t>(array.extent[a]);
            where.stride[a] = static_cast<std::ptrdiff_t>(where.size);
            where.size *= array.extent[a];
        }
        return where;
    }

    /* Where the root has another type or other axes, this rank says so; its group is left to the end of the program. */
    void take(void *memory)
    {
        const bool fits = shared_.data == nullptr || (shared_.size == sizeof(T) && shared_.axes == static_cast<int>(Rank));
        if (!fits) {
            check(hx_refuse(HX_ERR_MISMATCH, ("the array that was shared has elements of " + std::to_string(shared_.size) +
                                              " bytes along " + std::to_string(shared_.axes) +
                                              " axes; this rank asked for " + std::to_string(sizeof(T)) +
                                              " bytes along " + std::to_string(Rank) + ".")
                                                 .c_str()));
        }
        if constexpr (std::is_const_v<T>) {
            view_ = {static_cast<T *>(shared_.data), layout_of(shared_)};
        } else {
            view_ = {static_cast<T *>(memory), layout_of(shared_)};
        }
    }

    hx_shared_arrays *group_ = nullptr;
    hx_array shared_ = {};
    view_type view_;
    int unwinding_ = std::uncaught_exceptions();
};

} // namespace hx

#endif
