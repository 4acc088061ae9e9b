#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *memory_resize(void *old, size_t size)
{
    void *memory = realloc(old, size);
    if (!memory) {
        fputs("halogen: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

char *text_copy(const char *string)
{
    size_t size = strlen(string) + 1;
    return memcpy(memory_resize(NULL, size), string, size);
}

static char *reserve(hg_text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed > text->capacity) {
        text->capacity = needed > 2 * text->capacity ? needed : 2 * text->capacity;
        text->bytes = memory_resize(text->bytes, text->capacity);
    }
    return text->bytes + text->length;
}

void text_add(hg_text *text, const char *bytes, size_t length)
{
    char *end = reserve(text, length);
    if (length) {
        memcpy(end, bytes, length);
    }
    end[length] = '\0';
    text->length += length;
}

void text_puts(hg_text *text, const char *string)
{
    text_add(text, string, strlen(string));
}

void text_format(hg_text *text, const char *format, ...)
{
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    int length = vsnprintf(NULL, 0, format, values);
    if (length > 0) {
        char *end = reserve(text, (size_t)length);
        vsnprintf(end, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(values);
}

void text_fill(hg_text *text, char character, size_t count)
{
    char *end = reserve(text, count);
    memset(end, character, count);
    end[count] = '\0';
    text->length += count;
}

void text_free(hg_text *text)
{
    free(text->bytes);
    *text = (hg_text){0};
}

size_t utf8_character(const char *bytes, size_t length, uint32_t *code)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    const unsigned char *byte = (const unsigned char *)bytes;
    for (size_t more = 0; more < 4 && more < length; ++more) {
        if ((byte[0] & forms[more].mask) != forms[more].lead) {
            continue;
        }
        uint32_t value = byte[0] & (unsigned char)~forms[more].mask;
        for (size_t i = 1; i <= more; ++i) {
            if ((byte[i] & 0xC0) != 0x80) {
                return 0;
            }
            value = value << 6 | (byte[i] & 0x3F);
        }
        bool surrogate = value >= 0xD800 && value <= 0xDFFF;
        if (value < forms[more].least || value > 0x10FFFF || surrogate) {
            return 0;
        }
        *code = value;
        return more + 1;
    }
    return 0;
}

size_t utf8_clip(const char *bytes, size_t length, size_t limit)
{
    if (length <= limit) {
        return length;
    }
    size_t end = limit;
    while (end > 0 && limit - end < 4 && ((unsigned char)bytes[end] & 0xC0) == 0x80) {
        --end;
    }
    return end;
}

/* Characters that do not show, or that change how their neighbors are shown. */
static bool is_invisible(uint32_t code)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {{0x00, 0x1F},     {0x7F, 0x9F},     {0x200B, 0x200F},
                  {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
        if (code >= ranges[i].first && code <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

void text_add_visible(hg_text *text, const char *bytes, size_t length)
{
    for (size_t at = 0, step; at < length; at += step) {
        uint32_t code = 0;
        step = utf8_character(bytes + at, length - at, &code);
        if (step == 0) {
            text_format(text, "\\x%02x", (unsigned char)bytes[at]);
            step = 1;
        } else if (code == '\t') {
            text_puts(text, "    ");
        } else if (code == '\n') {
            text_puts(text, "\\n");
        } else if (is_invisible(code)) {
            text_format(text, code < 0x80 ? "\\x%02x" : "\\u{%x}", (unsigned)code);
        } else {
            text_add(text, bytes + at, step);
        }
    }
}

size_t text_columns(const hg_text *text)
{
    size_t columns = 0;
    for (size_t i = 0; i < text->length; ++i) {
        columns += ((unsigned char)text->bytes[i] & 0xC0) != 0x80;
    }
    return columns;
}

void text_add_json(hg_text *text, const char *bytes, size_t length)
{
    for (size_t at = 0, step; at < length; at += step) {
        uint32_t code = 0;
        step = utf8_character(bytes + at, length - at, &code);
        if (step == 0) {
            text_puts(text, "\\ufffd");
            step = 1;
        } else if (code == '"' || code == '\\') {
            text_format(text, "\\%c", (char)code);
        } else if (code < 0x10000 && is_invisible(code)) {
            text_format(text, "\\u%04x", (unsigned)code);
        } else {
            text_add(text, bytes + at, step);
        }
    }
}

char *path_join(const char *directory, const char *name)
{
    size_t length = strlen(directory);
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    hg_text path = {0};
    text_format(&path, "%s%s%s", directory, slash, name);
    return path.bytes;
}

size_t path_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}
