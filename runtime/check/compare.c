#include "check/compare.h"

#include "check/shared.h"
#include "check/sums.h"
#include "check/walls.h"

#include <string.h>

void hxi_check_begin(const check_run *r, const check_block *b)
{
    const check_step before = {.item = NULL};
    for (int field = 0; field < r->spec->fields; ++field) {
        check_spot spot = hxi_check_first_spot(r, b->part, field);
        do {
            for (int c = 0; c < hxi_check_components(r, field); ++c) {
                const check_value value = hxi_check_expected(r, &before, &spot, c);
                hxi_check_store(&r->type[field], hxi_check_element(r, b, &spot, c), value.bits);
            }
        } while (hxi_check_next_spot(r, &spot));
    }
}

void hxi_check_prepare(const check_run *r, const check_block *b, int exchange)
{
    const hx_exchange *x = &r->spec->exchange[exchange];
    if (x->shared != HX_SHARED_NOT) {
        hxi_check_store_shared(r, b, x);
    } else if (HX_RETURNS(x->operation)) {
        hxi_check_store_addends(r, b, x);
    }
}

void hxi_check_compare_spot(check_run *r, const check_block *b, const check_step *step,
                            const check_spot *spot)
{
    const bool ghost = spot->sides > 0;
    for (int c = 0; c < hxi_check_components(r, spot->field); ++c) {
        check_value value = hxi_check_expected(r, step, spot, c);
        if (step->item && ghost) {
            (r->lands > 0 ? hxi_check_fill_at_land : hxi_check_fill)(r, step, spot, c, &value);
        }
        if (!hxi_check_holds(&r->type[spot->field], hxi_check_element(r, b, spot, c), value)) {
            hxi_check_report(r, step->exchange, spot->field, spot->point, c);
        }
    }
}

static void compare_spots(check_run *r, const check_block *b, const check_step *step, int field)
{
    check_spot spot = hxi_check_first_spot(r, b->part, field);
    do {
        hxi_check_compare_spot(r, b, step, &spot);
    } while (hxi_check_next_spot(r, &spot));
}

static bool is_untouched(const check_run *r, const check_block *b, int field)
{
    return memcmp(b->array[field], b->before[field], hxi_check_bytes(r, b, field)) == 0;
}

/* Looks at all points of a field that is not added; at every byte of one that the exchange does not name. */
static void compare_field(check_run *r, const check_block *b, const check_step *step, int field)
{
    if (step->item && step->exchange->shared != HX_SHARED_NOT) {
        hxi_check_compare_shared(r, b, step);
    } else if (step->item) {
        compare_spots(r, b, step, field);
    } else if (!is_untouched(r, b, field)) {
        const int failures = r->failures;
        compare_spots(r, b, step, field);
        if (r->failures == failures) {
            hxi_check_report(r, step->exchange, field, NULL, 0);
        }
    }
}

void hxi_check_compare(check_run *r, int exchange)
{
    const hx_exchange *x = &r->spec->exchange[exchange];
    const bool returns = HX_RETURNS(x->operation) && x->shared == HX_SHARED_NOT;
    for (int b = 0; b < r->blocks; ++b) {
        for (int field = 0; field < r->spec->fields; ++field) {
            const check_step step = hxi_check_step_of(r, exchange, field);
            if (!(returns && step.item)) {
                compare_field(r, &r->block[b], &step, field);
            }
        }
    }
    if (returns) {
        hxi_check_compare_sums(r, exchange);
    }
}
