#include "child/coverage.h"

#include "base/text.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { FILES = 64, LINES = 2048 };

static struct {
    char *chunk;
    bool reached[LINES];
} files[FILES];
static size_t file_count;

/* The file of a chunk; that of the line before is likely. */
static size_t find(const char *chunk)
{
    static size_t last;
    if (last < file_count && strcmp(files[last].chunk, chunk) == 0) {
        return last;
    }
    for (last = 0; last < file_count; ++last) {
        if (strcmp(files[last].chunk, chunk) == 0) {
            return last;
        }
    }
    if (file_count < FILES) {
        files[file_count++].chunk = text_copy(chunk);
    }
    return last;
}

/* A line of a spec.  One with very many is a test of limits, in which lines are not noted any longer. */
static void note_foreign(lua_State *L)
{
    static size_t lines;
    if (++lines == 1000000) {
        lua_sethook(L, lua_gethook(L), LUA_MASKCOUNT, lua_gethookcount(L));
    }
}

bool coverage_note(lua_State *L, lua_Debug *event)
{
    if (event->event != LUA_HOOKLINE) {
        return false;
    }
    lua_getinfo(L, "S", event);
    if (strncmp(event->source, "@gen/lua/", 9) != 0) {
        note_foreign(L);
        return true;
    }
    size_t file = find(event->source);
    if (file < FILES && event->currentline < LINES) {
        files[file].reached[event->currentline] = true;
    }
    return true;
}

/* One line per file, "@gen/lua/main.lua 1 5 6", all in one piece, since others write to the same file. */
static void write_lines(const char *path)
{
    hg_text out = {0};
    for (size_t i = 0; i < file_count; ++i) {
        text_puts(&out, files[i].chunk);
        for (int line = 1; line < LINES; ++line) {
            if (files[i].reached[line]) {
                text_format(&out, " %d", line);
            }
        }
        text_puts(&out, "\n");
    }
    int descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT, 0666);
    if (descriptor < 0 || write(descriptor, out.bytes, out.length) < 0) {
        perror(path);
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    text_free(&out);
}

/* Tests of full and closed disks have nowhere to write to: what such a child reached is not told. */
static void save(void)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_FSIZE, &limit);
    const char *path = getenv("HALOGEN_LINES");
    if (path && file_count > 0) {
        write_lines(path);
    }
}

void coverage_begin(void)
{
    atexit(save);
}

_Noreturn void coverage_exit(int status)
{
    exit(status);
}
