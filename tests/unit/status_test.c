/*
 * Statuses and sentences.
 */
#include "base/status.h"
#include "base/text.h"
#include "comm/topology.h"

#include <hx/version.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void *read_other_thread(void *found)
{
    memcpy(found, hx_last_error(), strlen(hx_last_error()) + 1);
    return NULL;
}

/* First: nothing has failed yet. */
static void a_sentence_belongs_to_its_thread(void **state)
{
    (void)state;
    assert_string_equal(hx_last_error(), "");
    assert_int_equal(hx_last_status(), HX_OK);
    assert_int_equal(hxi_fail(HX_ERR_LIMIT, "%d is more than %d.", 3, 2), HX_ERR_LIMIT);
    assert_string_equal(hx_last_error(), "3 is more than 2.");
    assert_int_equal(hx_last_status(), HX_ERR_LIMIT);
    char other[HX_SENTENCE] = "not read";
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, read_other_thread, other), 0);
    pthread_join(thread, NULL);
    assert_string_equal(other, "");
}

static void a_sentence_may_quote_the_one_before(void **state)
{
    (void)state;
    hxi_fail(HX_ERR_STATE, "one");
    hxi_fail(HX_ERR_STATE, "two and %s", hx_last_error());
    assert_string_equal(hx_last_error(), "two and one");
}

static void a_long_sentence_is_cut(void **state)
{
    (void)state;
    char text[3 * HX_SENTENCE];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    hxi_fail(HX_ERR_STATE, "%s", text);
    assert_int_equal(strlen(hx_last_error()), HX_SENTENCE - 1);
}

/* The library is the one of the headers, and says so as numbers and in words. */
static void the_library_tells_its_version(void **state)
{
    (void)state;
    assert_int_equal(hx_version_number(),
                     HX_VERSION_OF(HX_VERSION_MAJOR, HX_VERSION_MINOR, HX_VERSION_PATCH));
    assert_memory_equal(hx_version(), "libhx " HX_VERSION " (commit ",
                        strlen("libhx " HX_VERSION " (commit "));
    assert_non_null(strstr(hx_version(), "), ABI "));
}

static void statuses_have_names(void **state)
{
    (void)state;
    assert_string_equal(hx_status_name(HX_OK), "HX_OK");
    for (int status = HX_OK; status <= HX_ERR_DEVICE; ++status) {
        assert_memory_equal(hx_status_name((hx_status)status), "HX_", 3);
    }
    assert_string_equal(hx_status_name((hx_status)(HX_ERR_DEVICE + 1)), "unknown status");
}

static void text_counts_what_does_not_fit(void **state)
{
    (void)state;
    char small[6] = "";
    hxi_text text = {small, sizeof small, 0};
    const int sizes[] = {10, 20, 30};
    hxi_text_add_product(&text, 3, sizes);
    assert_int_equal(text.length, strlen("10 x 20 x 30"));
    assert_string_equal(small, "10 x ");
    hxi_text_add(&text, "more");
    assert_int_equal(text.length, strlen("10 x 20 x 30more"));
    assert_string_equal(small, "10 x ");
}

static void the_first_failure_keeps_its_sentence(void **state)
{
    (void)state;
    hxi_first first = {0};
    hxi_first_note(&first, HX_OK);
    assert_int_equal(hxi_first_tell(&first), HX_OK);
    hxi_first_note(&first, hxi_fail(HX_ERR_MEMORY, "The first."));
    hxi_first_note(&first, hxi_fail(HX_ERR_MPI, "The second."));
    hxi_first_note(&first, HX_OK);
    assert_int_equal(hxi_first_tell(&first), HX_ERR_MEMORY);
    assert_string_equal(hx_last_error(), "The first.");
}

/* Ranks agree on what ranks of a node have agreed on, and say whose it is, once. */
static void a_sentence_is_signed_once(void **state)
{
    (void)state;
    assert_int_equal(hxi_topology_sign(7, 12, hxi_fail(HX_ERR_LIMIT, "Rank 3 asks for too much.")),
                     HX_ERR_LIMIT);
    assert_string_equal(hx_last_error(), "Rank 7 of 12: Rank 3 asks for too much.");
    assert_int_equal(hxi_topology_sign(0, 12, HX_ERR_LIMIT), HX_ERR_LIMIT);
    assert_string_equal(hx_last_error(), "Rank 7 of 12: Rank 3 asks for too much.");
    assert_int_equal(hxi_topology_sign(0, 12, HX_OK), HX_OK);
    assert_string_equal(hx_last_error(), "Rank 7 of 12: Rank 3 asks for too much.");
}

static void other_languages_refuse_in_words(void **state)
{
    (void)state;
    assert_int_equal(hx_refuse(HX_ERR_STATE, "not 100 %d"), HX_ERR_STATE);
    assert_string_equal(hx_last_error(), "not 100 %d");
    assert_int_equal(hx_refuse(HX_ERR_ARGUMENT, NULL), HX_ERR_ARGUMENT);
    assert_string_equal(hx_last_error(), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_belongs_to_its_thread),
        cmocka_unit_test(a_sentence_may_quote_the_one_before),
        cmocka_unit_test(a_long_sentence_is_cut),
        cmocka_unit_test(the_first_failure_keeps_its_sentence),
        cmocka_unit_test(the_library_tells_its_version),
        cmocka_unit_test(statuses_have_names),
        cmocka_unit_test(a_sentence_is_signed_once),
        cmocka_unit_test(other_languages_refuse_in_words),
        cmocka_unit_test(text_counts_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
