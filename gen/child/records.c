#include "child/records.h"

#include "child/confine.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct hg_header {
    uint32_t kind, numbers[RECORD_NUMBERS], sizes[RECORD_TEXTS];
} hg_header;

/* The longest texts that each kind may have. */
static const uint32_t bounds[RECORD_KINDS][RECORD_TEXTS] = {
    [RECORD_SOURCE] = {MESSAGE_MAX, SOURCE_BYTES_MAX},
    [RECORD_DIAG] = {MESSAGE_MAX, MESSAGE_MAX, MESSAGE_MAX, MESSAGE_MAX},
    [RECORD_NOTE] = {MESSAGE_MAX, MESSAGE_MAX, MESSAGE_MAX, MESSAGE_MAX},
    [RECORD_FIX] = {MESSAGE_MAX, MESSAGE_MAX},
    [RECORD_OUTPUT] = {NAME_MAX_BYTES, OUTPUT_BYTES_MAX},
    [RECORD_PRINT] = {PRINT_BYTES_MAX},
    [RECORD_LIMIT] = {MESSAGE_MAX},
    [RECORD_INTERNAL] = {TRACE_MAX},
};

static void send_bytes(int pipe, const void *bytes, size_t length)
{
    for (const char *at = bytes; length > 0;) {
        ssize_t count = write(pipe, at, length);
        if (count < 0 && errno != EINTR) {
            _exit(1);
        }
        if (count > 0) {
            at += count;
            length -= (size_t)count;
        }
    }
}

void record_send(int pipe, const hg_record *record)
{
    hg_header header = {.kind = record->kind};
    for (int i = 0; i < RECORD_NUMBERS; ++i) {
        header.numbers[i] = record->numbers[i];
    }
    for (int i = 0; i < RECORD_TEXTS; ++i) {
        header.sizes[i] = (uint32_t)record->texts[i].length;
    }
    send_bytes(pipe, &header, sizeof header);
    for (int i = 0; i < RECORD_TEXTS; ++i) {
        send_bytes(pipe, record->texts[i].bytes, record->texts[i].length);
    }
}

static bool is_stopped(pid_t child)
{
    siginfo_t found = {0};
    return child > 0 && waitid(P_PID, (id_t)child, &found, WSTOPPED | WNOHANG | WNOWAIT) == 0 &&
           found.si_pid == child;
}

/* Waits until there is something to read.  false: the sender is stopped, and was so at every look. */
static bool wait_for_sender(int pipe, pid_t sender)
{
    struct pollfd ready = {.fd = pipe, .events = POLLIN};
    for (int stopped = 0; stopped < patient(STOPPED_SECONDS);) {
        if (poll(&ready, 1, 1000) != 0) {
            return true;
        }
        stopped = is_stopped(sender) ? stopped + 1 : 0;
    }
    return false;
}

static hg_record_result receive_bytes(int pipe, pid_t sender, void *bytes, size_t length)
{
    for (char *at = bytes; length > 0;) {
        if (!wait_for_sender(pipe, sender)) {
            return RECORD_STOPPED;
        }
        ssize_t count = read(pipe, at, length);
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return RECORD_NONE;
        }
        if (count > 0) {
            at += count;
            length -= (size_t)count;
        }
    }
    return RECORD_RECEIVED;
}

static bool is_within_bounds(const hg_header *header)
{
    if (header->kind >= RECORD_KINDS) {
        return false;
    }
    for (int i = 0; i < RECORD_TEXTS; ++i) {
        if (header->sizes[i] > bounds[header->kind][i]) {
            return false;
        }
    }
    return true;
}

hg_record_result record_receive(int pipe, pid_t sender, hg_record *record)
{
    hg_header header;
    hg_record_result result = receive_bytes(pipe, sender, &header, sizeof header);
    if (result != RECORD_RECEIVED) {
        return result;
    }
    if (!is_within_bounds(&header)) {
        return RECORD_CORRUPT;
    }
    *record = (hg_record){.kind = (hg_record_kind)header.kind};
    for (int i = 0; i < RECORD_NUMBERS; ++i) {
        record->numbers[i] = header.numbers[i];
    }
    for (int i = 0; i < RECORD_TEXTS && result == RECORD_RECEIVED; ++i) {
        text_fill(&record->texts[i], '\0', header.sizes[i]);
        result = receive_bytes(pipe, sender, record->texts[i].bytes, header.sizes[i]);
    }
    if (result != RECORD_RECEIVED) {
        record_free(record);
    }
    return result;
}

void record_free(hg_record *record)
{
    for (int i = 0; i < RECORD_TEXTS; ++i) {
        text_free(&record->texts[i]);
    }
}
