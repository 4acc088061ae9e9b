/*
 * Options: defaults, what the environment overrides, and what is refused.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/log.h"
#include "base/status.h"
#include "exchange/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int clear_environment(void **state)
{
    (void)state;
    static const char *const variables[] = {
        "HX_TRANSPORT", "HX_DEADLINE",        "HX_CHECK",           "HX_TIMING",        "HX_LOG",
        "HX_DEADLIN",   "HX_SCHEDULE",        "HX_DEADLINE_EXIT",   "HX_SHARE_BUFFERS", "HX_TUNE",
        "HX_TUNE_FILE", "HX_DEVICE_MESSAGES", "HX_KEEP_ERRHANDLER", "HX_CYCLES",        "HX_THREADS"};
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; ++i) {
        unsetenv(variables[i]);
    }
    return 0;
}

static void nothing_given_means_defaults(void **state)
{
    (void)state;
    hx_options found;
    hxi_reasons why;
    assert_int_equal(hxi_options_resolve(NULL, &found, &why), HX_OK);
    assert_string_equal(found.transport, "shared");
    assert_string_equal(why.transport, "the default");
    assert_string_equal(found.schedule, "auto");
    assert_string_equal(why.schedule, "the default");
    assert_true(found.deadline <= 0.0);
    assert_int_equal(found.check, 0);
    assert_int_equal(found.timing, 0);
    assert_int_equal(found.deadline_exit, 0);
    assert_int_equal(found.share_buffers, 0);
    assert_int_equal(found.keep_errhandler, 0);
    assert_int_equal(found.cycles, 0);
    assert_int_equal(found.tune, 0);
    assert_null(found.tune_file);
    assert_string_equal(found.device_messages, "auto");
    assert_string_equal(why.messages, "the default");
    assert_true(why.any_transport);
    assert_null(found.pool);
    assert_int_equal(found.threads, 1);
    assert_null(found.team);
    assert_int_equal(found.log_level, HX_LOG_NONE);
}

static void the_environment_overrides(void **state)
{
    (void)state;
    hx_options given = HX_OPTIONS_INIT;
    given.check = 1;
    given.transport = "persistent";
    setenv("HX_TRANSPORT", "p2p", 1);
    setenv("HX_DEADLINE", "2.5", 1);
    setenv("HX_SCHEDULE", "by-dimension", 1);
    setenv("HX_CHECK", "0", 1);
    setenv("HX_TIMING", "1", 1);
    setenv("HX_LOG", "2", 1);
    setenv("HX_DEADLINE_EXIT", "1", 1);
    setenv("HX_SHARE_BUFFERS", "1", 1);
    setenv("HX_TUNE", "1", 1);
    setenv("HX_TUNE_FILE", "/tmp/figures", 1);
    setenv("HX_DEVICE_MESSAGES", "copied", 1);
    setenv("HX_THREADS", "256", 1);
    hx_options found;
    hxi_reasons why;
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_OK);
    assert_string_equal(found.transport, "p2p");
    assert_string_equal(why.transport, "environment variable HX_TRANSPORT");
    assert_string_equal(found.schedule, "by-dimension");
    assert_string_equal(why.schedule, "environment variable HX_SCHEDULE");
    assert_true(found.deadline > 2.4 && found.deadline < 2.6);
    assert_int_equal(found.check, 0);
    assert_int_equal(found.timing, 1);
    assert_int_equal(found.deadline_exit, 1);
    assert_int_equal(found.share_buffers, 1);
    assert_int_equal(found.tune, 1);
    assert_string_equal(found.tune_file, "/tmp/figures");
    assert_string_equal(found.device_messages, "copied");
    assert_int_equal(found.threads, 256);
    assert_string_equal(why.messages, "environment variable HX_DEVICE_MESSAGES");
    assert_int_equal(found.log_level, HX_LOG_INFO);
}

/* Only what nobody has named is left to auto. */
static void auto_is_known_as_such(void **state)
{
    (void)state;
    hx_options given = HX_OPTIONS_INIT;
    hx_options found;
    hxi_reasons why;
    setenv("HX_TRANSPORT", "shared", 1);
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_OK);
    assert_false(why.any_transport);
    given.transport = "p2p";
    setenv("HX_TRANSPORT", "auto", 1);
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_OK);
    assert_true(why.any_transport);
    clear_environment(NULL);
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_OK);
    assert_false(why.any_transport);
}

static void an_empty_variable_overrides_nothing(void **state)
{
    (void)state;
    setenv("HX_CHECK", "", 1);
    hx_options given = HX_OPTIONS_INIT;
    given.check = 1;
    hx_options found;
    hxi_reasons why;
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_OK);
    assert_int_equal(found.check, 1);
}

static void bad_variables_are_named(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"HX_TRANSPORT", "pigeon"},
        {"HX_TRANSPORT", "self"},
        {"HX_DEADLINE", "soon"},
        {"HX_DEADLINE", "-1"},
        {"HX_DEADLINE", "inf"},
        {"HX_CHECK", "2"},
        {"HX_CHECK", "yes"},
        {"HX_TIMING", "1x"},
        {"HX_LOG", "99999999999"},
        {"HX_SCHEDULE", "By-Dimension"},
        {"HX_DEADLINE_EXIT", "2"},
        {"HX_SHARE_BUFFERS", "-1"},
        {"HX_TUNE", "2"},
        {"HX_TUNE", "on"},
        {"HX_DEVICE_MESSAGES", "pinned"},
        {"HX_THREADS", "0"},
        {"HX_THREADS", "-2"},
        {"HX_THREADS", "257"},
        {"HX_THREADS", "all"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        clear_environment(NULL);
        setenv(bad[i][0], bad[i][1], 1);
        hx_options found;
        hxi_reasons why;
        assert_int_equal(hxi_options_resolve(NULL, &found, &why), HX_ERR_ARGUMENT);
        assert_non_null(strstr(hx_last_error(), bad[i][0]));
    }
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    hx_options found;
    hxi_reasons why;
    hx_options given = HX_OPTIONS_INIT;
    given.transport = "pigeon";
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_ERR_ARGUMENT);
    assert_non_null(strstr(
        hx_last_error(),
        "choose \"auto\" or \"shared\" or \"persistent\" or \"p2p\" "
        "or \"neighbor\" or \"rma\" or \"rma-get\" or \"rma-fence\" or \"rma-pscw\" or \"partitioned\" or \"manual\" "
        "or \"ipc\" or \"nccl\""));
    given = (hx_options)HX_OPTIONS_INIT;
    given.schedule = "weekly";
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_ERR_ARGUMENT);
    assert_non_null(strstr(hx_last_error(), "choose \"auto\" or \"one-phase\" or \"by-dimension\""));
    given.schedule = NULL;
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_ERR_ARGUMENT);
    given = (hx_options)HX_OPTIONS_INIT;
    given.team = &(hx_team){0};
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_ERR_ARGUMENT);
    assert_non_null(
        strstr(hx_last_error(), "The option team has no function run; give one, or leave team NULL."));
    given = (hx_options)HX_OPTIONS_INIT;
    given.log_level = 7;
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_ERR_ARGUMENT);
    given = (hx_options)HX_OPTIONS_INIT;
    given.transport = NULL;
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_ERR_ARGUMENT);
}

static void other_versions_are_refused(void **state)
{
    (void)state;
    hx_options found;
    hxi_reasons why;
    hx_options given = HX_OPTIONS_INIT;
    given.version = 2;
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_ERR_ARGUMENT);
    assert_non_null(strstr(hx_last_error(), "version 2"));
    hx_options zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    assert_int_equal(hxi_options_resolve(&zeroed, &found, &why), HX_ERR_ARGUMENT);
    assert_non_null(strstr(hx_last_error(), "HX_OPTIONS_INIT"));
}

static void other_sizes_are_refused(void **state)
{
    (void)state;
    static const size_t wrong[] = {offsetof(hx_options, deadline_exit) - 1, sizeof(hx_options) + 1,
                                   sizeof(hx_options) + 8};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        hx_options found;
        hxi_reasons why;
        hx_options given = HX_OPTIONS_INIT;
        given.size = wrong[i];
        assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_ERR_ARGUMENT);
        assert_non_null(strstr(hx_last_error(), "headers newer than the libhx in use"));
    }
}

/* Programs compiled before an option was added do not have it, whatever lies behind theirs. */
static void shorter_options_lack_the_last(void **state)
{
    (void)state;
    hx_options found;
    hxi_reasons why;
    hx_options given = HX_OPTIONS_INIT;
    given.size = offsetof(hx_options, deadline_exit);
    given.check = 1;
    given.deadline_exit = 77;
    given.tune = 77;
    assert_int_equal(hxi_options_resolve(&given, &found, &why), HX_OK);
    assert_int_equal(found.check, 1);
    assert_int_equal(found.deadline_exit, 0);
    assert_int_equal(found.tune, 0);
    assert_int_equal(found.size, sizeof found);
}

static void keep_line(void *context, int level, const char *line)
{
    assert_int_equal(level, HX_LOG_WARNING);
    memcpy(context, line, strlen(line) + 1);
}

static void unknown_variables_are_warned_about(void **state)
{
    (void)state;
    char line[HX_SENTENCE] = "";
    hx_options options = HX_OPTIONS_INIT;
    options.log = keep_line;
    options.log_context = line;
    options.log_level = HX_LOG_WARNING;
    setenv("HX_DEADLINE", "2", 1);
    hxi_options_warn(&options);
    assert_string_equal(line, "");
    setenv("HX_DEADLIN", "2", 1);
    options.log_level = HX_LOG_NONE;
    hxi_options_warn(&options);
    assert_string_equal(line, "");
    options.log_level = HX_LOG_WARNING;
    hxi_options_warn(&options);
    assert_string_equal(line, "the environment variable HX_DEADLIN is not one that libhx knows");
}

static void without_a_function_lines_go_to_standard_error(void **state)
{
    (void)state;
    hx_options options = HX_OPTIONS_INIT;
    options.log_level = HX_LOG_INFO;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const int before = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    hxi_log(&options, HX_LOG_WARNING, "%d of %s", 3, "four");
    hxi_log(&options, HX_LOG_INFO, "by the way");
    dup2(before, STDERR_FILENO);
    close(before);
    close(ends[1]);
    char said[200] = "";
    assert_true(read(ends[0], said, sizeof said - 1) > 0);
    close(ends[0]);
    assert_string_equal(said, "libhx warning: 3 of four\nlibhx info: by the way\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(nothing_given_means_defaults, clear_environment),
        cmocka_unit_test_setup(the_environment_overrides, clear_environment),
        cmocka_unit_test_setup(auto_is_known_as_such, clear_environment),
        cmocka_unit_test_setup(an_empty_variable_overrides_nothing, clear_environment),
        cmocka_unit_test_setup(bad_variables_are_named, clear_environment),
        cmocka_unit_test_setup(bad_options_are_refused, clear_environment),
        cmocka_unit_test_setup(other_versions_are_refused, clear_environment),
        cmocka_unit_test_setup(other_sizes_are_refused, clear_environment),
        cmocka_unit_test_setup(shorter_options_lack_the_last, clear_environment),
        cmocka_unit_test_setup(unknown_variables_are_warned_about, clear_environment),
        cmocka_unit_test_setup(without_a_function_lines_go_to_standard_error, clear_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
