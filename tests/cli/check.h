/* What every unit test of the generator includes. */
#ifndef HALOGEN_TEST_CHECK_H
#define HALOGEN_TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"

static inline void assert_text(hg_text *text, const char *expected)
{
    assert_string_equal(text->bytes, expected);
    text_free(text);
}

#endif
