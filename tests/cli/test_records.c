/* Records through a pipe: what is sent arrives, and nothing else is believed. */
#include "check.h"

#include "child/confine.h"
#include "child/records.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* In a build that counts lines only exit stores the counts. */
_Noreturn void __wrap__exit(int status);

_Noreturn void __wrap__exit(int status)
{
    exit(status);
}

struct channel {
    int read, write;
};

static struct channel open_channel(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    return (struct channel){ends[0], ends[1]};
}

static void what_is_sent_arrives(void **state)
{
    (void)state;
    struct channel channel = open_channel();
    hg_record sent = {
        .kind = RECORD_DIAG,
        .numbers = {1, 2, 3, 4},
        .texts = {{"HG1", 3, 0}, {NULL, 0, 0}, {"a\0b", 3, 0}, {"help", 4, 0}},
    };
    hg_record received;
    record_send(channel.write, &sent);
    close(channel.write);
    assert_int_equal(record_receive(channel.read, 0, &received), RECORD_RECEIVED);
    assert_int_equal(received.kind, RECORD_DIAG);
    assert_int_equal(received.numbers[3], 4);
    assert_string_equal(received.texts[0].bytes, "HG1");
    assert_string_equal(received.texts[1].bytes, "");
    assert_memory_equal(received.texts[2].bytes, "a\0b", 4);
    record_free(&received);
    assert_int_equal(record_receive(channel.read, 0, &received), RECORD_NONE);
    close(channel.read);
}

static void who_cannot_send_ends(void **state)
{
    (void)state;
    struct channel channel = open_channel();
    pid_t child = fork();
    if (child == 0) {
        static const hg_record end = {.kind = RECORD_END};
        record_send(channel.read, &end);
        exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    close(channel.read);
    close(channel.write);
}

static void a_record_that_breaks_off_is_none(void **state)
{
    (void)state;
    static const uint32_t header[9] = {RECORD_PRINT, 0, 0, 0, 0, 100};
    struct channel channel = open_channel();
    hg_record received;
    assert_int_equal(write(channel.write, header, sizeof header), sizeof header);
    close(channel.write);
    assert_int_equal(record_receive(channel.read, 0, &received), RECORD_NONE);
    close(channel.read);
}

/* Headers as a child might forge them: kind, four numbers, four sizes. */
static void forged_records_are_refused(void **state)
{
    (void)state;
    static const uint32_t headers[][9] = {
        {RECORD_KINDS},
        {UINT32_MAX},
        {RECORD_PRINT, 0, 0, 0, 0, PRINT_BYTES_MAX + 1},
        {RECORD_OUTPUT, 0, 0, 0, 0, NAME_MAX_BYTES + 1},
        {RECORD_OUTPUT, 0, 0, 0, 0, 1, UINT32_MAX},
        {RECORD_DIAG, 0, 0, 0, 0, 0, 0, MESSAGE_MAX + 1},
        {RECORD_END, 0, 0, 0, 0, 1},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; ++i) {
        struct channel channel = open_channel();
        hg_record received;
        assert_int_equal(write(channel.write, headers[i], sizeof headers[i]), sizeof headers[i]);
        close(channel.write);
        assert_int_equal(record_receive(channel.read, 0, &received), RECORD_CORRUPT);
        close(channel.read);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_sent_arrives),
        cmocka_unit_test(who_cannot_send_ends),
        cmocka_unit_test(a_record_that_breaks_off_is_none),
        cmocka_unit_test(forged_records_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
