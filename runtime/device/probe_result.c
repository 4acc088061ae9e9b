#include "device/probe_result.h"

#include "base/atomic_file.h"
#include "comm/mpi_awareness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of what stands behind the verdict in a line. */
enum { REST = 2 * HX_AWARE_NAME + 2 };

static const char *const words[] = {[HX_VERDICT_NONE] = "",
                                    [HX_VERDICT_NO] = "no",
                                    [HX_VERDICT_YES] = "yes",
                                    [HX_VERDICT_INSISTED] = "insisted"};

const char *hx_verdict_path(const char *given, char path[HX_VERDICT_PATH])
{
    const char *cache = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");
    const bool has_cache = cache && cache[0] == '/';
    int length = -1;
    if (given && given[0] != '\0') {
        length = snprintf(path, HX_VERDICT_PATH, "%s", given);
    } else if (has_cache || (home && home[0] == '/')) {
        length = snprintf(path, HX_VERDICT_PATH, "%s%s/hx/verdicts", has_cache ? cache : home,
                          has_cache ? "" : "/.cache");
    }
    return length >= 0 && length < HX_VERDICT_PATH ? path : NULL;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* What stands behind the verdict in a line for these. */
static void write_rest(const char *host, const char *mpi, char rest[REST])
{
    snprintf(rest, REST, "\t%s\t%s", host, mpi);
}

/* The verdict of a line that has this rest; NONE: it is another's, or none. */
static hx_verdict verdict_of(const hx_line *line, const char *rest)
{
    const size_t length = strlen(rest);
    for (int v = HX_VERDICT_NO; v <= HX_VERDICT_INSISTED; ++v) {
        const size_t word = strlen(words[v]);
        if (line->length == word + length && memcmp(line->at, words[v], word) == 0 &&
            memcmp(line->at + word, rest, length) == 0) {
            return (hx_verdict)v;
        }
    }
    return HX_VERDICT_NONE;
}

hx_verdict hx_verdict_read(const char *path, const char *host, const char *mpi)
{
    hx_verdict verdict = HX_VERDICT_NONE;
    hx_lines lines = {0};
    hx_line line;
    char rest[REST];
    write_rest(host, mpi, rest);
    if (path && hx_lines_load(path, &lines) == HX_OK) {
        while (hx_lines_next(&lines, &line)) {
            const hx_verdict found = verdict_of(&line, rest);
            verdict = found != HX_VERDICT_NONE ? found : verdict;
        }
    }
    hx_lines_free(&lines);
    return verdict;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

/* Each directory on the way; who finds that one is missing says so. */
static void make_directories(const char *path)
{
    char part[HX_VERDICT_PATH];
    snprintf(part, sizeof part, "%s", path);
    for (char *at = strchr(part + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(part, 0777);
        *at = '/';
    }
}

typedef struct writing {
    hx_lines old;
    hx_verdict verdict;
    int hosts;
    const char *const *host;
    const char *mpi;
} writing;

static bool is_replaced(const writing *w, const hx_line *line)
{
    bool found = false;
    for (int i = 0; i < w->hosts; ++i) {
        char rest[REST];
        write_rest(w->host[i], w->mpi, rest);
        found = found || verdict_of(line, rest) != HX_VERDICT_NONE;
    }
    return found;
}

static void write_lines(FILE *file, void *context)
{
    writing *w = context;
    hx_line line;
    while (hx_lines_next(&w->old, &line)) {
        if (!is_replaced(w, &line)) {
            fwrite(line.at, 1, line.length, file);
            fputc('\n', file);
        }
    }
    for (int i = 0; i < w->hosts; ++i) {
        char rest[REST];
        write_rest(w->host[i], w->mpi, rest);
        fprintf(file, "%s%s\n", words[w->verdict], rest);
    }
}

hx_status hx_verdict_write(const char *path, hx_verdict verdict, int hosts, const char *const host[],
                           const char *mpi)
{
    writing w = {.verdict = verdict, .hosts = hosts, .host = host, .mpi = mpi};
    make_directories(path);
    hx_status status = hx_lines_load(path, &w.old);
    status = status == HX_OK ? hx_lines_replace(path, write_lines, &w) : status;
    hx_lines_free(&w.old);
    return status;
}
