/*
 * Files that a process keeps mapped, as two runs make them that were given the same directory.
 */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "observe/mapped_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 100000 };

static char directory[] = "/tmp/hx-mapped-XXXXXX";

static void make(hxi_mapped_file *file)
{
    *file = (hxi_mapped_file){.ending = ".test", .bytes = BYTES};
    assert_int_equal(hxi_mapped_file_make(directory, 3, file), HX_OK);
    assert_non_null(file->at);
}

static void forget(hxi_mapped_file *file)
{
    assert_int_equal(munmap(file->at, file->bytes), 0);
}

static long size_of(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 ? (long)found.st_size : -1;
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **state)
{
    char path[64];
    (void)state;
    snprintf(path, sizeof path, "%s/rank-00003.test", directory);
    return unlink(path) != 0 || rmdir(directory) != 0;
}

static void a_later_run_leaves_what_is_mapped_alone(void **state)
{
    hxi_mapped_file first;
    hxi_mapped_file second;
    (void)state;
    make(&first);
    memset(first.at, 'a', BYTES);
    make(&second);
    assert_string_equal(first.path, second.path);
    assert_int_equal(((const char *)second.at)[BYTES - 1], 0);
    memset(second.at, 'b', BYTES);
    assert_int_equal(((const char *)first.at)[0], 'a');
    memset(first.at, 'c', BYTES);
    assert_int_equal(((const char *)second.at)[BYTES - 1], 'b');
    forget(&first);
    forget(&second);
}

static void only_its_own_file_becomes_shorter(void **state)
{
    hxi_mapped_file first;
    hxi_mapped_file second;
    (void)state;
    make(&first);
    make(&second);
    assert_false(hxi_mapped_file_shorten(&first, 10));
    assert_int_equal(size_of(second.path), BYTES);
    assert_true(hxi_mapped_file_shorten(&second, 10));
    assert_int_equal(size_of(second.path), 10);
    forget(&first);
    forget(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_later_run_leaves_what_is_mapped_alone),
        cmocka_unit_test(only_its_own_file_becomes_shorter),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
