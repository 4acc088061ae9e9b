#include "create/tune_file.h"

#include "base/atomic_file.h"
#include "base/log.h"
#include "base/status.h"

#include <string.h>

enum { FIELDS = 4 };

static const char header[] =
    "# What libhx measured (option tune_file): what for, transport, schedule, figures.\n"
    "# Lines may be deleted; what they were for is then measured again.\n";

/* ---- reading ------------------------------------------------------------------------------------------- */

/* False: it cannot be read, which was said. */
static bool load(const hx_options *options, hxi_atomic_file *lines)
{
    const bool loaded = hxi_atomic_file_load(options->tune_file, lines) == HX_OK;
    if (!loaded) {
        hxi_log(options, HX_LOG_WARNING, "option tune_file: %s", hx_last_error());
    }
    return loaded;
}

static bool is_remark(const hxi_atomic_file_line *line)
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
static bool take_entry(const hxi_atomic_file_line *line, hxi_tune_entry *entry)
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

bool hxi_tune_file_read(const hx_options *options, hxi_tune_entry *entry, int count)
{
    hxi_atomic_file lines;
    hxi_atomic_file_line line;
    const bool loaded = load(options, &lines);
    for (int number = 1; hxi_atomic_file_next(&lines, &line); ++number) {
        hxi_tune_entry read = {.found = false};
        if (is_remark(&line)) {
            continue;
        }
        if (!take_entry(&line, &read)) {
            hxi_log(options, HX_LOG_WARNING,
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
    hxi_atomic_file_free(&lines);
    return loaded;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Will the line be written anew? */
static bool is_replaced(const hxi_atomic_file_line *line, const hxi_tune_entry *entry, int count)
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

/* A file that libhx never wrote to is somebody's: it has neither the remark at its start nor an entry. */
static bool is_ours(hxi_atomic_file lines)
{
    static const char remark[] = "# What libhx measured";
    const size_t length = sizeof remark - 1;
    bool ours =
        lines.rest.length == 0 || (lines.rest.length >= length && memcmp(lines.rest.at, remark, length) == 0);
    hxi_atomic_file_line line;
    hxi_tune_entry entry;
    while (!ours && hxi_atomic_file_next(&lines, &line)) {
        ours = !is_remark(&line) && take_entry(&line, &entry);
    }
    return ours;
}

typedef struct writing {
    hxi_atomic_file old;
    const hxi_tune_entry *entry;
    int count;
} writing;

/* All other lines as they are, then the entries. */
static void write_lines(FILE *file, void *context)
{
    writing *w = context;
    if (w->old.rest.length == 0) {
        fputs(header, file);
    }
    hxi_atomic_file_line line;
    while (hxi_atomic_file_next(&w->old, &line)) {
        if (!is_replaced(&line, w->entry, w->count)) {
            fwrite(line.at, 1, line.length, file);
            fputc('\n', file);
        }
    }
    for (const hxi_tune_entry *entry = w->entry; entry < w->entry + w->count; ++entry) {
        if (entry->key[0] != '\0') {
            fprintf(file, "%s\t%s\t%s\t%s\n", entry->key, entry->transport, entry->schedule, entry->figures);
        }
    }
}

void hxi_tune_file_write(const hx_options *options, const hxi_tune_entry *entry, int count)
{
    writing w = {.entry = entry, .count = count};
    if (!load(options, &w.old)) {
        return;
    }
    if (!is_ours(w.old)) {
        hxi_log(options, HX_LOG_WARNING,
                "option tune_file: %s was not written by libhx, and is left as it is; name another file",
                options->tune_file);
    } else if (hxi_atomic_file_replace(options->tune_file, write_lines, &w) != HX_OK) {
        hxi_log(options, HX_LOG_WARNING, "option tune_file: %s", hx_last_error());
    }
    hxi_atomic_file_free(&w.old);
}
