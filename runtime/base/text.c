#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void hxi_text_add(hxi_text *text, const char *format, ...)
{
    const int fits = text->at != NULL && text->length < text->size;
    va_list arguments;
    va_start(arguments, format);
    const int added = vsnprintf(fits ? text->at + text->length : NULL, fits ? text->size - text->length : 0,
                                format, arguments);
    va_end(arguments);
    text->length += added > 0 ? (size_t)added : 0;
}

void hxi_text_add_product(hxi_text *text, int axes, const int value[])
{
    for (int a = 0; a < axes; ++a) {
        hxi_text_add(text, a == 0 ? "%d" : " x %d", value[a]);
    }
}

const char *hxi_s(int64_t count)
{
    return count == 1 ? "" : "s";
}

const char *hxi_product(int axes, const int value[], char buffer[HX_PRODUCT])
{
    hxi_text text = {buffer, HX_PRODUCT, 0};
    buffer[0] = '\0';
    hxi_text_add_product(&text, axes, value);
    return buffer;
}

const char *hxi_call(const hx_spec *spec, const hx_exchange *exchange, const char *verb, char buffer[HX_CALL])
{
    hxi_text text = {buffer, HX_CALL, 0};
    hxi_text_add(&text, "%s_%s%s%s", spec->name, exchange ? exchange->name : "", exchange ? "_" : "", verb);
    return buffer;
}

int hxi_text_find(const char *const names[], int count, const char *name)
{
    for (int i = 0; i < count; ++i) {
        if (name && strcmp(name, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

const char *hxi_text_choice(const char *const names[], int count, char *text, size_t size)
{
    hxi_text out = {text, size, 0};
    for (int i = 0; i < count; ++i) {
        hxi_text_add(&out, "%s\"%s\"", i == 0 ? "" : " or ", names[i]);
    }
    return text;
}
