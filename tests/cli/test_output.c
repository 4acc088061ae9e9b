/* Files whole, or none: in a directory of its own for each test. */
#include "check.h"

#include "cli/output.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The n-th call from now on fails; 0: none. */
static int failing_close;
static int failing_rename;
static bool failing_link; /* every one */
static const char *late;  /* a file that somebody makes just before it is linked to; NULL: none */

int __real_close(int descriptor);
int __wrap_close(int descriptor);
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);

static bool is_failing(int *countdown)
{
    return *countdown > 0 && --*countdown == 0;
}

int __wrap_close(int descriptor)
{
    int result = __real_close(descriptor);
    if (!is_failing(&failing_close)) {
        return result;
    }
    errno = EIO;
    return -1;
}

int __wrap_rename(const char *from, const char *to)
{
    if (!is_failing(&failing_rename)) {
        return __real_rename(from, to);
    }
    errno = EBUSY;
    return -1;
}

int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);

int __wrap_link(const char *from, const char *to)
{
    if (late && strcmp(to, late) == 0) {
        FILE *file = fopen(late, "wb");
        assert_non_null(file);
        fputs("theirs", file);
        fclose(file);
    }
    if (!failing_link) {
        return __real_link(from, to);
    }
    errno = EPERM;
    return -1;
}

static int enter_directory(void **state)
{
    static char name[] = "halogen-output-XXXXXX";
    memcpy(strrchr(name, '-') + 1, "XXXXXX", 6);
    *state = mkdtemp(name);
    return *state ? chdir(name) : -1;
}

static void remove_tree(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            char *inside = path_join(path, entry->d_name);
            remove_tree(inside);
            free(inside);
        }
    }
    if (directory) {
        closedir(directory);
    }
    remove(path);
}

static int leave_directory(void **state)
{
    if (chdir("..") != 0) {
        return -1;
    }
    remove_tree(*state);
    return 0;
}

static size_t files_in(const char *path)
{
    size_t count = 0;
    DIR *directory = opendir(path);
    assert_non_null(directory);
    while (readdir(directory)) {
        ++count;
    }
    closedir(directory);
    return count - 2;
}

static void assert_content(const char *path, const char *expected)
{
    char content[64] = "";
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(content, 1, sizeof content - 1, file), strlen(expected));
    assert_string_equal(content, expected);
    fclose(file);
}

static hg_output output(char *path, char *content)
{
    return (hg_output){.path = path, .text = {.bytes = content, .length = strlen(content)}, .mark = ""};
}

/* Writes two files and returns what was said about it. */
static hg_text write_two(char *one, char *two, char *content, bool keep_unchanged)
{
    hg_output outputs[] = {output(one, content), output(two, content)};
    outputs[0].keep_unchanged = outputs[1].keep_unchanged = keep_unchanged;
    hg_text problem = {0};
    text_puts(&problem, "");
    bool written = output_write(&(hg_output_list){.files = outputs, .count = 2}, &problem);
    assert_int_equal(written, problem.length == 0);
    return problem;
}

static void files_and_directories_are_made(void **state)
{
    (void)state;
    mode_t mask = umask(027);
    hg_text problem = write_two("deep/er/a", "b", "content", false);
    umask(mask);
    assert_text(&problem, "");
    assert_content("deep/er/a", "content");
    assert_content("b", "content");
    assert_int_equal(files_in("."), 2);
    struct stat status;
    assert_int_equal(stat("b", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static void a_failure_changes_nothing(void **state)
{
    (void)state;
    hg_text problem = write_two("a", "b", "old", false);
    assert_text(&problem, "");
    assert_int_equal(mkdir("in the way", 0777), 0);
    problem = write_two("a", "in the way", "new", false);
    assert_text(&problem, "'in the way' is a directory; halogen replaces only files that it wrote");
    problem = write_two("b", "a/c", "new", false);
    assert_text(&problem, "cannot write 'a/c': Not a directory; no file was changed");
    assert_content("a", "old");
    assert_content("b", "old");
    assert_int_equal(files_in("."), 3);
}

/* Some file systems say only when a file is closed that it did not get there. */
static void a_file_that_does_not_close_is_not_written(void **state)
{
    (void)state;
    hg_text problem = write_two("a", "b", "old", false);
    assert_text(&problem, "");
    failing_close = 2;
    problem = write_two("a", "b", "new", false);
    assert_text(&problem, "cannot write 'b': Input/output error; no file was changed");
    assert_content("a", "old");
    assert_content("b", "old");
    assert_int_equal(files_in("."), 2);
}

static void files_are_put_back(void **state)
{
    (void)state;
    hg_text problem = write_two("a", "b", "old", false);
    assert_text(&problem, "");
    failing_rename = 2;
    problem = write_two("a", "b", "new", false);
    assert_text(&problem, "cannot write 'b': Device or resource busy; no file was changed");
    assert_content("a", "old");
    assert_content("b", "old");
    assert_int_equal(files_in("."), 2);

    /* One that was not there is not there again. */
    assert_int_equal(remove("a"), 0);
    failing_rename = 2;
    problem = write_two("a", "b", "new", false);
    assert_text(&problem, "cannot write 'b': Device or resource busy; no file was changed");
    assert_content("b", "old");
    assert_int_equal(files_in("."), 1);
}

static void new_files_replace_none(void **state)
{
    (void)state;
    hg_output outputs[] = {output("a", "new"), output("b", "new")};
    const hg_output_list list = {.files = outputs, .count = 2};
    outputs[0].only_new = outputs[1].only_new = true;
    outputs[0].instead = outputs[1].instead = "go elsewhere";

    /* One comes at the last moment. */
    hg_text problem = {0};
    late = "b";
    assert_false(output_write(&list, &problem));
    late = NULL;
    assert_text(&problem, "cannot write 'b': File exists; no file was changed");
    assert_content("b", "theirs");
    assert_int_equal(files_in("."), 1);

    problem = (hg_text){0};
    assert_false(output_write(&list, &problem));
    assert_text(&problem, "'b' exists already; go elsewhere, or move it away");
    assert_content("b", "theirs");
    assert_int_equal(files_in("."), 1);

    /* Also where a file cannot have two names. */
    assert_int_equal(remove("b"), 0);
    failing_link = true;
    problem = (hg_text){0};
    assert_true(output_write(&list, &problem));
    failing_link = false;
    assert_content("a", "new");
    assert_content("b", "new");
    assert_int_equal(files_in("."), 2);
}

/* Where a file cannot have two names. */
static void files_that_cannot_be_put_back_are_named(void **state)
{
    (void)state;
    hg_text problem = write_two("a", "b", "old", false);
    assert_text(&problem, "");
    failing_rename = 2;
    failing_link = true;
    problem = write_two("a", "b", "new", false);
    failing_link = false;
    assert_text(&problem, "cannot write 'b': Device or resource busy; new already: 'a'");
    assert_content("a", "new");
    assert_content("b", "old");
    assert_int_equal(files_in("."), 2);
}

static ino_t file_number(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_ino;
}

static void unchanged_files_may_stay(void **state)
{
    (void)state;
    hg_text problem = write_two("a", "b", "content", false);
    assert_text(&problem, "");
    hg_output longer[] = {output("b", "content and more")};
    assert_true(output_write(&(hg_output_list){.files = longer, .count = 1}, &problem));
    ino_t a = file_number("a"), b = file_number("b");

    problem = write_two("a", "b", "content", true);
    assert_text(&problem, "");
    assert_int_equal(file_number("a"), a);
    assert_int_not_equal(file_number("b"), b);
    assert_content("b", "content");

    problem = write_two("a", "b", "content", false);
    assert_text(&problem, "");
    assert_int_not_equal(file_number("a"), a);
}

static void comparison_finds_every_difference(void **state)
{
    (void)state;
    static char text[10001];
    memset(text, 'x', sizeof text - 1);
    text[3] = text[5000] = '\n';
    hg_output written = output("a", text);
    hg_difference difference = output_compare(&written);
    assert_true(difference.found);
    assert_int_equal(difference.error, ENOENT);
    hg_text problem = {0};
    assert_true(output_write(&(hg_output_list){.files = &written, .count = 1}, &problem));
    assert_false(output_compare(&written).found);

    /* Where the text has another byte, one less, or one more than the file. */
    static const struct {
        size_t at, length, lines;
    } cases[] = {{0, 10000, 0},   {3, 10000, 0},   {4, 10000, 1},   {4096, 10000, 1}, {9999, 10000, 2},
                 {9999, 9999, 2}, {5000, 5000, 1}, {5001, 5001, 2}, {0, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char other[10002];
        memcpy(other, text, sizeof text);
        other[cases[i].at] = '!';
        hg_output given = {.path = "a", .text = {.bytes = other, .length = cases[i].length}};
        difference = output_compare(&given);
        assert_true(difference.found);
        assert_int_equal(difference.error, 0);
        assert_int_equal(difference.lines, cases[i].lines);
    }
    hg_output longer = {.path = "a", .text = {.bytes = text, .length = sizeof text}};
    difference = output_compare(&longer);
    assert_true(difference.found);
    assert_int_equal(difference.lines, 2);

    assert_int_equal(mkdir("directory", 0777), 0);
    hg_output nothing = {.path = "directory"};
    assert_int_equal(output_compare(&nothing).error, EISDIR);
}

static void only_plain_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool plain;
    } cases[] = {{"ocean.h", true},   {"ocean_check.c", true}, {"Ocean-2.c", true}, {"", false},
                 {".", false},        {"..", false},           {".ocean.h", false}, {"../ocean.h", false},
                 {"/ocean.h", false}, {"a/b", false},          {"a b", false},      {"a\nb", false},
                 {"-o", false},       {"a$b", false},          {"\xC3\xA9", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_int_equal(output_name_is_plain(cases[i].name, strlen(cases[i].name)), cases[i].plain);
    }
    assert_false(output_name_is_plain("a\0b", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_and_directories_are_made, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(a_failure_changes_nothing, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(a_file_that_does_not_close_is_not_written, enter_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(new_files_replace_none, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(files_are_put_back, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(files_that_cannot_be_put_back_are_named, enter_directory,
                                        leave_directory),
        cmocka_unit_test_setup_teardown(unchanged_files_may_stay, enter_directory, leave_directory),
        cmocka_unit_test_setup_teardown(comparison_finds_every_difference, enter_directory, leave_directory),
        cmocka_unit_test(only_plain_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
