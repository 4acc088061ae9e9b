#include "exchange/options.h"

#include "base/environment.h"
#include "base/log.h"
#include "base/status.h"
#include "device/device_messages.h"
#include "grid/schedule.h"
#include "transport/transport.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef enum option_kind {
    OPTION_TRANSPORT,
    OPTION_SCHEDULE,
    OPTION_MESSAGES,
    OPTION_TEXT,     /* this and those before are strings */
    OPTION_DEADLINE, /* environment.c reads it */
    OPTION_NUMBER
} option_kind;

/* Every option that the environment may override. */
static const struct option {
    const char *name;
    const char *variable;
    option_kind kind;
    size_t offset; /* in hx_options */
    int last;      /* of a number */
    const char *legal;
    int first; /* of a number */
} options_table[] = {
    {"transport", "HX_TRANSPORT", OPTION_TRANSPORT, offsetof(hx_options, transport), 0, NULL, 0},
    {"schedule", "HX_SCHEDULE", OPTION_SCHEDULE, offsetof(hx_options, schedule), 0, NULL, 0},
    {"deadline", "HX_DEADLINE", OPTION_DEADLINE, offsetof(hx_options, deadline), 0, NULL, 0},
    {"check", "HX_CHECK", OPTION_NUMBER, offsetof(hx_options, check), 1, "0 or 1", 0},
    {"timing", "HX_TIMING", OPTION_NUMBER, offsetof(hx_options, timing), 1, "0 or 1", 0},
    {"deadline_exit", "HX_DEADLINE_EXIT", OPTION_NUMBER, offsetof(hx_options, deadline_exit), 1, "0 or 1", 0},
    {"share_buffers", "HX_SHARE_BUFFERS", OPTION_NUMBER, offsetof(hx_options, share_buffers), 1, "0 or 1", 0},
    {"tune", "HX_TUNE", OPTION_NUMBER, offsetof(hx_options, tune), 1, "0 or 1", 0},
    {"tune_file", "HX_TUNE_FILE", OPTION_TEXT, offsetof(hx_options, tune_file), 0, NULL, 0},
    {"device_messages", "HX_DEVICE_MESSAGES", OPTION_MESSAGES, offsetof(hx_options, device_messages), 0, NULL,
     0},
    {"keep_errhandler", "HX_KEEP_ERRHANDLER", OPTION_NUMBER, offsetof(hx_options, keep_errhandler), 1,
     "0 or 1", 0},
    {"cycles", "HX_CYCLES", OPTION_NUMBER, offsetof(hx_options, cycles), 64, "0 (measured) to 64", 0},
    {"log_level", "HX_LOG", OPTION_NUMBER, offsetof(hx_options, log_level), HX_LOG_INFO,
     "0 (none), 1 (warning) or 2 (info)", 0},
    {"threads", "HX_THREADS", OPTION_NUMBER, offsetof(hx_options, threads), HX_MOST_THREADS, "1 to 256", 1},
};

enum { OPTIONS_IN_TABLE = sizeof options_table / sizeof options_table[0] };

/* Replaces one option by its environment variable, if there is one. */
static hx_status read_environment(const struct option *option, hx_options *options)
{
    const char *value = getenv(option->variable);
    if (!value || value[0] == '\0' || option->kind == OPTION_DEADLINE) {
        return HX_OK;
    }
    char *place = (char *)options + option->offset;
    char *end = NULL;
    bool whole = true;
    if (option->kind <= OPTION_TEXT) {
        memcpy(place, &value, sizeof value);
    } else {
        const long number = strtol(value, &end, 10);
        const int small = number < option->first || number > option->last ? -1 : (int)number;
        memcpy(place, &small, sizeof small);
        whole = *end == '\0';
    }
    if (!whole) {
        return hxi_fail(HX_ERR_ARGUMENT, "The environment variable %s is \"%s\"; the option %s takes %s.",
                        option->variable, value, option->name, option->legal);
    }
    return HX_OK;
}

static bool is_auto(const char *given)
{
    return given && strcmp(given, "auto") == 0;
}

/* what: it is a name of; choice: the names that there are. */
static hx_status refuse_name(const struct option *option, const char *what, const char *name,
                             const char *choice)
{
    return hxi_fail(HX_ERR_ARGUMENT, "There is no %s \"%s\" (option %s, or %s); choose %s.", what,
                    name ? name : "(null)", option->name, option->variable, choice);
}

static hx_status check_transport(const struct option *option, hx_options *options)
{
    char names[HX_SENTENCE / 4];
    const hxi_transport *transport = hxi_transport_named(options->transport);
    if (!transport && options->transport && strcmp(options->transport, HX_TRANSPORT_MIXED) == 0) {
        return HX_OK;
    }
    if (!transport) {
        return refuse_name(option, "transport", options->transport, hxi_transport_names(names, sizeof names));
    }
    options->transport = transport->name;
    return HX_OK;
}

/* Names of ours in place of those given, which may be gone when a handle like this one is made. */
static hx_status check_schedule(const struct option *option, hx_options *options)
{
    char names[HX_SENTENCE / 4];
    hxi_schedule schedule;
    if (!hxi_schedule_named(options->schedule, &schedule)) {
        return refuse_name(option, "schedule", options->schedule, hxi_schedule_names(names, sizeof names));
    }
    options->schedule = hxi_schedule_name(schedule);
    return HX_OK;
}

static hx_status check_messages(const struct option *option, hx_options *options)
{
    char names[HX_SENTENCE / 4];
    hxi_messages messages;
    if (!hxi_messages_named(options->device_messages, &messages)) {
        return refuse_name(option, "way for messages of devices", options->device_messages,
                           hxi_messages_names(names, sizeof names));
    }
    options->device_messages = hxi_messages_name(messages);
    return HX_OK;
}

static hx_status check_value(const struct option *option, hx_options *options)
{
    const char *place = (const char *)options + option->offset;
    if (option->kind == OPTION_TRANSPORT) {
        return check_transport(option, options);
    }
    if (option->kind == OPTION_SCHEDULE) {
        return check_schedule(option, options);
    }
    if (option->kind == OPTION_MESSAGES) {
        return check_messages(option, options);
    }
    if (option->kind == OPTION_TEXT) {
        return HX_OK;
    }
    if (option->kind == OPTION_DEADLINE) {
        return hxi_environment_deadline(&options->deadline);
    }
    int number;
    memcpy(&number, place, sizeof number);
    if (number >= option->first && number <= option->last) {
        return HX_OK;
    }
    return hxi_fail(HX_ERR_ARGUMENT, "The option %s (or %s) is out of range; it takes %s.", option->name,
                    option->variable, option->legal);
}

/* Where the options of version 1 end.  Programs compiled against them know of no more. */
enum { SMALLEST = offsetof(hx_options, schedule) + sizeof(char *) };

/* What was given, over the defaults of what the program did not know of. */
static hx_status take_given(const hx_options *given, hx_options *resolved)
{
    if (given->version != HX_OPTIONS_VERSION || given->size < SMALLEST || given->size > sizeof *resolved) {
        return hxi_fail(
            HX_ERR_ARGUMENT,
            "The options are of version %d and %zu bytes; this libhx knows version %d of %zu to %zu bytes.  "
            "Start from HX_OPTIONS_INIT, and do not compile with headers newer than the libhx in use.",
            given->version, given->size, HX_OPTIONS_VERSION, (size_t)SMALLEST, sizeof *resolved);
    }
    memcpy(resolved, given, given->size);
    resolved->size = sizeof *resolved;
    return HX_OK;
}

static bool is_overridden(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] != '\0';
}

hx_status hxi_options_resolve(const hx_options *given, hx_options *resolved, hxi_reasons *why)
{
    *resolved = (hx_options)HX_OPTIONS_INIT;
    if (given) {
        const hx_status status = take_given(given, resolved);
        if (status != HX_OK) {
            return status;
        }
    }
    why->transport = is_overridden("HX_TRANSPORT")  ? "environment variable HX_TRANSPORT"
                     : is_auto(resolved->transport) ? "the default"
                                                    : "option transport";
    why->schedule = is_overridden("HX_SCHEDULE")  ? "environment variable HX_SCHEDULE"
                    : is_auto(resolved->schedule) ? "the default"
                                                  : "option schedule";
    why->messages = is_overridden("HX_DEVICE_MESSAGES")  ? "environment variable HX_DEVICE_MESSAGES"
                    : is_auto(resolved->device_messages) ? "the default"
                                                         : "option device_messages";
    const char *transport = is_overridden("HX_TRANSPORT") ? getenv("HX_TRANSPORT") : resolved->transport;
    why->any_transport = is_auto(transport);
    for (int i = 0; i < OPTIONS_IN_TABLE; ++i) {
        hx_status status = read_environment(&options_table[i], resolved);
        if (status == HX_OK) {
            status = check_value(&options_table[i], resolved);
        }
        if (status != HX_OK) {
            return status;
        }
    }
    if (resolved->team && !resolved->team->run) {
        return hxi_fail(HX_ERR_ARGUMENT,
                        "The option team has no function run; give one, or leave team NULL.");
    }
    return HX_OK;
}

static bool is_known(const char *variable, size_t length)
{
    for (int i = 0; i < OPTIONS_IN_TABLE; ++i) {
        const char *name = options_table[i].variable;
        if (strlen(name) == length && memcmp(name, variable, length) == 0) {
            return true;
        }
    }
    /* No options: see asked.h, audits.h, observe/trace.h, observe/waits.h and device/nccl.c. */
    static const char *const others[] = {"HX_DESCRIBE",        "HX_AUDIT",       "HX_POISON",
                                         "HX_STATS",           "HX_TRACE",       "HX_TRACE_EVENTS",
                                         "HX_DEADLINE_REPORT", "HX_NCCL_LIBRARY"};
    bool known = false;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        known = known || (strlen(others[i]) == length && memcmp(others[i], variable, length) == 0);
    }
    return known;
}

extern char **environ;

void hxi_options_warn(const hx_options *options)
{
    for (char **entry = environ; entry && *entry; ++entry) {
        const size_t length = strcspn(*entry, "=");
        if (strncmp(*entry, "HX_", 3) == 0 && !is_known(*entry, length)) {
            hxi_log(options, HX_LOG_WARNING, "the environment variable %.*s is not one that libhx knows",
                    (int)length, *entry);
        }
    }
}
