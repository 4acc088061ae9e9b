#include "trace/waits.h"

#include "trace/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---------------------------------------------------------------------------------- */

static bool has_end(const char *name, size_t size)
{
    return memchr(name, '\0', size) != NULL;
}

static bool is_exchange_sound(const hxi_waits_handle *handle, const hxi_waits_exchange *exchange)
{
    return has_end(exchange->name, sizeof exchange->name) && exchange->phase >= 0 && exchange->phase < 100 &&
           exchange->first >= 0 && exchange->messages >= 0 &&
           exchange->messages <= handle->messages - exchange->first;
}

static bool is_handle_sound(const hxi_waits_handle *handle)
{
    bool sound = has_end(handle->spec, sizeof handle->spec) && has_end(handle->file, sizeof handle->file) &&
                 has_end(handle->sentence, sizeof handle->sentence) &&
                 has_end(handle->calling, sizeof handle->calling) && handle->exchanges >= 0 &&
                 handle->exchanges <= HX_WAITS_EXCHANGES && handle->messages >= 0 &&
                 handle->messages <= HX_WAITS_MESSAGES;
    for (int e = 0; sound && e < handle->exchanges; ++e) {
        sound = is_exchange_sound(handle, &handle->exchange[e]);
    }
    return sound;
}

static bool is_sound(const hxi_waits_head *head, size_t size)
{
    bool sound = size >= sizeof *head && memcmp(head->magic, HX_WAITS_MAGIC, sizeof HX_WAITS_MAGIC) == 0 &&
                 head->order == HX_WAITS_ORDER && head->bytes == sizeof *head &&
                 has_end(head->host, sizeof head->host) && has_end(head->creating, sizeof head->creating);
    for (int i = 0; sound && i < HX_WAITS_HANDLES; ++i) {
        sound = is_handle_sound(&head->handle[i]);
    }
    return sound;
}

/* Whether the number of the process means here what it means where the file was written. */
static bool is_of_here(const hxi_waits_head *head)
{
    char here[sizeof head->host] = "";
    struct stat space;
    return gethostname(here, sizeof here - 1) == 0 && strcmp(here, head->host) == 0 && head->space != 0 &&
           stat(HX_WAITS_SPACE, &space) == 0 && space.st_ino == head->space;
}

/* What the system says of a process of this machine. */
static hg_waits_process look_at(const hxi_waits_head *head)
{
    char path[64], line[512] = "";
    if (!is_of_here(head)) {
        return PROCESS_UNKNOWN;
    }
    snprintf(path, sizeof path, "/proc/%lld/stat", (long long)head->pid);
    FILE *stream = fopen(path, "r");
    const bool is_read = stream && fgets(line, sizeof line, stream);
    if (stream) {
        fclose(stream);
    }
    const char *behind = is_read ? strrchr(line, ')') : NULL; /* the name before it may be any text */
    const char state = behind && behind[1] == ' ' ? behind[2] : 'X';
    return strchr("XxZ", state) ? PROCESS_GONE : strchr("Tt", state) ? PROCESS_STOPPED : PROCESS_RUNS;
}

/* Where it waits: what failed comes first. */
static void find_wait(hg_waits_rank *rank)
{
    for (int i = 0; i < HX_WAITS_HANDLES; ++i) {
        const hxi_waits_handle *handle = &rank->head->handle[i];
        for (int e = 0; handle->id != 0 && e < handle->exchanges; ++e) {
            const hxi_waits_exchange *exchange = &handle->exchange[e];
            const bool failed = exchange->state == HX_WAITS_FAILED;
            if (failed || (exchange->state == HX_WAITS_WAITING && !rank->exchange)) {
                rank->handle = handle;
                rank->exchange = exchange;
            }
        }
    }
}

static hg_waits_rank *add_rank(hg_waits *waits)
{
    waits->rank = memory_resize(waits->rank, (waits->count + 1) * sizeof *waits->rank);
    waits->rank[waits->count] = (hg_waits_rank){0};
    return &waits->rank[waits->count++];
}

static bool read_rank(const char *path, hg_waits *waits, hg_text *problem)
{
    size_t size = 0;
    hg_waits_rank *rank = add_rank(waits);
    if (!files_load(path, &rank->bytes, &size, problem)) {
        return false;
    }
    const hxi_waits_head *head = (const hxi_waits_head *)rank->bytes;
    if (!is_sound(head, size)) {
        text_format(problem, "%s was not written by this version of libhx, on a machine like this", path);
        return false;
    }
    rank->head = head;
    rank->rank = head->process;
    rank->process = look_at(head);
    find_wait(rank);
    return true;
}

/* ---- who is out ------------------------------------------------------------------------------- */

static int compare_counts(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* How often at least half of the processes answered SIGUSR1: who asks one alone by hand makes no other one silent. */
static uint64_t count_questions(const hg_waits *waits)
{
    uint64_t *answers = memory_resize(NULL, waits->count * sizeof *answers);
    for (size_t i = 0; i < waits->count; ++i) {
        answers[i] = waits->rank[i].head->answers;
    }
    qsort(answers, waits->count, sizeof *answers, compare_counts);
    const uint64_t questions = answers[waits->count / 2];
    free(answers);
    return questions;
}

static double day_time_of_answer(const hxi_waits_head *head)
{
    return head->answers > 0 ? head->day_time + head->answered - head->seconds : 0.0;
}

/* Signals that come at a time may count once, so an answer of that time counts as well. */
static void find_silent(hg_waits *waits)
{
    const double apart = 2.0;
    const uint64_t questions = count_questions(waits);
    double latest = 0.0;
    for (size_t i = 0; i < waits->count; ++i) {
        const double answer = day_time_of_answer(waits->rank[i].head);
        latest = answer > latest ? answer : latest;
    }
    for (size_t i = 0; i < waits->count && questions > 0; ++i) {
        hg_waits_rank *rank = &waits->rank[i];
        rank->silent = rank->head->answers < questions && day_time_of_answer(rank->head) < latest - apart;
        waits->answers += !rank->silent;
    }
}

/*
 * Where all processes of this machine are gone the run is over, and where they were when it ended counts; but one that
 * is alone here, or kept silent, may be the only one that is gone.
 */
static void find_gone(hg_waits *waits)
{
    size_t here = 0, gone = 0;
    for (size_t i = 0; i < waits->count; ++i) {
        here += waits->rank[i].process != PROCESS_UNKNOWN;
        gone += waits->rank[i].process == PROCESS_GONE;
    }
    const bool is_over = gone == here && (here > 1 || waits->count == 1);
    waits->is_over = gone == waits->count;
    for (size_t i = 0; i < waits->count; ++i) {
        hg_waits_rank *rank = &waits->rank[i];
        if (is_over && rank->process == PROCESS_GONE && !rank->silent) {
            rank->process = PROCESS_UNKNOWN;
        }
    }
}

bool waits_is_out(const hg_waits_rank *rank)
{
    return rank->process == PROCESS_GONE || rank->process == PROCESS_STOPPED ||
           (rank->process == PROCESS_UNKNOWN && rank->silent);
}

/* They wait for nobody: nothing that others do makes them go on.  What one gave up waiting for before is told. */
static void forget_waits(hg_waits *waits)
{
    for (size_t i = 0; i < waits->count; ++i) {
        hg_waits_rank *rank = &waits->rank[i];
        if (waits_is_out(rank) && rank->exchange && rank->exchange->state != HX_WAITS_FAILED) {
            rank->exchange = NULL;
        }
    }
}

/* ---- who waits for whom ----------------------------------------------------------------------- */

/* A rank of a handle, and its number among the processes. */
typedef struct hg_name {
    uint64_t id;
    int rank;
    size_t number;
} hg_name;

typedef struct hg_names {
    hg_name *name; /* rising */
    size_t count;
} hg_names;

static int compare_names(const void *left, const void *right)
{
    const hg_name *a = left, *b = right;
    return a->id != b->id ? (a->id > b->id) - (a->id < b->id) : (a->rank > b->rank) - (a->rank < b->rank);
}

static hg_names names_of_files(const hg_waits *waits)
{
    hg_names names = {memory_resize(NULL, (waits->count * HX_WAITS_HANDLES + 1) * sizeof *names.name), 0};
    for (size_t i = 0; i < waits->count; ++i) {
        for (int h = 0; h < HX_WAITS_HANDLES; ++h) {
            const hxi_waits_handle *handle = &waits->rank[i].head->handle[h];
            if (handle->id != 0) {
                names.name[names.count++] = (hg_name){handle->id, handle->rank, i};
            }
        }
    }
    qsort(names.name, names.count, sizeof *names.name, compare_names);
    return names;
}

/* The number of a rank of a handle; one without a file is added. */
static size_t find_rank(hg_waits *waits, const hg_names *names, uint64_t id, int rank)
{
    const hg_name key = {id, rank, 0};
    const hg_name *found = bsearch(&key, names->name, names->count, sizeof key, compare_names);
    if (found) {
        return found->number;
    }
    for (size_t i = waits->count; i > 0 && !waits->rank[i - 1].head; --i) {
        if (waits->rank[i - 1].id == id && waits->rank[i - 1].rank == rank) {
            return i - 1;
        }
    }
    hg_waits_rank *absent = add_rank(waits);
    absent->id = id;
    absent->rank = rank;
    return waits->count - 1;
}

static void add_wait(hg_waits *waits, size_t from, size_t to)
{
    hg_waits_rank *rank = &waits->rank[from];
    size_t place = 0;
    while (place < rank->to_count && rank->to[place] < to) {
        ++place;
    }
    if (place < rank->to_count && rank->to[place] == to) {
        return;
    }
    rank->to = memory_resize(rank->to, (rank->to_count + 1) * sizeof *rank->to);
    memmove(rank->to + place + 1, rank->to + place, (rank->to_count - place) * sizeof *rank->to);
    rank->to[place] = to;
    ++rank->to_count;
}

/* comes: messages of its phase that did not come; else those that nobody took. */
static void add_waits(hg_waits *waits, const hg_names *names, size_t from, bool comes)
{
    const hxi_waits_handle *handle = waits->rank[from].handle;
    const hxi_waits_exchange *exchange = waits->rank[from].exchange;
    for (int i = 0; i < exchange->messages; ++i) {
        const hxi_waits_message *m = &handle->message[exchange->first + i];
        const bool is_due = comes ? m->phase == exchange->phase : m->phase <= exchange->phase;
        if (m->comes == comes && !m->done && is_due) {
            add_wait(waits, from, find_rank(waits, names, handle->id, m->peer));
        }
    }
}

/* Counts for whom a rank waits, over others, too. */
static void follow(hg_waits *waits, size_t from, bool *seen, size_t *stack)
{
    size_t depth = 0;
    memset(seen, 0, waits->count * sizeof *seen);
    seen[from] = true;
    stack[depth++] = from;
    while (depth > 0) {
        const hg_waits_rank *rank = &waits->rank[stack[--depth]];
        for (size_t i = 0; i < rank->to_count; ++i) {
            const size_t to = rank->to[i];
            if (!seen[to]) {
                seen[to] = true;
                ++waits->rank[to].waiting;
                stack[depth++] = to;
            }
        }
    }
}

size_t waits_company(const hg_waits *waits, const hg_waits_rank *rank, size_t *gave_up)
{
    size_t company = 0;
    *gave_up = 0;
    for (size_t i = 0; i < waits->count && rank->exchange; ++i) {
        const hg_waits_rank *other = &waits->rank[i];
        if (other->exchange && other->handle->id == rank->handle->id &&
            other->exchange - other->handle->exchange == rank->exchange - rank->handle->exchange) {
            company++;
            *gave_up += other->exchange->state == HX_WAITS_FAILED;
        }
    }
    return company;
}

bool waits_outlasts(const hg_waits *waits, const hg_waits_rank *rank)
{
    size_t gave_up = 0;
    const size_t company = waits_company(waits, rank, &gave_up);
    return rank->exchange && rank->exchange->state != HX_WAITS_FAILED && 2 * gave_up > company;
}

/* Those who are where a rank is; who does not give up as most others do is alone. */
static size_t count_company(const hg_waits *waits, const hg_waits_rank *rank)
{
    size_t gave_up = 0;
    const size_t company = waits_company(waits, rank, &gave_up);
    return waits_outlasts(waits, rank) ? 1 : company;
}

/* For which most wait; of several, which wait for each other, the one that is where the fewest are. */
static size_t find_first(const hg_waits *waits)
{
    size_t first = waits->count, company = 0;
    for (size_t i = 0; i < waits->count; ++i) {
        const hg_waits_rank *rank = &waits->rank[i];
        const size_t own = count_company(waits, rank);
        const size_t most = first < waits->count ? waits->rank[first].waiting : 0;
        if (rank->waiting > most || (rank->waiting == most && most > 0 && own < company)) {
            first = i;
            company = own;
        }
    }
    return first;
}

static int compare_ranks(const void *left, const void *right)
{
    const hg_waits_rank *a = left, *b = right;
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static void find_waits(hg_waits *waits)
{
    const size_t files = waits->count;
    const hg_names names = names_of_files(waits);
    for (size_t i = 0; i < files; ++i) {
        if (waits->rank[i].exchange) {
            add_waits(waits, &names, i, true);
        }
        if (waits->rank[i].exchange && waits->rank[i].to_count == 0) {
            add_waits(waits, &names, i, false);
        }
    }
    free(names.name);
    bool *seen = memory_resize(NULL, waits->count * sizeof *seen);
    size_t *stack = memory_resize(NULL, waits->count * sizeof *stack);
    for (size_t i = 0; i < waits->count; ++i) {
        follow(waits, i, seen, stack);
    }
    free(seen);
    free(stack);
    waits->first = find_first(waits);
}

bool waits_read(const char *directory, hg_waits *waits, hg_text *problem)
{
    hg_files files;
    *waits = (hg_waits){0};
    if (!files_list(directory, HX_WAITS_ENDING, &files, problem)) {
        return false;
    }
    if (files.count == 0) {
        text_format(problem,
                    "%s has no file rank-*" HX_WAITS_ENDING "; run the program with HX_DEADLINE_REPORT=DIR",
                    directory);
    }
    for (size_t i = 0; i < files.count && problem->length == 0; ++i) {
        read_rank(files.path[i], waits, problem);
    }
    files_free(&files);
    if (problem->length > 0) {
        waits_free(waits);
        return false;
    }
    qsort(waits->rank, waits->count, sizeof *waits->rank, compare_ranks);
    find_silent(waits);
    find_gone(waits);
    forget_waits(waits);
    find_waits(waits);
    return true;
}

void waits_free(hg_waits *waits)
{
    for (size_t i = 0; i < waits->count; ++i) {
        free(waits->rank[i].bytes);
        free(waits->rank[i].to);
    }
    free(waits->rank);
    *waits = (hg_waits){0};
}
