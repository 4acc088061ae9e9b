#include "schedule.h"

#include "text.h"

#include <string.h>

static const char *const names[] = {
    [HX_SCHEDULE_AUTO] = "auto",
    [HX_SCHEDULE_ONE_PHASE] = "one-phase",
    [HX_SCHEDULE_BY_DIMENSION] = "by-dimension",
};

enum { NAMES = sizeof names / sizeof names[0] };

bool hx_schedule_named(const char *name, hx_schedule *schedule)
{
    for (int i = 0; i < NAMES; ++i) {
        if (name && strcmp(name, names[i]) == 0) {
            *schedule = (hx_schedule)i;
            return true;
        }
    }
    return false;
}

const char *hx_schedule_names(char *text, size_t size)
{
    hx_text out = {text, size, 0};
    for (int i = 0; i < NAMES; ++i) {
        hx_text_add(&out, "%s\"%s\"", i == 0 ? "" : " or ", names[i]);
    }
    return text;
}
