#include "pack/redistribution_segments.h"

typedef struct finder {
    const hxi_redistribution_task *task;
    hxi_redistribution *r;
    int item; /* of the fields that move */
} finder;

/* Of what this rank shares with another one, or itself: what comes, or what goes. */
static hx_status add_list(const finder *f, const hxi_partner_list *partner, bool fills)
{
    const hxi_redistribution_task *w = f->task;
    const hx_field *field = &w->spec->field[w->field[f->item]];
    const bool within = partner->peer == w->rank;
    const hx_runs *runs = fills ? &partner->received : &partner->sent;
    hxi_segment *s = runs->points > 0 ? hxi_segments_add(&f->r->segments) : NULL;
    if (!s) {
        return runs->points > 0 ? HX_ERR_MEMORY : HX_OK;
    }
    s->kind = within ? HX_WITHIN : fills ? HX_RECEIVED : HX_SENT;
    s->item = f->item;
    s->to = fills ? 0 : -1;
    s->from = !fills || within ? w->to.mine->blocks : -1;
    s->to_runs = fills ? &partner->received : NULL;
    s->from_runs = !fills || within ? &partner->sent : NULL;
    s->link = (hx_link){
        .field = w->field[f->item],
        .incoming = s->kind != HX_SENT,
        .peer = partner->peer,
        .block = fills ? w->rank : partner->peer,
        .source_block = fills ? partner->peer : w->rank,
        .source_field = w->field[f->item],
        .sign = 1,
        .components = field->components > 0 ? field->components : 1,
    };
    int points[HX_MAX_AXES];
    hxi_cut_points(w->spec, w->field[f->item], w->to.mine->block[0].cells, points);
    points[0] = runs->points;
    s->bytes = hxi_redistribution_point_bytes(field);
    for (int a = 0; a < HX_MAX_AXES; ++a) {
        s->link.hi[a] = points[a];
        s->link.axis[a] = a;
        s->link.turn[a] = 1;
        s->bytes *= (size_t)points[a];
    }
    return HX_OK;
}

static hx_status find_lists(const finder *f)
{
    const hxi_redistribution_task *w = f->task;
    hx_status status = HX_OK;
    for (int i = 0; i < w->lists->partners && status == HX_OK; ++i) {
        const hxi_partner_list *partner = &w->lists->partner[i];
        status = add_list(f, partner, true);
        if (status == HX_OK && partner->peer != w->rank) {
            status = add_list(f, partner, false);
        }
    }
    return status;
}

hx_status hxi_redistribution_find_lists(const hxi_redistribution_task *task, hxi_redistribution *r)
{
    finder f = {.task = task, .r = r};
    hx_status status = HX_OK;
    for (; f.item < task->fields && status == HX_OK; ++f.item) {
        status = find_lists(&f);
    }
    return status;
}
