#include "device/device_messages.h"

#include "base/text.h"
#include "device/device.h"

static const char *const names[] = {[HX_MESSAGES_AUTO] = "auto",
                                    [HX_MESSAGES_MAPPED] = "mapped",
                                    [HX_MESSAGES_COPIED] = "copied",
                                    [HX_MESSAGES_AWARE] = "aware"};

enum { NAMES = sizeof names / sizeof names[0] };

bool hx_messages_named(const char *name, hx_messages *messages)
{
    const int number = hx_text_find(names, NAMES, name);
    if (number >= 0) {
        *messages = (hx_messages)number;
    }
    return number >= 0;
}

const char *hx_messages_name(hx_messages messages)
{
    return names[messages];
}

const char *hx_messages_names(char *text, size_t size)
{
    return hx_text_choice(names, NAMES, text, size);
}

/* Why messages cannot lie in memory of the device; NULL: they can. */
static const char *obstacle(const hx_spec *spec, const hx_exchange *exchange, const hx_options *options,
                            bool by_hand, hx_messages messages)
{
    if (hx_device_mixes(spec, exchange)) { /* loops of the host write among what kernels write */
        return "the same messages carry fields of the host";
    }
    if (messages != HX_MESSAGES_AWARE) {
        return NULL;
    }
    if (options->check) {
        return "with option check the host writes and reads headers of messages";
    }
    if (by_hand) {
        return "the application moves them";
    }
    return NULL;
}

hx_placing hx_messages_choose(const hx_spec *spec, const hx_exchange *exchange, const hx_options *options,
                              bool by_hand, const hx_placing *asked)
{
    hx_placing chosen = *asked;
    if (chosen.messages == HX_MESSAGES_AUTO) {
        chosen.messages = HX_MESSAGES_MAPPED;
    }
    const char *why = chosen.messages == HX_MESSAGES_MAPPED
                          ? NULL
                          : obstacle(spec, exchange, options, by_hand, chosen.messages);
    return why ? (hx_placing){HX_MESSAGES_MAPPED, why} : chosen;
}
