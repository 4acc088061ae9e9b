/*
 * Where messages of a device lie: what the options ask for, and what an exchange can have.
 */
#ifndef HX_DEVICE_MESSAGES_H
#define HX_DEVICE_MESSAGES_H

#include <hx/abi.h>
#include <hx/hx.h>

#include <stdbool.h>
#include <stddef.h>

typedef enum hxi_messages {
    HX_MESSAGES_AUTO,
    HX_MESSAGES_MAPPED, /* in pinned memory of the host, which kernels write and read */
    HX_MESSAGES_COPIED, /* in memory of the device, with copies to pinned memory and back */
    HX_MESSAGES_AWARE   /* in memory of the device, which MPI is given */
} hxi_messages;

/* By its name in the options; false if there is none.  And back. */
bool hxi_messages_named(const char *name, hxi_messages *messages);
const char *hxi_messages_name(hxi_messages messages);

/* The names that the options take, for a sentence. */
const char *hxi_messages_names(char *text, size_t size);

/* How the messages of an exchange lie, the same on all ranks. */
typedef struct hxi_message_placing {
    hxi_messages messages; /* asked for; then what it is, never auto */
    const char *why;       /* who asked, in words; or why it is not what was asked for */
} hxi_message_placing;

/* What an exchange that has fields on a device makes of that, with these options;
 * by_hand: the application moves its messages. */
hxi_message_placing hxi_messages_choose(const hx_spec *spec, const hx_exchange *exchange,
                                        const hx_options *options, bool by_hand,
                                        const hxi_message_placing *asked);

#endif
