#include "trace/files.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

static bool has_end(const char *name, size_t size)
{
    return memchr(name, '\0', size) != NULL;
}

/* Whether all that the head counts, and each name, lies in it. */
static bool is_sound(const hxi_trace_head *head)
{
    bool sound = head->handles >= 0 && head->handles <= HX_TRACE_HANDLES && head->exchanges >= 0 &&
                 head->exchanges <= HX_TRACE_EXCHANGES && head->transports >= 0 &&
                 head->transports <= HX_TRACE_TRANSPORTS && head->room > 0 &&
                 has_end(head->host, sizeof head->host);
    for (int i = 0; sound && i < head->handles; ++i) {
        const hxi_trace_handle *h = &head->handle[i];
        sound = has_end(h->spec, sizeof h->spec) && has_end(h->file, sizeof h->file) && h->first >= 0 &&
                h->exchanges >= 0 && h->exchanges <= head->exchanges - h->first && h->rank >= 0 &&
                h->rank < h->ranks;
    }
    for (int i = 0; sound && i < head->exchanges; ++i) {
        sound = has_end(head->exchange[i].name, sizeof head->exchange[i].name);
    }
    for (int i = 0; sound && i < head->transports; ++i) {
        sound = has_end(head->transport[i], sizeof head->transport[i]);
    }
    return sound;
}

static bool is_of_head(const hxi_trace_head *head, const hxi_trace_record *r)
{
    return r->handle < head->handles && r->transport <= head->transports &&
           (r->exchange < 0 || r->exchange < head->handle[r->handle].exchanges);
}

static int compare_records(const void *left, const void *right)
{
    const hxi_trace_record *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

/* Keeps the records that are whole, in order.  Of those that are not, the process died while it wrote one. */
static void take_records(hg_trace_file *file, size_t size)
{
    const hxi_trace_head *head = file->head;
    size_t records = (size - sizeof *head) / sizeof *file->record;
    records = records < head->room ? records : (size_t)head->room;
    file->record = (hxi_trace_record *)(file->bytes + sizeof *head);
    for (size_t i = 0; i < records; ++i) {
        const hxi_trace_record *r = &file->record[i];
        if (r->number > 0 && (r->number - 1) % head->room == i && is_of_head(head, r)) {
            file->record[file->count++] = *r;
        }
    }
    qsort(file->record, file->count, sizeof *file->record, compare_records);
    file->dropped = head->count > head->room ? head->count - head->room : 0;
}

static bool read_file(hg_trace_file *file, hg_text *problem)
{
    size_t size = 0;
    if (!files_load(file->path, &file->bytes, &size, problem)) {
        return false;
    }
    file->head = (const hxi_trace_head *)file->bytes;
    if (size < sizeof *file->head || memcmp(file->head->magic, HX_TRACE_MAGIC, sizeof HX_TRACE_MAGIC) != 0 ||
        file->head->order != HX_TRACE_ORDER || file->head->record_bytes != sizeof *file->record ||
        file->head->head_bytes != sizeof *file->head) {
        text_format(problem, "%s is no trace of this version of libhx, on a machine like this", file->path);
        return false;
    }
    if (!is_sound(file->head)) {
        text_format(problem, "%s is damaged: its head counts what it does not have", file->path);
        return false;
    }
    take_records(file, size);
    return true;
}

static int compare_files(const void *left, const void *right)
{
    const hg_trace_file *a = left, *b = right;
    return (a->head->process > b->head->process) - (a->head->process < b->head->process);
}

bool trace_read(const char *directory, hg_trace *trace, hg_text *problem)
{
    *trace = (hg_trace){0};
    hg_files files;
    if (!files_list(directory, HX_TRACE_ENDING, &files, problem)) {
        return false;
    }
    if (files.count == 0) {
        text_format(problem, "%s has no file rank-*" HX_TRACE_ENDING "; run the program with HX_TRACE=DIR",
                    directory);
    }
    trace->file = memory_resize(NULL, (files.count + 1) * sizeof *trace->file);
    for (size_t i = 0; i < files.count && problem->length == 0; ++i) {
        trace->file[trace->count] = (hg_trace_file){.path = text_copy(files.path[i])};
        hg_trace_file *file = &trace->file[trace->count++];
        if (read_file(file, problem)) {
            trace_read_spans(file, problem);
        }
    }
    files_free(&files);
    if (problem->length > 0) {
        trace_free(trace);
        return false;
    }
    qsort(trace->file, trace->count, sizeof *trace->file, compare_files);
    return true;
}

void trace_free(hg_trace *trace)
{
    for (size_t i = 0; i < trace->count; ++i) {
        free(trace->file[i].path);
        free(trace->file[i].bytes);
        free(trace->file[i].span_bytes);
        free(trace->file[i].span);
        free(trace->file[i].step);
    }
    free(trace->file);
    free(trace->message);
    *trace = (hg_trace){0};
}

const hxi_trace_handle *trace_handle(const hg_trace_file *file, const hxi_trace_record *record)
{
    return &file->head->handle[record->handle];
}

const char *trace_exchange(const hg_trace_file *file, const hxi_trace_record *record)
{
    const int first = trace_handle(file, record)->first;
    return record->exchange < 0 ? "" : file->head->exchange[first + record->exchange].name;
}
