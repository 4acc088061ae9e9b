/*
 * Observers as functions of C++, also with a state; see hx/observe.h for events and what an observer may do.
 *
 *     hx::observer slow([&](const hx_event &event) { most = std::max(most, event.seconds - event.since); },
 *                       {HX_EVENT_FINISHED});
 *     halogen::channel::handle halo(MPI_COMM_WORLD, shape);
 *
 * Handles that are created while it lives are observed.  It may end before they do: then they are silent.
 */
#ifndef HX_OBSERVE_HPP
#define HX_OBSERVE_HPP

#include <hx/hx.hpp>
#include <hx/observe.h>

#include <atomic>
#include <initializer_list>

namespace hx
{

class observer
{
  public:
    /* kinds: those that it wants; none: all.  Throws hx::error where there are too many observers. */
    explicit observer(std::function<void(const hx_event &)> see,
                      std::initializer_list<hx_event_kind> kinds = {})
        : state_(new state(std::move(see), bits(kinds)))
    {
        const hx_status status = hx_observe_kinds(&observer::call, state_, state_->kinds | ends);
        if (status != HX_OK) {
            delete state_;
            check(status);
        }
    }
    observer(const observer &) = delete;
    observer &operator=(const observer &) = delete;
    ~observer()
    {
        static_cast<void>(hx_unobserve(&observer::call, state_));
        state_->silent = true;
        leave(state_);
    }

  private:
    /*
     * The function lives as long as the observer, or a handle that has it.  The rest is never deleted: a handle that
     * another thread is just creating may have it already, and call it first when all that has gone.
     */
    struct state {
        state(std::function<void(const hx_event &)> function, std::uint64_t wanted)
            : see(std::move(function)), kinds(wanted)
        {
        }
        std::function<void(const hx_event &)> see;
        std::uint64_t kinds;
        std::atomic<bool> silent{false};
        std::atomic<int> users{1}; /* the observer, and handles; 0: for ever, there is no function */
        state *next = nullptr;     /* of those without a function */
    };

    static constexpr std::uint64_t ends = HX_EVENT_BIT(HX_EVENT_CREATED) | HX_EVENT_BIT(HX_EVENT_DESTROYED);

    static std::uint64_t bits(std::initializer_list<hx_event_kind> kinds)
    {
        std::uint64_t all = kinds.size() == 0 ? ~std::uint64_t{0} : 0;
        for (const hx_event_kind kind : kinds) {
            all |= HX_EVENT_BIT(kind);
        }
        return all;
    }

    /* So that what looks for lost memory sees them. */
    static std::atomic<state *> &ended()
    {
        static std::atomic<state *> first{nullptr};
        return first;
    }

    static bool join(state *s)
    {
        int users = s->users;
        while (users > 0 && !s->users.compare_exchange_weak(users, users + 1)) {
        }
        return users > 0;
    }

    static void leave(state *s)
    {
        if (s->users.fetch_sub(1) == 1) {
            s->see = nullptr;
            s->next = ended();
            while (!ended().compare_exchange_weak(s->next, s)) {
            }
        }
    }

    /* Exceptions cannot cross C: one that is thrown ends the program. */
    static void call(void *context, const hx_event *event) noexcept
    {
        state *s = static_cast<state *>(context);
        if (event->kind == HX_EVENT_CREATED ? !join(s) : s->users == 0) {
            return;
        }
        if (!s->silent && (s->kinds & HX_EVENT_BIT(event->kind)) != 0) {
            s->see(*event);
        }
        if (event->kind == HX_EVENT_DESTROYED) {
            leave(s);
        }
    }

    state *state_;
};

} // namespace hx

#endif
