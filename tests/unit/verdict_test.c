/*
 * The file of verdicts: where it is, and what is read of it and written to it, whole, damaged, missing,
 * refused, and written by several at once.
 */
#define _DEFAULT_SOURCE /* mkdtemp, seteuid */
#include "device/probe_result.h"

#include "base/status.h"

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

static char directory[64];
static char path[96];

static int make_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/hx-verdict-XXXXXX");
    snprintf(path, sizeof path, "%s/verdicts", mkdtemp(directory) ? directory : "/nowhere");
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    chmod(directory, S_IRWXU);
    remove(path);
    return rmdir(directory);
}

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

static void expect_bytes(const char *expected, size_t length)
{
    static char text[1 << 15];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text, file), length);
    fclose(file);
    assert_memory_equal(text, expected, length);
}

static void expect_text(const char *expected)
{
    expect_bytes(expected, strlen(expected));
}

static hx_status note(hx_verdict verdict, const char *host, const char *mpi)
{
    return hx_verdict_write(path, verdict, 1, &host, mpi);
}

static void expect_refused(const char *words)
{
    assert_int_equal(note(HX_VERDICT_YES, "a", "mpi 1"), HX_ERR_ARGUMENT);
    if (!strstr(hx_last_error(), words)) {
        fail_msg("\"%s\" does not say \"%s\"", hx_last_error(), words);
    }
}

static hx_verdict find(const char *host, const char *mpi)
{
    return hx_verdict_read(path, host, mpi);
}

/* ---- where it is --------------------------------------------------------------------------------------- */

static void expect_place(const char *given, const char *cache, const char *home, const char *expected)
{
    char place[HX_VERDICT_PATH];
    cache ? setenv("XDG_CACHE_HOME", cache, 1) : unsetenv("XDG_CACHE_HOME");
    home ? setenv("HOME", home, 1) : unsetenv("HOME");
    const char *found = hx_verdict_path(given, place);
    if (expected) {
        assert_non_null(found);
        assert_string_equal(found, expected);
    } else {
        assert_null(found);
    }
}

static void the_file_is_where_the_user_says_or_in_a_cache(void **state)
{
    (void)state;
    char longest[HX_VERDICT_PATH + 1];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    expect_place("mine", "/cache", "/home/me", "mine");
    expect_place("", "/cache", "/home/me", "/cache/hx/verdicts");
    expect_place(NULL, "/cache", NULL, "/cache/hx/verdicts");
    expect_place(NULL, "not/absolute", "/home/me", "/home/me/.cache/hx/verdicts");
    expect_place(NULL, NULL, "/home/me", "/home/me/.cache/hx/verdicts");
    expect_place(NULL, NULL, "home", NULL);
    expect_place(NULL, NULL, NULL, NULL);
    expect_place(longest, "/cache", "/home/me", NULL);
    assert_int_equal(hx_verdict_read(NULL, "a", "mpi 1"), HX_VERDICT_NONE);
}

/* ---- what is read -------------------------------------------------------------------------------------- */

static void what_was_written_is_read(void **state)
{
    (void)state;
    static const char *const hosts[] = {"a", "b"};
    assert_int_equal(find("a", "mpi 1"), HX_VERDICT_NONE);
    assert_int_equal(hx_verdict_write(path, HX_VERDICT_NO, 2, hosts, "mpi 1"), HX_OK);
    assert_int_equal(find("a", "mpi 1"), HX_VERDICT_NO);
    assert_int_equal(find("b", "mpi 1"), HX_VERDICT_NO);
    assert_int_equal(note(HX_VERDICT_YES, "b", "mpi 1"), HX_OK);
    assert_int_equal(note(HX_VERDICT_INSISTED, "b", "mpi 2"), HX_OK);
    assert_int_equal(find("a", "mpi 1"), HX_VERDICT_NO);
    assert_int_equal(find("b", "mpi 1"), HX_VERDICT_YES);
    assert_int_equal(find("b", "mpi 2"), HX_VERDICT_INSISTED);
    expect_text("no\ta\tmpi 1\nyes\tb\tmpi 1\ninsisted\tb\tmpi 2\n");
    assert_int_equal(count_names(), 1);
}

/* Of another machine, another MPI, another version of it, and of those whose names begin alike. */
static void other_verdicts_are_of_no_concern(void **state)
{
    (void)state;
    write_text("yes\thost\tOpen MPI v4.1.4 (0123)\nno\thost1\tOpen MPI v4.1.4 (0123)\n");
    assert_int_equal(find("host", "Open MPI v4.1.4 (0123)"), HX_VERDICT_YES);
    assert_int_equal(find("hos", "Open MPI v4.1.4 (0123)"), HX_VERDICT_NONE);
    assert_int_equal(find("host2", "Open MPI v4.1.4 (0123)"), HX_VERDICT_NONE);
    assert_int_equal(find("host", "Open MPI v4.1.5 (0123)"), HX_VERDICT_NONE);
    assert_int_equal(find("host", "Open MPI v4.1.4 (0124)"), HX_VERDICT_NONE);
    assert_int_equal(find("host", "Open MPI v4.1.4 (0123"), HX_VERDICT_NONE);
    assert_int_equal(find("host", "MPICH 4.0 (0123)"), HX_VERDICT_NONE);
}

static void of_several_the_last_counts(void **state)
{
    (void)state;
    write_text("yes\ta\tmpi 1\nno\ta\tmpi 1\n");
    assert_int_equal(find("a", "mpi 1"), HX_VERDICT_NO);
    write_text("no\ta\tmpi 1\nyes\ta\tmpi 1\nyes\ta\tmpi 2");
    assert_int_equal(find("a", "mpi 1"), HX_VERDICT_YES);
    assert_int_equal(find("a", "mpi 2"), HX_VERDICT_YES);
    assert_int_equal(note(HX_VERDICT_NO, "a", "mpi 1"), HX_OK);
    expect_text("yes\ta\tmpi 2\nno\ta\tmpi 1\n");
}

/* None of these is one, and all of them are kept. */
static void damaged_lines_are_left_alone(void **state)
{
    (void)state;
    static const char *const damaged[] = {"yes",
                                          "yes\ta",
                                          "yes a mpi 1",
                                          "YES\ta\tmpi 1",
                                          "\ta\tmpi 1",
                                          "yess\ta\tmpi 1",
                                          "\xff\xfe",
                                          "yes\ta\tmpi 1\r",
                                          "# yes\ta\tmpi 1",
                                          " yes\ta\tmpi 1",
                                          "yes\ta\tmpi 1\t",
                                          ""};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; ++i) {
        char text[256];
        char after[512];
        snprintf(text, sizeof text, "no\tb\tmpi 1\n%s\nyes\tc\tmpi 1\n", damaged[i]);
        write_text(text);
        assert_int_equal(find("a", "mpi 1"), HX_VERDICT_NONE);
        assert_int_equal(find("b", "mpi 1"), HX_VERDICT_NO);
        assert_int_equal(find("c", "mpi 1"), HX_VERDICT_YES);
        assert_int_equal(note(HX_VERDICT_NO, "d", "mpi 1"), HX_OK);
        snprintf(after, sizeof after, "%sno\td\tmpi 1\n", text);
        expect_text(after);
    }
}

/* Whatever a byte becomes, the other line is what it was, and "no" never becomes "yes". */
static void a_changed_byte_spoils_one_line(void **state)
{
    (void)state;
    static const char text[] = "yes\ta\tmpi 1\nno\tb\tmpi 1\n";
    enum { END = 11 }; /* of the first line */
    for (size_t at = 0; at < sizeof text - 1; ++at) {
        for (int byte = 0; byte < 256; byte += 5) {
            char spoilt[sizeof text];
            memcpy(spoilt, text, sizeof text);
            spoilt[at] = (char)byte;
            write_bytes(spoilt, sizeof text - 1);
            const hx_verdict first = find("a", "mpi 1");
            const hx_verdict second = find("b", "mpi 1");
            assert_true(second == HX_VERDICT_NO || (at >= END && second == HX_VERDICT_NONE));
            assert_true(first == HX_VERDICT_YES || (at <= END && first == HX_VERDICT_NONE));
            assert_true(byte == (unsigned char)text[at] || at > END || first != HX_VERDICT_YES);
        }
    }
}

static void a_file_that_ends_within_a_line_is_good_up_to_it(void **state)
{
    (void)state;
    static const char text[] = "yes\ta\tmpi 1\nno\tb\tmpi 1\n";
    for (size_t length = 0; length < sizeof text; ++length) {
        write_bytes(text, length);
        assert_int_equal(find("a", "mpi 1"), length >= 11 ? HX_VERDICT_YES : HX_VERDICT_NONE);
        assert_int_equal(note(HX_VERDICT_INSISTED, "c", "mpi 1"), HX_OK);
        assert_int_equal(find("a", "mpi 1"), length >= 11 ? HX_VERDICT_YES : HX_VERDICT_NONE);
        assert_int_equal(find("b", "mpi 1"), length >= 22 ? HX_VERDICT_NO : HX_VERDICT_NONE);
        assert_int_equal(find("c", "mpi 1"), HX_VERDICT_INSISTED);
    }
}

/* However long a line is, and whatever is in it, it is one line. */
static void lines_of_others_stay_what_they_are(void **state)
{
    (void)state;
    for (size_t before = 1000; before < 1040; ++before) {
        char text[2048];
        memset(text, 'x', before);
        const int length = (int)before + snprintf(text + before, sizeof text - before,
                                                  "yes\ta\tmpi 1\n%cyes\tb\tmpi 1%c\n", 0, 0);
        write_bytes(text, (size_t)length);
        assert_int_equal(find("a", "mpi 1"), HX_VERDICT_NONE);
        assert_int_equal(find("b", "mpi 1"), HX_VERDICT_NONE);
        assert_int_equal(note(HX_VERDICT_NO, "c", "mpi 1"), HX_OK);
        memcpy(text + length, "no\tc\tmpi 1\n", 11);
        expect_bytes(text, (size_t)length + 11);
        assert_int_equal(find("a", "mpi 1"), HX_VERDICT_NONE);
    }
}

/* ---- what is refused ----------------------------------------------------------------------------------- */

static void what_is_no_file_is_not_used(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path, S_IRUSR | S_IWUSR), 0); /* who opens it waits for ever */
    assert_int_equal(find("a", "mpi 1"), HX_VERDICT_NONE);
    expect_refused("is no file");
    assert_int_equal(remove(path), 0);
    assert_int_equal(mkdir(path, S_IRWXU), 0);
    assert_int_equal(find("a", "mpi 1"), HX_VERDICT_NONE);
    expect_refused("is no file");
    assert_int_equal(rmdir(path), 0);
}

/* Rather than to lose what it has. */
static void too_long_a_file_is_not_replaced(void **state)
{
    (void)state;
    struct stat found;
    write_text("yes\ta\tmpi 1\n");
    assert_int_equal(truncate(path, (off_t)1 << 25), 0);
    assert_int_equal(find("a", "mpi 1"), HX_VERDICT_NONE);
    expect_refused("is no file of at most 16777216 bytes");
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_size, 1 << 25);
}

/* Of root nothing is kept out, so root is somebody else meanwhile.  False: it cannot be. */
static bool become_another(uid_t user)
{
    return user != 0 || seteuid(65534) == 0;
}

static void a_file_that_may_not_be_read_is_not_replaced(void **state)
{
    (void)state;
    const uid_t user = geteuid();
    write_text("yes\ta\tmpi 1\n");
    chmod(path, 0);
    chmod(directory, S_IRWXU | S_IRWXG | S_IRWXO);
    if (!become_another(user)) {
        print_message("skipped: root cannot become another user here\n");
        skip();
    }
    const hx_verdict found = find("a", "mpi 1");
    expect_refused("cannot be read: Permission denied");
    assert_int_equal(seteuid(user), 0);
    chmod(path, S_IRUSR | S_IWUSR);
    assert_int_equal(found, HX_VERDICT_NONE);
    expect_text("yes\ta\tmpi 1\n");
}

static void a_directory_that_is_read_only_is_told(void **state)
{
    (void)state;
    const uid_t user = geteuid();
    write_text("no\ta\tmpi 1\n");
    chmod(path, S_IRUSR | S_IRGRP | S_IROTH);
    chmod(directory, S_IRUSR | S_IXUSR | S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH);
    if (!become_another(user)) {
        print_message("skipped: root cannot become another user here\n");
        skip();
    }
    const hx_verdict found = find("a", "mpi 1");
    expect_refused("cannot be written: Permission denied");
    assert_int_equal(seteuid(user), 0);
    assert_int_equal(found, HX_VERDICT_NO);
    expect_text("no\ta\tmpi 1\n");
    assert_int_equal(count_names(), 1);
}

/* As on a disk that is full: the old file stays, and nothing beside it. */
static void what_cannot_be_written_whole_is_not_kept(void **state)
{
    (void)state;
    write_text("no\ta\tmpi 1\n");
    struct rlimit old;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    const struct rlimit few = {.rlim_cur = 5, .rlim_max = old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    expect_refused("cannot be written: File too large");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, before);
    expect_text("no\ta\tmpi 1\n");
    assert_int_equal(count_names(), 1);
}

static void directories_are_made(void **state)
{
    (void)state;
    static const char *const below[] = {"/x/y/verdicts", "/x/y", "/x"};
    char name[128];
    const char *host = "a";
    snprintf(name, sizeof name, "%s%s", directory, below[0]);
    assert_int_equal(hx_verdict_write(name, HX_VERDICT_YES, 1, &host, "mpi 1"), HX_OK);
    assert_int_equal(hx_verdict_read(name, "a", "mpi 1"), HX_VERDICT_YES);
    for (int i = 0; i < 3; ++i) {
        snprintf(name, sizeof name, "%s%s", directory, below[i]);
        assert_int_equal(remove(name), 0);
    }
    write_text("");
    snprintf(name, sizeof name, "%s/verdicts", path); /* below a file */
    assert_int_equal(hx_verdict_write(name, HX_VERDICT_YES, 1, &host, "mpi 1"), HX_ERR_ARGUMENT);
    assert_non_null(strstr(hx_last_error(), "cannot be written: Not a directory"));
}

/* ---- several at once ----------------------------------------------------------------------------------- */

/* What a process of the same number left there, which ended on its way, or runs on another machine. */
static void names_beside_the_file_are_no_hindrance(void **state)
{
    (void)state;
    char name[128];
    snprintf(name, sizeof name, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(note(HX_VERDICT_YES, "a", "mpi 1"), HX_OK);
    assert_int_equal(find("a", "mpi 1"), HX_VERDICT_YES);
    assert_int_equal(remove(name), 0);
}

enum { WRITERS = 4, TIMES = 100 };

/* Each notes verdicts of its own; they may be lost, but what is found is one of them. */
static void write_often(int writer)
{
    char mpi[32];
    snprintf(mpi, sizeof mpi, "mpi %d", writer);
    for (int i = 0; i < TIMES; ++i) {
        const hx_verdict verdict = writer % 2 == 0 ? HX_VERDICT_YES : HX_VERDICT_NO;
        if (note(verdict, "a", mpi) != HX_OK) {
            _exit(1);
        }
        const hx_verdict found = find("a", mpi);
        if (found != HX_VERDICT_NONE && found != verdict) {
            _exit(2);
        }
    }
    _exit(0);
}

static void writers_at_once_leave_a_whole_file(void **state)
{
    (void)state;
    pid_t child[WRITERS];
    for (int i = 0; i < WRITERS; ++i) {
        child[i] = fork();
        assert_true(child[i] >= 0);
        if (child[i] == 0) {
            write_often(i);
        }
    }
    for (int i = 0; i < WRITERS; ++i) {
        int status = -1;
        assert_int_equal(waitpid(child[i], &status, 0), child[i]);
        assert_int_equal(status, 0);
    }
    int found = 0;
    for (int i = 0; i < WRITERS; ++i) {
        char mpi[32];
        snprintf(mpi, sizeof mpi, "mpi %d", i);
        found += find("a", mpi) != HX_VERDICT_NONE;
    }
    assert_true(found > 0);
    assert_int_equal(count_names(), 1);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_directory, remove_directory)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_file_is_where_the_user_says_or_in_a_cache),
        TEST(what_was_written_is_read),
        TEST(other_verdicts_are_of_no_concern),
        TEST(of_several_the_last_counts),
        TEST(damaged_lines_are_left_alone),
        TEST(a_changed_byte_spoils_one_line),
        TEST(a_file_that_ends_within_a_line_is_good_up_to_it),
        TEST(lines_of_others_stay_what_they_are),
        TEST(what_is_no_file_is_not_used),
        TEST(too_long_a_file_is_not_replaced),
        TEST(a_file_that_may_not_be_read_is_not_replaced),
        TEST(a_directory_that_is_read_only_is_told),
        TEST(what_cannot_be_written_whole_is_not_kept),
        TEST(directories_are_made),
        TEST(names_beside_the_file_are_no_hindrance),
        TEST(writers_at_once_leave_a_whole_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
