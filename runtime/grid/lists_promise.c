/*
 * What ranks tell each other of their lists before they use them.
 */
#include "grid/lists.h"

hx_status hxi_lists_promise(const hxi_lists *lists, int rank, hxi_confirmation *c)
{
    const hx_status status = hxi_confirmation_make(lists->partners, lists->partners, c);
    if (status != HX_OK) {
        return status;
    }
    c->sends = 0;
    c->expects = 0;
    c->of_points = true;
    c->advice = "does each rank list what the other one lists?";
    for (int i = 0; i < lists->partners; ++i) {
        const hxi_partner_list *p = &lists->partner[i];
        if (p->peer != rank && p->sent.points > 0) {
            c->send[c->sends++] = (hxi_promise){p->peer, (uint64_t)p->sent.points, 0};
        }
        if (p->peer != rank && p->received.points > 0) {
            c->expect[c->expects++] = (hxi_promise){p->peer, (uint64_t)p->received.points, 0};
        }
    }
    return HX_OK;
}
