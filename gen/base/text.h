/* Growable text, and the few questions of UTF-8 and paths that the program asks.
 * Memory that cannot be had ends the program with a message and exit code 3; callers need not check. */
#ifndef HALOGEN_TEXT_H
#define HALOGEN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRINTF_LIKE(at, first) __attribute__((format(printf, at, first)))

/* Bytes followed by a NUL that is not counted.  All zero is the empty text, whose `bytes` is NULL. */
typedef struct hg_text {
    char *bytes;
    size_t length, capacity;
} hg_text;

void *memory_resize(void *old, size_t size);
char *text_copy(const char *string);

void text_add(hg_text *text, const char *bytes, size_t length);
void text_puts(hg_text *text, const char *string);
void text_format(hg_text *text, const char *format, ...) PRINTF_LIKE(2, 3);
/* `count` times the character. */
void text_fill(hg_text *text, char character, size_t count);
void text_free(hg_text *text);

/* Appends the bytes as a terminal may safely show them: control characters, invisible and text-turning
 * ones, and bytes that are not UTF-8 become escapes; a tab becomes four spaces. */
void text_add_visible(hg_text *text, const char *bytes, size_t length);
/* How many columns a visible text takes, one per character. */
size_t text_columns(const hg_text *text);
/* Appends the bytes as the inside of a JSON string; bytes that are not UTF-8 become U+FFFD. */
void text_add_json(hg_text *text, const char *bytes, size_t length);

/* Length of the UTF-8 character at the start of `bytes` (`length` > 0), or 0 if there is no valid one. */
size_t utf8_character(const char *bytes, size_t length, uint32_t *code);
/* The longest length up to `limit` that does not cut a character in two. */
size_t utf8_clip(const char *bytes, size_t length, size_t limit);

/* "directory/name", with just one slash between. */
char *path_join(const char *directory, const char *name);
/* How much of the path is its directory, up to and with the last slash; 0 if it has none. */
size_t path_directory(const char *path);

#endif
