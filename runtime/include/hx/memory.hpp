/*
 * Pools and windows for C++17 and later: header only, on top of hx/pool.h and hx/window.h.  get() is what C functions and
 * handles take.  Failures are hx::error.
 */
#ifndef HX_MEMORY_HPP
#define HX_MEMORY_HPP

#include <hx/hx.hpp>
#include <hx/pool.h>
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

} // namespace hx

#endif
