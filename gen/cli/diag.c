#include "cli/diag.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *word, *color;
} severities[SEVERITIES] = {{"error", "\33[1;31m"}, {"warning", "\33[1;35m"}, {"note", "\33[1;36m"}};

static const char bold[] = "\33[1m", mark_color[] = "\33[1;32m", plain[] = "\33[0m";

static void add_colored(hg_text *out, bool color, const char *start, const hg_text *text)
{
    text_puts(out, color ? start : "");
    text_add(out, text->bytes, text->length);
    text_puts(out, color ? plain : "");
}

static void add_place(hg_text *place, const hg_remark *remark)
{
    if (remark->file.length == 0) {
        text_puts(place, "halogen: ");
        return;
    }
    if (strcmp(remark->file.bytes, "-") == 0) {
        text_puts(place, "<stdin>");
    } else {
        text_add_visible(place, remark->file.bytes, remark->file.length);
    }
    if (remark->line) {
        text_format(place, ":%u", (unsigned)remark->line);
    }
    if (remark->line && remark->column) {
        text_format(place, ":%u", (unsigned)remark->column);
    }
    text_puts(place, ": ");
}

/* Further lines are indented, so that no text of a spec can look like a diagnostic of its own. */
static void add_lines(hg_text *out, const hg_text *text)
{
    const char *line = text->bytes, *end = text->bytes + text->length;
    for (const char *stop; (stop = memchr(line, '\n', (size_t)(end - line))); line = stop + 1) {
        text_add_visible(out, line, (size_t)(stop - line));
        text_puts(out, "\n    ");
    }
    text_add_visible(out, line, (size_t)(end - line));
}

static void add_sentence(hg_text *out, const hg_remark *remark, bool color)
{
    hg_text place = {0}, word = {0};
    add_place(&place, remark);
    text_format(&word, "%s: ", severities[remark->severity].word);
    add_colored(out, color, bold, &place);
    add_colored(out, color, severities[remark->severity].color, &word);
    add_lines(out, &remark->message);
    if (remark->code.length > 0) {
        text_puts(out, " [");
        text_add_visible(out, remark->code.bytes, remark->code.length);
        text_puts(out, "]");
    }
    text_puts(out, "\n");
    text_free(&place);
    text_free(&word);
}

/* The line with that number, counted from 1, or NULL. */
static const char *find_line(const hg_text *text, uint32_t number, size_t *length)
{
    const char *line = text->bytes, *end = text->bytes + text->length;
    for (; number > 1 && line; --number) {
        line = memchr(line, '\n', (size_t)(end - line));
        line = line && line + 1 < end ? line + 1 : NULL;
    }
    if (line) {
        const char *stop = memchr(line, '\n', (size_t)(end - line));
        *length = (size_t)((stop ? stop : end) - line);
    }
    return line;
}

/* Of a very long line only the neighborhood of the marked place is shown. */
enum { SHOWN_BEFORE = 100, SHOWN_MARKED = 100, SHOWN_AFTER = 60 };

static void add_line(hg_text *out, const char *line, size_t length, const hg_remark *remark, bool color)
{
    size_t column = remark->column > 0 ? remark->column - 1 : 0;
    size_t start = column < length ? column : length;
    size_t from = start > SHOWN_BEFORE ? utf8_clip(line, length, start - SHOWN_BEFORE) : 0;
    size_t stop = start + utf8_clip(line + start, length - start,
                                    remark->length < SHOWN_MARKED ? remark->length : SHOWN_MARKED);
    size_t to = stop + utf8_clip(line + stop, length - stop, SHOWN_AFTER);
    hg_text before = {0}, marked = {0}, gutter = {0};
    text_add_visible(&before, line + from, start - from);
    text_add_visible(&marked, line + start, stop - start);
    text_format(&gutter, "%5u | ", (unsigned)remark->line);

    text_add(out, gutter.bytes, gutter.length);
    text_add(out, before.bytes, before.length);
    text_add(out, marked.bytes, marked.length);
    text_add_visible(out, line + stop, to - stop);
    text_puts(out, "\n");
    if (remark->column > 0) {
        size_t width = text_columns(&marked);
        hg_text mark = {0};
        text_puts(&mark, "^");
        text_fill(&mark, '~', width > 1 ? width - 1 : 0);
        text_fill(out, ' ', gutter.length - 2);
        text_puts(out, "| ");
        text_fill(out, ' ', text_columns(&before));
        add_colored(out, color, mark_color, &mark);
        text_puts(out, "\n");
        text_free(&mark);
    }
    text_free(&before);
    text_free(&marked);
    text_free(&gutter);
}

static void add_remark(hg_text *out, const hg_remark *remark, const hg_source *sources, size_t source_count,
                       bool color)
{
    add_sentence(out, remark, color);
    for (size_t i = 0; i < source_count && remark->line > 0 && remark->file.length > 0; ++i) {
        const hg_text *text = &sources[i].text;
        size_t length = 0;
        const char *line = NULL;
        if (text->length > 0 && strcmp(sources[i].path, remark->file.bytes) == 0) {
            line = find_line(text, remark->line, &length);
        }
        if (length > 0) {
            add_line(out, line, length, remark, color);
        }
    }
}

void diag_text(hg_text *out, const hg_diag *diag, const hg_source *sources, size_t source_count, bool color)
{
    add_remark(out, &diag->head, sources, source_count, color);
    for (size_t i = 0; i < diag->note_count; ++i) {
        add_remark(out, &diag->notes[i], sources, source_count, color);
    }
    if (diag->head.help.length > 0) {
        text_puts(out, "  help: ");
        add_lines(out, &diag->head.help);
        text_puts(out, "\n");
    }
}

static void add_json_string(hg_text *out, const char *key, const hg_text *value)
{
    if (value->length == 0) {
        return;
    }
    text_format(out, ",\"%s\":\"", key);
    text_add_json(out, value->bytes, value->length);
    text_puts(out, "\"");
}

static void add_json_number(hg_text *out, const char *key, uint32_t value)
{
    if (value > 0) {
        text_format(out, ",\"%s\":%u", key, (unsigned)value);
    }
}

static void add_json_remark(hg_text *out, const hg_remark *remark)
{
    text_format(out, "{\"severity\":\"%s\"", severities[remark->severity].word);
    add_json_string(out, "code", &remark->code);
    add_json_string(out, "file", &remark->file);
    add_json_number(out, "line", remark->line);
    add_json_number(out, "column", remark->column);
    add_json_number(out, "length", remark->length);
    if (remark->column > 0 && remark->length > 0) {
        text_format(out, ",\"end_column\":%" PRIu64, (uint64_t)remark->column + remark->length);
    }
    add_json_string(out, "message", &remark->message);
    add_json_string(out, "help", &remark->help);
}

static void add_json_fix(hg_text *out, const hg_fix *fix)
{
    text_puts(out, ",\"fix\":{\"file\":\"");
    text_add_json(out, fix->file.bytes, fix->file.length);
    text_format(out, "\",\"line\":%u,\"column\":%u,\"length\":%u,\"text\":\"", (unsigned)fix->line,
                (unsigned)fix->column, (unsigned)fix->length);
    text_add_json(out, fix->text.bytes, fix->text.length);
    text_puts(out, "\"}");
}

void diag_json(hg_text *out, const hg_diag *diag)
{
    add_json_remark(out, &diag->head);
    if (diag->fix.line > 0) {
        add_json_fix(out, &diag->fix);
    }
    for (size_t i = 0; i < diag->note_count; ++i) {
        text_puts(out, i == 0 ? ",\"notes\":[" : ",");
        add_json_remark(out, &diag->notes[i]);
        text_puts(out, "}");
    }
    text_puts(out, diag->note_count > 0 ? "]}\n" : "}\n");
}

static void remark_free(hg_remark *remark)
{
    text_free(&remark->code);
    text_free(&remark->file);
    text_free(&remark->message);
    text_free(&remark->help);
}

void diag_free(hg_diag *diag)
{
    remark_free(&diag->head);
    text_free(&diag->fix.file);
    text_free(&diag->fix.text);
    for (size_t i = 0; i < diag->note_count; ++i) {
        remark_free(&diag->notes[i]);
    }
}
