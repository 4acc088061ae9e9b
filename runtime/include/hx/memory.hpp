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

#include <complex>
#include <cstdint>
#include <iterator>

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
    /* Its buffers lie in what this rank holds of a window, which has to stay as long: hx_pool_create_in. */
    explicit pool(hx_window *within, bool checked = false)
    {
        hx_pool *made = nullptr;
        check(hx_pool_create_in(within, checked, &made));
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

    /* In a window: bytes from the beginning of what this rank holds of it. */
    std::size_t offset(span<unsigned char> buffer) const
    {
        std::size_t offset = 0;
        check(hx_pool_offset(get(), buffer.data(), &offset));
        return offset;
    }
    void trim() { check(hx_pool_trim(get())); }
    hx_pool_counters counters() const
    {
        hx_pool_counters counters = {};
        check(hx_pool_count(get(), &counters));
        return counters;
    }

    /* Tells what is wrong; one that still has buffers in use stays as it is. */
    void free()
    {
        const bool stays = pool_ && counters().held > 0;
        hx_pool *gone = pool_.release();
        const hx_status status = hx_pool_destroy(gone);
        if (stays) {
            pool_.reset(gone);
        }
        check(status);
    }

private:
    struct destroy {
        void operator()(hx_pool *gone) const noexcept { static_cast<void>(hx_pool_destroy(gone)); }
    };
    std::unique_ptr<hx_pool, destroy> pool_;
};

/* The type of MPI of a number, for accumulate and its like: of C's numbers, bool and std::complex. */
template <class T>
MPI_Datatype datatype()
{
    if constexpr (std::is_same_v<T, float>) {
        return MPI_FLOAT;
    } else if constexpr (std::is_same_v<T, double>) {
        return MPI_DOUBLE;
    } else if constexpr (std::is_same_v<T, long double>) {
        return MPI_LONG_DOUBLE;
    } else if constexpr (std::is_same_v<T, std::complex<float>>) {
        return MPI_C_FLOAT_COMPLEX;
    } else if constexpr (std::is_same_v<T, std::complex<double>>) {
        return MPI_C_DOUBLE_COMPLEX;
    } else if constexpr (std::is_same_v<T, bool>) {
        return MPI_C_BOOL;
    } else {
        static_assert(std::is_integral_v<T> && sizeof(T) <= 8, "accumulate takes numbers, bool and std::complex");
        constexpr int bytes = sizeof(T);
        return std::is_signed_v<T>
                   ? (bytes == 1 ? MPI_INT8_T : bytes == 2 ? MPI_INT16_T : bytes == 4 ? MPI_INT32_T : MPI_INT64_T)
                   : (bytes == 1 ? MPI_UINT8_T : bytes == 2 ? MPI_UINT16_T : bytes == 4 ? MPI_UINT32_T : MPI_UINT64_T);
    }
}

/*
 * Memory that other ranks reach.  Create and the destructor are collective.  While an exception unwinds the stack the
 * destructor leaves the window alone, as that of handles does; so it does while a handle knows the window: remove_window.
 *
 * Accesses and epochs are those of hx/window.h, which says what each may do.  Ways are HX_WINDOW_PEERS if not given.
 */
class window {
public:
    /* Elements that a rank exposes, from one on; as many as the buffer of the access has. */
    struct target {
        int rank;
        std::int64_t at = 0;
        hx_window_way way = HX_WINDOW_PEERS;
    };

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
        check_size(sizeof(T));
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

    /* ---- HX_WINDOW_DYNAMIC ---- */

    void attach(void *base, std::size_t bytes) { check(hx_window_attach(window_, base, bytes)); }
    void detach(const void *base) { check(hx_window_detach(window_, base)); }
    static std::int64_t address(const void *base) { return hx_window_address(base); }

    /* ---- accesses ----
     *
     * A buffer is a container in one piece, such as std::vector, std::array, a span or an array of C.  It is used until the
     * epoch ends, or flush; with a request, until that is complete. */

    template <class Buffer>
    void put(const Buffer &from, const target &to, MPI_Request *request = nullptr)
    {
        const hx_window_part part = part_of(from, to);
        check(hx_window_put(window_, std::data(from), &part, request));
    }
    template <class Buffer>
    void get(Buffer &&into, const target &from, MPI_Request *request = nullptr)
    {
        const hx_window_part part = part_of(into, from);
        check(hx_window_get(window_, std::data(into), &part, request));
    }
    template <class Buffer>
    void accumulate(const Buffer &from, const target &to, MPI_Op op, MPI_Request *request = nullptr)
    {
        const hx_window_part part = part_of(from, to);
        const hx_window_operation how = {datatype<element_of<Buffer>>(), op};
        check(hx_window_accumulate(window_, std::data(from), &part, &how, request));
    }
    /* into: what was there before, as many as `from` has. */
    template <class Buffer, class Into>
    void get_accumulate(const Buffer &from, Into &&into, const target &at, MPI_Op op, MPI_Request *request = nullptr)
    {
        static_assert(std::is_same_v<element_of<Buffer>, element_of<Into>>, "both buffers have elements of one type");
        const hx_window_part part = part_of(from, at);
        check_room(std::size(into), std::size(from));
        const hx_window_operation how = {datatype<element_of<Buffer>>(), op};
        check(hx_window_get_accumulate(window_, std::data(from), std::data(into), &part, &how, request));
    }
    template <class T>
    void fetch_and_op(const T &from, T &into, const target &at, MPI_Op op)
    {
        check_size(sizeof(T));
        const hx_window_part part = {at.way, at.rank, at.at, 1};
        const hx_window_operation how = {datatype<T>(), op};
        check(hx_window_fetch_and_op(window_, &from, &into, &part, &how));
    }

    /* ---- epochs ---- */

    /* Collective over the ranks of the way. */
    void fence(hx_window_way way = HX_WINDOW_PEERS, int assertion = 0) { check(hx_window_fence(window_, way, assertion)); }

    void post(const std::vector<int> &origins, hx_window_way way = HX_WINDOW_PEERS, int assertion = 0)
    {
        check(hx_window_post(window_, way, static_cast<int>(origins.size()), origins.data(), assertion));
    }
    void start(const std::vector<int> &targets, hx_window_way way = HX_WINDOW_PEERS, int assertion = 0)
    {
        check(hx_window_start(window_, way, static_cast<int>(targets.size()), targets.data(), assertion));
    }
    void complete(hx_window_way way = HX_WINDOW_PEERS) { check(hx_window_complete(window_, way)); }
    void wait(hx_window_way way = HX_WINDOW_PEERS) { check(hx_window_wait(window_, way)); }
    bool test(hx_window_way way = HX_WINDOW_PEERS)
    {
        int done = 0;
        check(hx_window_test(window_, way, &done));
        return done != 0;
    }

    void lock(int rank, bool exclusive, hx_window_way way = HX_WINDOW_PEERS, int assertion = 0)
    {
        check(hx_window_lock(window_, way, rank, exclusive, assertion));
    }
    void unlock(int rank, hx_window_way way = HX_WINDOW_PEERS) { check(hx_window_unlock(window_, way, rank)); }
    void lock_all(hx_window_way way = HX_WINDOW_PEERS, int assertion = 0)
    {
        check(hx_window_lock_all(window_, way, assertion));
    }
    void unlock_all(hx_window_way way = HX_WINDOW_PEERS) { check(hx_window_unlock_all(window_, way)); }

    void flush(int rank = HX_WINDOW_ALL, hx_window_way way = HX_WINDOW_PEERS)
    {
        check(hx_window_flush(window_, way, rank));
    }
    void flush_local(int rank = HX_WINDOW_ALL, hx_window_way way = HX_WINDOW_PEERS)
    {
        check(hx_window_flush_local(window_, way, rank));
    }
    void sync(hx_window_way way = HX_WINDOW_PEERS) { check(hx_window_sync(window_, way)); }

private:
    template <class Buffer>
    using element_of = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(std::declval<Buffer &>()))>>;

    void check_size(std::size_t bytes) const
    {
        const std::size_t element = facts().element;
        if (window_ && element != bytes) {
            refuse("elements of the window have " + std::to_string(element) + " bytes, the type asked for has " +
                   std::to_string(bytes) + "; ask for one of that size.");
        }
    }
    void check_room(std::size_t there, std::size_t needed) const
    {
        if (there < needed) {
            refuse("into has " + std::to_string(there) + " elements, from has " + std::to_string(needed) +
                   "; give into as many.");
        }
    }
    [[noreturn]] static void refuse(const std::string &sentence)
    {
        throw error(hx_refuse(HX_ERR_ARGUMENT, sentence.c_str()));
    }
    template <class Buffer>
    hx_window_part part_of(const Buffer &buffer, const target &where) const
    {
        check_size(sizeof(element_of<const Buffer>));
        return {where.way, where.rank, where.at, static_cast<std::int64_t>(std::size(buffer))};
    }

    hx_window *window_ = nullptr;
    int unwinding_ = std::uncaught_exceptions();
};

/*
 * Locks a target of a window, or all of them, until the end of the block, also where that ends by an exception.  There accesses
 * are complete; unlock() does the same before, and tells what is wrong.
 *
 *     {
 *         const hx::window_lock locked(window);
 *         window.put(numbers, {2});
 *     }
 */
class window_lock {
public:
    explicit window_lock(window &locked, hx_window_way way = HX_WINDOW_PEERS) : window_(&locked), way_(way)
    {
        locked.lock_all(way);
    }
    window_lock(window &locked, int rank, bool exclusive, hx_window_way way = HX_WINDOW_PEERS)
        : window_(&locked), rank_(rank), way_(way)
    {
        locked.lock(rank, exclusive, way);
    }
    window_lock(const window_lock &) = delete;
    window_lock &operator=(const window_lock &) = delete;
    ~window_lock() { static_cast<void>(end()); }

    void unlock() { check(end()); }

private:
    hx_status end() noexcept
    {
        window *locked = std::exchange(window_, nullptr);
        return !locked                    ? HX_OK
               : rank_ == HX_WINDOW_ALL   ? hx_window_unlock_all(locked->get(), way_)
                                          : hx_window_unlock(locked->get(), way_, rank_);
    }

    window *window_;
    int rank_ = HX_WINDOW_ALL;
    hx_window_way way_;
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
