#include "tune_file.h"

#include "clock.h"
#include "hash.h"
#include "log.h"
#include "memory.h"
#include "status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIELDS = 4, LONGEST = 1 << 24 };

static const char purpose[] = "a file of what was measured";
static const char header[] =
    "# What libhx measured (option tune_file): what for, transport, schedule, figures.\n"
    "# Lines may be deleted; what they were for is then measured again.\n";

/* A part of the text of the file. */
typedef struct piece {
    const char *at;
    size_t length;
} piece;

/* ---- reading ------------------------------------------------------------------------------------------- */

static void warn(const hx_options *options, const char *what)
{
    hx_log(options, HX_LOG_WARNING, "the file %s (option tune_file) %s: %s", options->tune_file, what,
           errno != 0 ? strerror(errno) : hx_last_error());
}

/* NULL: it cannot be read, which was said.  A file that is not there is as good as an empty one. */
static char *load(const hx_options *options, size_t *bytes)
{
    *bytes = 0;
    struct stat found = {0};
    const bool missing = stat(options->tune_file, &found) != 0 && errno == ENOENT;
    if (!missing && (!S_ISREG(found.st_mode) || found.st_size > LONGEST)) {
        hx_log(options, HX_LOG_WARNING,
               "%s (option tune_file) is no file of at most %d bytes that can be looked at; it is not used",
               options->tune_file, (int)LONGEST);
        return NULL;
    }
    char *text = hx_memory_get((size_t)found.st_size + 1, 1, purpose);
    errno = 0;
    FILE *file = text && !missing ? fopen(options->tune_file, "r") : NULL;
    if (file) {
        *bytes = fread(text, 1, (size_t)found.st_size, file);
    }
    const bool failed = !text || (!missing && (!file || ferror(file)));
    if (failed) {
        warn(options, "cannot be read");
        hx_memory_free(text);
        text = NULL;
    }
    if (file) {
        fclose(file);
    }
    return text;
}

/* The next line, without its end; false: there is none. */
static bool next_line(piece *rest, piece *line)
{
    if (rest->length == 0) {
        return false;
    }
    const char *end = memchr(rest->at, '\n', rest->length);
    const size_t taken = end ? (size_t)(end - rest->at) + 1 : rest->length;
    *line = (piece){rest->at, taken - (end != NULL)};
    *rest = (piece){rest->at + taken, rest->length - taken};
    return true;
}

static bool is_remark(const piece *line)
{
    return line->length == 0 || line->at[0] == '#';
}

/* Copies a field that is a text and fits. */
static bool take_field(const char *at, size_t length, char *field, size_t size)
{
    if (length == 0 || length >= size || memchr(at, '\0', length)) {
        return false;
    }
    memcpy(field, at, length);
    field[length] = '\0';
    return true;
}

/* False: the line is none of an entry. */
static bool take_entry(const piece *line, hx_tune_entry *entry)
{
    char *const field[FIELDS] = {entry->key, entry->transport, entry->schedule, entry->figures};
    const size_t size[FIELDS] = {sizeof entry->key, sizeof entry->transport, sizeof entry->schedule,
                                 sizeof entry->figures};
    const char *at = line->at;
    const char *end = line->at + line->length;
    for (int i = 0; i < FIELDS; ++i) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        const bool last = i == FIELDS - 1;
        const char *stop = tab && !last ? tab : end;
        if ((tab == NULL) != last || !take_field(at, (size_t)(stop - at), field[i], size[i])) {
            return false;
        }
        at = stop + 1;
    }
    entry->found = true;
    return true;
}

bool hx_tune_file_read(const hx_options *options, hx_tune_entry *entry, int count)
{
    piece rest = {0};
    char *text = load(options, &rest.length);
    rest.at = text;
    piece line;
    for (int number = 1; text && next_line(&rest, &line); ++number) {
        hx_tune_entry read = {.found = false};
        if (is_remark(&line)) {
            continue;
        }
        if (!take_entry(&line, &read)) {
            hx_log(options, HX_LOG_WARNING,
                   "%s:%d: not what was measured, transport, schedule and figures, with tabs between; the "
                   "line is not used",
                   options->tune_file, number);
            continue;
        }
        for (int i = 0; i < count; ++i) {
            if (strcmp(entry[i].key, read.key) == 0) {
                entry[i] = read;
            }
        }
    }
    hx_memory_free(text);
    return text != NULL;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Will the line be written anew? */
static bool is_replaced(const piece *line, const hx_tune_entry *entry, int count)
{
    for (int i = 0; i < count; ++i) {
        const size_t length = strlen(entry[i].key);
        if (length > 0 && length < line->length && line->at[length] == '\t' &&
            memcmp(line->at, entry[i].key, length) == 0) {
            return true;
        }
    }
    return false;
}

/* All other lines as they are, then the entries. */
static void write_lines(piece rest, const hx_tune_entry *entry, int count, FILE *file)
{
    if (rest.length == 0) {
        fputs(header, file);
    }
    piece line;
    while (next_line(&rest, &line)) {
        if (!is_replaced(&line, entry, count)) {
            fwrite(line.at, 1, line.length, file);
            fputc('\n', file);
        }
    }
    for (int i = 0; i < count; ++i) {
        if (entry[i].key[0] != '\0') {
            fprintf(file, "%s\t%s\t%s\t%s\n", entry[i].key, entry[i].transport, entry[i].schedule,
                    entry[i].figures);
        }
    }
}

/* A name beside the file that nobody else has. */
static char *make_name(const char *path)
{
    const size_t size = strlen(path) + 64;
    char *name = hx_memory_get(size, 1, purpose);
    if (name) {
        const uint64_t moment = hx_hash(HX_HASH_SEED, (int64_t)(1e9 * hx_clock()));
        snprintf(name, size, "%s.%ld-%016llx", path, (long)getpid(), (unsigned long long)moment);
    }
    return name;
}

static bool replace(const hx_options *options, const char *name, piece old, const hx_tune_entry *entry,
                    int count)
{
    FILE *file = fopen(name, "wx");
    if (!file) {
        return false;
    }
    write_lines(old, entry, count, file);
    const bool failed = ferror(file) != 0;
    const bool whole = fclose(file) == 0 && !failed && rename(name, options->tune_file) == 0;
    if (!whole) {
        const int error = errno;
        remove(name);
        errno = error;
    }
    return whole;
}

void hx_tune_file_write(const hx_options *options, const hx_tune_entry *entry, int count)
{
    piece old = {0};
    char *text = load(options, &old.length);
    old.at = text;
    char *name = text ? make_name(options->tune_file) : NULL;
    errno = 0;
    if (text && !(name && replace(options, name, old, entry, count))) {
        warn(options, "cannot be written");
    }
    hx_memory_free(name);
    hx_memory_free(text);
}
