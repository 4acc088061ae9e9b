#include "device_messages.h"

#include "device.h"
#include "text.h"

#include <string.h>

static const char *const names[] = {
    [HX_MESSAGES_AUTO] = "auto", [HX_MESSAGES_MAPPED] = "mapped", [HX_MESSAGES_COPIED] = "copied"};

enum { NAMES = sizeof names / sizeof names[0] };

bool hx_messages_named(const char *name, hx_messages *messages)
{
    for (int i = 0; i < NAMES; ++i) {
        if (name && strcmp(name, names[i]) == 0) {
            *messages = (hx_messages)i;
            return true;
        }
    }
    return false;
}

const char *hx_messages_name(hx_messages messages)
{
    return names[messages];
}

const char *hx_messages_names(char *text, size_t size)
{
    hx_text out = {text, size, 0};
    for (int i = 0; i < NAMES; ++i) {
        hx_text_add(&out, "%s\"%s\"", i == 0 ? "" : " or ", names[i]);
    }
    return text;
}

/*
 * What loops of the host write into a message is among what kernels write, and what they do to one does not
 * wait for copies.
 */
hx_placing hx_messages_choose(const hx_spec *spec, const hx_exchange *exchange, const hx_placing *asked)
{
    hx_placing chosen = *asked;
    if (chosen.messages == HX_MESSAGES_AUTO) {
        chosen.messages = HX_MESSAGES_MAPPED;
    }
    if (chosen.messages != HX_MESSAGES_MAPPED && hx_device_mixes(spec, exchange)) {
        chosen = (hx_placing){HX_MESSAGES_MAPPED, "the same messages carry fields of the host"};
    }
    return chosen;
}
