/*
 * What auto makes of figures; and the file that keeps them, whole, damaged, missing, refused, and written by
 * several at once.
 */
#define _DEFAULT_SOURCE /* mkdtemp, seteuid */
#include "create/tune.h"

#include "base/status.h"
#include "create/tune_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- the rule ------------------------------------------------------------------------------------------ */

static void expect_choice(int expected, const int64_t figure[], int count)
{
    assert_int_equal(hxi_tune_choose(figure, count), expected);
}

static void the_fastest_is_taken(void **state)
{
    (void)state;
    expect_choice(0, (int64_t[]){1000}, 1);
    expect_choice(0, (int64_t[]){1000, 2000, 3000}, 3);
    expect_choice(2, (int64_t[]){3000, 2000, 1000}, 3);
    expect_choice(1, (int64_t[]){3000, 1000, 2000}, 3);
    expect_choice(1, (int64_t[]){100, 1}, 2);
    expect_choice(1, (int64_t[]){INT64_C(4000000000000000), INT64_C(3000000000000000)}, 2);
}

static void the_default_stays_unless_another_is_better_by_5_percent(void **state)
{
    (void)state;
    expect_choice(0, (int64_t[]){1000, 1000}, 2);
    expect_choice(0, (int64_t[]){1000, 951}, 2);
    expect_choice(1, (int64_t[]){1000, 950}, 2);
    expect_choice(0, (int64_t[]){20, 20, 20, 20}, 4);
    expect_choice(0, (int64_t[]){1000, 960, 951, 970}, 4);
}

static void of_equal_ones_the_first_is_taken(void **state)
{
    (void)state;
    expect_choice(1, (int64_t[]){1000, 500, 500, 500}, 4);
    expect_choice(2, (int64_t[]){1000, 700, 500, 500}, 4);
}

static void what_was_not_measured_is_not_taken(void **state)
{
    (void)state;
    expect_choice(0, (int64_t[]){1000, 0, 0, 0}, 4);
    expect_choice(3, (int64_t[]){1000, 0, 0, 500, 0}, 5);
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static char directory[64];
static char path[96];
static char said[4 * HX_SENTENCE];

static void keep_line(void *context, int level, const char *line)
{
    (void)context;
    assert_int_equal(level, HX_LOG_WARNING);
    snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", line);
}

static hx_options options_of(const char *file)
{
    hx_options options = HX_OPTIONS_INIT;
    options.tune_file = file;
    options.log = keep_line;
    options.log_level = HX_LOG_WARNING;
    return options;
}

static int make_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/hx-tune-XXXXXX");
    snprintf(path, sizeof path, "%s/figures", mkdtemp(directory) ? directory : "/nowhere");
    said[0] = '\0';
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    chmod(directory, S_IRWXU);
    remove(path);
    return rmdir(directory);
}

/* Besides the file nothing is left. */
static int count_names(void)
{
    int names = 0;
    DIR *open = opendir(directory);
    assert_non_null(open);
    for (const struct dirent *entry = readdir(open); entry; entry = readdir(open)) {
        names += entry->d_name[0] != '.';
    }
    closedir(open);
    return names;
}

static hxi_tune_entry entry_of(const char *key, const char *transport)
{
    hxi_tune_entry entry = {.found = false};
    snprintf(entry.key, sizeof entry.key, "%s", key);
    snprintf(entry.transport, sizeof entry.transport, "%s", transport);
    snprintf(entry.schedule, sizeof entry.schedule, "one-phase");
    snprintf(entry.figures, sizeof entry.figures, "%s 1.5 us", transport);
    return entry;
}

static void store(const char *key, const char *transport)
{
    const hx_options options = options_of(path);
    const hxi_tune_entry entry = entry_of(key, transport);
    hxi_tune_file_write(&options, &entry, 1);
}

/* The transport that the file has for a key; "" for none. */
static const char *find(const char *key)
{
    static hxi_tune_entry entry;
    const hx_options options = options_of(path);
    entry = (hxi_tune_entry){.found = false};
    snprintf(entry.key, sizeof entry.key, "%s", key);
    hxi_tune_file_read(&options, &entry, 1);
    assert_int_equal(entry.found, entry.transport[0] != '\0');
    return entry.transport;
}

static void write_bytes(const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void write_text(const char *text)
{
    write_bytes(text, strlen(text));
}

static void expect_text(const char *expected)
{
    char text[4096] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void expect_said(const char *part)
{
    if (!strstr(said, part)) {
        fail_msg("\"%s\" does not say \"%s\"", said, part);
    }
}

static void what_was_written_is_read(void **state)
{
    (void)state;
    const hx_options options = options_of(path);
    hxi_tune_entry entry[3] = {entry_of("channel, 2 ranks", "shared"), entry_of("", ""),
                               entry_of("channel, 4 ranks", "p2p")};
    hxi_tune_file_write(&options, entry, 3);
    hxi_tune_entry read[3] = {{.key = "channel, 4 ranks"}, {.key = "channel, 3 ranks"}, {.key = ""}};
    assert_true(hxi_tune_file_read(&options, read, 3));
    assert_true(read[0].found);
    assert_string_equal(read[0].transport, "p2p");
    assert_string_equal(read[0].schedule, "one-phase");
    assert_string_equal(read[0].figures, "p2p 1.5 us");
    assert_false(read[1].found);
    assert_false(read[2].found);
    assert_string_equal(find("channel, 2 ranks"), "shared");
    assert_string_equal(said, "");
    assert_int_equal(count_names(), 1);
}

static void a_new_entry_takes_the_place_of_the_old_one(void **state)
{
    (void)state;
    write_text("# mine\n\na\tshared\tone-phase\tx\nb\tp2p\tone-phase\ty\n");
    store("a", "persistent");
    expect_text("# mine\n\nb\tp2p\tone-phase\ty\na\tpersistent\tone-phase\tpersistent 1.5 us\n");
    assert_string_equal(find("a"), "persistent");
    assert_string_equal(find("b"), "p2p");
    assert_string_equal(said, "");
}

static void a_file_that_is_not_there_is_made(void **state)
{
    (void)state;
    assert_string_equal(find("a"), "");
    assert_string_equal(said, "");
    assert_int_equal(count_names(), 0);
    store("a", "shared");
    assert_string_equal(find("a"), "shared");
    assert_string_equal(said, "");
}

/* Each in a line of its own, with a good one before and behind; and all of them are kept. */
static void damaged_lines_are_named_and_left_alone(void **state)
{
    (void)state;
    static const char *const damaged[] = {"a",
                                          "a\tshared",
                                          "a\tshared\tone-phase",
                                          "a\tshared\tone-phase\t",
                                          "\tshared\tone-phase\tx",
                                          "a\t\tone-phase\tx",
                                          "a\tshared\tone-phase\tx\ty",
                                          "\xff\xfe",
                                          "\t\t\t",
                                          "a\ta transport whose name is longer than all\tone-phase\tx"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; ++i) {
        char text[256];
        snprintf(text, sizeof text, "b\tp2p\tone-phase\tx\n%s\nc\tshared\tone-phase\tx\n", damaged[i]);
        write_text(text);
        said[0] = '\0';
        assert_string_equal(find("a"), "");
        expect_said("/figures:2: not what was measured");
        assert_null(strstr(said, ":1:"));
        assert_null(strstr(said, ":3:"));
        assert_string_equal(find("b"), "p2p");
        assert_string_equal(find("c"), "shared");
        store("d", "p2p");
        char after[512];
        snprintf(after, sizeof after, "%sd\tp2p\tone-phase\tp2p 1.5 us\n", text);
        expect_text(after);
    }
}

static void a_line_with_a_zero_byte_is_damaged(void **state)
{
    (void)state;
    static const char text[] = "a\tsha\0red\tone-phase\tx\nb\tp2p\tone-phase\tx\n";
    write_bytes(text, sizeof text - 1);
    assert_string_equal(find("a"), "");
    expect_said("/figures:1: ");
    assert_string_equal(find("b"), "p2p");
}

static void a_file_that_ends_within_a_line_is_good_up_to_it(void **state)
{
    (void)state;
    static const char text[] = "# What libhx measured\na\tshared\tone-phase\tx\nb\tp2p\tone-phase\ty\n";
    for (size_t length = 22; length < sizeof text; ++length) {
        write_bytes(text, length);
        assert_string_equal(find("a"), length >= 42 ? "shared" : "");
        store("c", "persistent");
        assert_string_equal(find("c"), "persistent");
        assert_string_equal(find("a"), length >= 42 ? "shared" : "");
        assert_string_equal(find("b"), length >= 60 ? "p2p" : "");
    }
}

static void files_of_others_and_links_are_left_alone(void **state)
{
    (void)state;
    static const char *const others[] = {"dear diary\n", "# mine\n", "a\tb\n", "x"};
    for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
        write_text(others[i]);
        said[0] = '\0';
        store("a", "shared");
        expect_said("was not written by libhx, and is left as it is; name another file");
        expect_text(others[i]);
    }
    static const char entry[] = "b\tp2p\tone-phase\tx\n";
    write_text(entry);
    char other[128];
    struct stat found;
    snprintf(other, sizeof other, "%s/other", directory);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    assert_string_equal(find("b"), "p2p");
    said[0] = '\0';
    store("a", "shared");
    expect_said("figures is a symbolic link, which is not replaced; name the file itself.");
    expect_text(entry);
    assert_int_equal(lstat(path, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(remove(other), 0);
}

/* Whatever a byte becomes, the other lines are what they were. */
static void a_changed_byte_spoils_one_line(void **state)
{
    (void)state;
    static const char text[] = "a\tshared\tone-phase\tx\nb\tp2p\tone-phase\ty\nc\tshared\tone-phase\tz\n";
    for (size_t at = 21; at < 38; ++at) {
        for (int byte = 0; byte < 256; byte += 5) {
            char spoilt[sizeof text];
            memcpy(spoilt, text, sizeof text);
            spoilt[at] = (char)byte;
            write_bytes(spoilt, sizeof text - 1);
            said[0] = '\0';
            assert_string_equal(find("c"), "shared");
            assert_string_equal(find("a"), "shared");
        }
    }
}

static void what_is_no_file_is_not_used(void **state)
{
    (void)state;
    const hx_options options = options_of(directory);
    const hxi_tune_entry entry = entry_of("a", "shared");
    hxi_tune_entry read = entry;
    assert_false(hxi_tune_file_read(&options, &read, 1));
    expect_said("is no file");
    said[0] = '\0';
    hxi_tune_file_write(&options, &entry, 1);
    expect_said("is no file");
    said[0] = '\0';
    assert_int_equal(mkfifo(path, S_IRUSR | S_IWUSR), 0); /* who opens it waits for ever */
    assert_string_equal(find("a"), "");
    store("a", "shared");
    expect_said("is no file");
    assert_int_equal(count_names(), 1);
}

static void too_long_a_file_is_not_used(void **state)
{
    (void)state;
    write_text("a\tshared\tone-phase\tx\n");
    assert_int_equal(truncate(path, (off_t)1 << 25), 0);
    assert_string_equal(find("a"), "");
    expect_said("at most 16777216 bytes");
}

/* Of root nothing is kept out, so root is somebody else meanwhile. */
static void a_directory_that_is_read_only_is_a_warning(void **state)
{
    (void)state;
    write_text("a\tshared\tone-phase\tx\n");
    chmod(path, S_IRUSR | S_IRGRP | S_IROTH);
    chmod(directory, S_IRUSR | S_IXUSR | S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH);
    const uid_t user = geteuid();
    if (user == 0 && seteuid(65534) != 0) {
        print_message("skipped: root cannot become another user here\n");
        skip();
    }
    store("a", "p2p");
    const char *found = find("a");
    assert_int_equal(seteuid(user), 0);
    assert_string_equal(found, "shared");
    expect_said("cannot be written: Permission denied");
    expect_text("a\tshared\tone-phase\tx\n");
    assert_int_equal(count_names(), 1);
}

static void a_directory_that_is_not_there_is_a_warning(void **state)
{
    (void)state;
    const hx_options options = options_of("/tmp/hx-tune-nowhere/figures");
    const hxi_tune_entry entry = entry_of("a", "shared");
    hxi_tune_entry read = entry;
    assert_true(hxi_tune_file_read(&options, &read, 1));
    assert_false(read.found);
    assert_string_equal(said, "");
    hxi_tune_file_write(&options, &entry, 1);
    expect_said("/tmp/hx-tune-nowhere/figures");
    expect_said("cannot be written: No such file or directory");
}

/* As where a process has all the files open that it may have. */
static void what_cannot_be_opened_is_a_warning(void **state)
{
    (void)state;
    write_text("a\tshared\tone-phase\tx\n");
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    const struct rlimit none = {.rlim_cur = 0, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    const char *found = find("a");
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
    assert_string_equal(found, "");
    expect_said("cannot be read: Too many open files");
    expect_text("a\tshared\tone-phase\tx\n");
}

/* As on a disk that is full: the old file stays, and nothing beside it. */
static void what_cannot_be_written_whole_is_not_kept(void **state)
{
    (void)state;
    write_text("a\tshared\tone-phase\tx\n");
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    const struct rlimit few = {.rlim_cur = 10, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    store("a", "p2p");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, before);
    expect_said("cannot be written: File too large");
    expect_text("a\tshared\tone-phase\tx\n");
    assert_int_equal(count_names(), 1);
}

/* Each stores its own keys again and again, and never reads a damaged line. */
static void store_many(int writer)
{
    for (int i = 0; i < 50; ++i) {
        char key[32];
        snprintf(key, sizeof key, "writer %d, entry %d", writer, i % 5);
        store(key, "shared");
        find(key);
    }
}

static void several_may_write_at_once(void **state)
{
    (void)state;
    enum { WRITERS = 4 };
    write_text("before\tp2p\tone-phase\tx\n");
    pid_t child[WRITERS];
    for (int w = 0; w < WRITERS; ++w) {
        child[w] = fork();
        if (child[w] == 0) {
            store_many(w);
            _exit(said[0] != '\0');
        }
    }
    for (int w = 0; w < WRITERS; ++w) {
        int status = -1;
        assert_int_equal(waitpid(child[w], &status, 0), child[w]);
        assert_int_equal(status, 0);
    }
    assert_string_equal(find("before"), "p2p");
    assert_string_equal(said, "");
    assert_int_equal(count_names(), 1);
}

#define with_directory(test) cmocka_unit_test_setup_teardown(test, make_directory, remove_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_is_taken),
        cmocka_unit_test(the_default_stays_unless_another_is_better_by_5_percent),
        cmocka_unit_test(of_equal_ones_the_first_is_taken),
        cmocka_unit_test(what_was_not_measured_is_not_taken),
        with_directory(what_was_written_is_read),
        with_directory(a_new_entry_takes_the_place_of_the_old_one),
        with_directory(a_file_that_is_not_there_is_made),
        with_directory(damaged_lines_are_named_and_left_alone),
        with_directory(a_line_with_a_zero_byte_is_damaged),
        with_directory(a_file_that_ends_within_a_line_is_good_up_to_it),
        with_directory(files_of_others_and_links_are_left_alone),
        with_directory(a_changed_byte_spoils_one_line),
        with_directory(what_is_no_file_is_not_used),
        with_directory(too_long_a_file_is_not_used),
        with_directory(a_directory_that_is_read_only_is_a_warning),
        with_directory(a_directory_that_is_not_there_is_a_warning),
        with_directory(what_cannot_be_written_whole_is_not_kept),
        with_directory(what_cannot_be_opened_is_a_warning),
        with_directory(several_may_write_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
