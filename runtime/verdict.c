#include "verdict.h"

#include "memory.h"
#include "status.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a line, and of a file that is looked at. */
enum { LINE = 1024, LONGEST = 1 << 20 };

static const char purpose[] = "a file of verdicts";

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
static void write_rest(const char *host, const char *mpi, char rest[LINE])
{
    snprintf(rest, LINE, "\t%s\t%s", host, mpi);
}

/* The verdict of a line that has this rest; NONE: it is another's, or none. */
static hx_verdict verdict_of(const char *line, const char *rest)
{
    const size_t word = strcspn(line, "\t");
    for (int v = HX_VERDICT_NO; v <= HX_VERDICT_INSISTED; ++v) {
        if (strlen(words[v]) == word && memcmp(line, words[v], word) == 0 && strcmp(line + word, rest) == 0) {
            return (hx_verdict)v;
        }
    }
    return HX_VERDICT_NONE;
}

/* The next line, without its end; longer ones in pieces, which are nobody's. */
static bool next_line(FILE *file, char line[LINE])
{
    if (!fgets(line, LINE, file)) {
        return false;
    }
    line[strcspn(line, "\n")] = '\0';
    return true;
}

static FILE *open_old(const char *path)
{
    struct stat found;
    const bool usable = stat(path, &found) == 0 && S_ISREG(found.st_mode) && found.st_size <= LONGEST;
    return usable ? fopen(path, "r") : NULL;
}

hx_verdict hx_verdict_read(const char *path, const char *host, const char *mpi)
{
    hx_verdict verdict = HX_VERDICT_NONE;
    char rest[LINE];
    char line[LINE];
    FILE *file = path ? open_old(path) : NULL;
    write_rest(host, mpi, rest);
    while (file && next_line(file, line)) {
        const hx_verdict found = verdict_of(line, rest);
        verdict = found != HX_VERDICT_NONE ? found : verdict;
    }
    if (file) {
        fclose(file);
    }
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

static bool is_replaced(const char *line, int hosts, const char *const host[], const char *mpi)
{
    bool found = false;
    for (int i = 0; i < hosts; ++i) {
        char rest[LINE];
        write_rest(host[i], mpi, rest);
        found = found || verdict_of(line, rest) != HX_VERDICT_NONE;
    }
    return found;
}

static void write_lines(FILE *old, FILE *file, hx_verdict verdict, int hosts, const char *const host[],
                        const char *mpi)
{
    char line[LINE];
    while (old && next_line(old, line)) {
        if (!is_replaced(line, hosts, host, mpi)) {
            fprintf(file, "%s\n", line);
        }
    }
    for (int i = 0; i < hosts; ++i) {
        char rest[LINE];
        write_rest(host[i], mpi, rest);
        fprintf(file, "%s%s\n", words[verdict], rest);
    }
}

static bool replace(const char *path, const char *name, hx_verdict verdict, int hosts,
                    const char *const host[], const char *mpi)
{
    FILE *file = fopen(name, "wx");
    if (!file) {
        return false;
    }
    FILE *old = open_old(path);
    write_lines(old, file, verdict, hosts, host, mpi);
    if (old) {
        fclose(old);
    }
    const bool failed = ferror(file) != 0;
    const bool whole = fclose(file) == 0 && !failed && rename(name, path) == 0;
    if (!whole) {
        const int error = errno;
        remove(name);
        errno = error;
    }
    return whole;
}

hx_status hx_verdict_write(const char *path, hx_verdict verdict, int hosts, const char *const host[],
                           const char *mpi)
{
    const size_t size = strlen(path) + 32;
    char *name = hx_memory_get(size, 1, purpose);
    if (!name) {
        return HX_ERR_MEMORY;
    }
    snprintf(name, size, "%s.%ld", path, (long)getpid());
    make_directories(path);
    const bool whole = replace(path, name, verdict, hosts, host, mpi);
    const int error = errno;
    hx_memory_free(name);
    return whole ? HX_OK
                 : hx_fail(HX_ERR_ARGUMENT, "The file of verdicts %s cannot be written: %s.", path,
                           strerror(error));
}
