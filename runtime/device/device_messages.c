#include "device/device_messages.h"

#include "base/text.h"
#include "device/device.h"

static const char *const names[] = {[HX_MESSAGES_AUTO] = "auto",
                                    [HX_MESSAGES_MAPPED] = "mapped",
                                    [HX_MESSAGES_COPIED] = "copied",
                                    [HX_MESSAGES_AWARE] = "aware"};

enum { NAMES = sizeof names / sizeof names[0] };

bool hxi_messages_named(const char *name, hxi_messages *messages)
{
    const int number = hxi_text_find(names, NAMES, name);
    if (number >= 0) {
        *messages = (hxi_messages)number;
    }
    return number >= 0;
}

const char *hxi_messages_name(hxi_messages messages)
{
    return names[messages];
}

const char *hxi_messages_names(char *text, size_t size)
{
    return hxi_text_choice(names, NAMES, text, size);
}

/* Why messages cannot lie in memory of the device; NULL: they can. */
static const char *obstacle(const hx_spec *spec, const hx_exchange *exchange, const hx_options *options,
                            bool by_hand, hxi_messages messages)
{
    if (hxi_device_mixes(spec, exchange)) { /* loops of the host write among what kernels write */
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

hxi_message_placing hxi_messages_choose(const hx_spec *spec, const hx_exchange *exchange,
                                        const hx_options *options, bool by_hand,
                                        const hxi_message_placing *asked)
{
    hxi_message_placing chosen = *asked;
    if (chosen.messages == HX_MESSAGES_AUTO) {
        chosen.messages = HX_MESSAGES_MAPPED;
    }
    const char *why = chosen.messages == HX_MESSAGES_MAPPED
                          ? NULL
                          : obstacle(spec, exchange, options, by_hand, chosen.messages);
    return why ? (hxi_message_placing){HX_MESSAGES_MAPPED, why} : chosen;
}
