#include "child/child.h"

#include "child/coverage.h"
#include "child/host.h"
#include "child/modules.h"
#include "child/records.h"

#include <fcntl.h>
#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

hg_child *child_of(lua_State *L)
{
    return *(hg_child **)lua_getextraspace(L);
}

static hg_text borrow(const char *string)
{
    return (hg_text){.bytes = (char *)(uintptr_t)string, .length = string ? strlen(string) : 0};
}

/* Whether `source`, the name of a chunk, is a file that the spec consists of; which one, or NULL. */
static const char *file_of_chunk(const hg_child *child, const char *source)
{
    for (size_t i = 0; i < child->file_count; ++i) {
        if (source[0] == '@' && strcmp(source + 1, child->files[i]) == 0) {
            return child->files[i];
        }
    }
    return NULL;
}

void child_stop(hg_child *child, hg_limit limit)
{
    hg_record record = {.kind = RECORD_LIMIT, .numbers = {limit}};
    lua_Debug frame;
    const char *file = NULL;
    for (int level = 0; !file && child->state && lua_getstack(child->state, level, &frame); ++level) {
        lua_getinfo(child->state, "Sl", &frame);
        file = file_of_chunk(child, frame.source);
        if (file) {
            record.numbers[1] = (uint32_t)frame.currentline;
        }
    }
    if (child->proved) {
        record.numbers[1] = child->proved_line;
        record.numbers[2] = true;
        file = child->proved;
    }
    record.texts[0] = borrow(file);
    record_send(child->pipe, &record);
    coverage_exit(EXIT_SPEC);
}

/* Whether the file was read before; if not, counts it as read. */
static bool is_known(hg_child *child, const char *path)
{
    for (size_t i = 0; i < child->file_count; ++i) {
        if (strcmp(child->files[i], path) == 0) {
            return true;
        }
    }
    if (child->file_count == SOURCES_MAX) {
        child_stop(child, LIMIT_SOURCES);
    }
    child->files[child->file_count++] = text_copy(path);
    return false;
}

bool child_read(hg_child *child, const char *path, hg_text *text, hg_text *problem)
{
    if (!source_read(path, SOURCE_BYTES_MAX, text, problem)) {
        return false;
    }
    if (!is_known(child, path)) {
        child->file_bytes += text->length;
        if (child->file_bytes > SOURCE_BYTES_MAX) {
            child_stop(child, LIMIT_SOURCES);
        }
        hg_record record = {.kind = RECORD_SOURCE, .texts = {borrow(path), *text}};
        record_send(child->pipe, &record);
    }
    return true;
}

static void *allocate(void *user, void *old, size_t old_size, size_t size)
{
    hg_child *child = user;
    if (!old) {
        old_size = 0; /* Lua passes the kind of object */
    }
    if (size > (size_t)LUA_MEBIBYTES * MEBIBYTE - (child->memory - old_size)) {
        child_stop(child, LIMIT_MEMORY);
    }
    child->memory += size - old_size;
    if (size == 0) {
        free(old);
        return NULL;
    }
    void *memory = realloc(old, size);
    if (!memory) {
        child_stop(child, LIMIT_MEMORY);
    }
    return memory;
}

enum { HOOK_INSTRUCTIONS = 10000 };

static void count_instructions(lua_State *L, lua_Debug *event)
{
    if (coverage_note(L, event)) {
        return;
    }
    hg_child *child = child_of(L);
    child->instructions += HOOK_INSTRUCTIONS;
    if (child->instructions >= INSTRUCTIONS_IN_MILLIONS * (size_t)1000000) {
        child_stop(child, LIMIT_INSTRUCTIONS);
    }
}

static void stop_in_time(lua_State *L, lua_Debug *event)
{
    (void)event;
    child_stop(child_of(L), LIMIT_TIME);
}

/* The time is up: the next instruction of Lua says where.  Setting a hook is what Lua allows a signal handler
 * to do. */
static lua_State *volatile timed;

static void time_is_up(int signal)
{
    (void)signal;
    if (timed) {
        lua_sethook(timed, stop_in_time, LUA_MASKCOUNT, 1);
    }
    confine_for_last_words();
}

static int add_traceback(lua_State *L)
{
    luaL_tolstring(L, 1, NULL);
    luaL_traceback(L, L, lua_tostring(L, -1), 1);
    return 1;
}

/* In a protected call, so that an error while the state is set up is reported like any other. */
static int run_main(lua_State *L)
{
    luaL_openlibs(L);
    host_open(L);
    modules_open(L);
    modules_load(L, "lua/main.lua");
    lua_pop(L, 1);
    lua_call(L, 0, 0);
    return 0;
}

static void silence_standard_streams(void)
{
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
    }
}

void child_run(hg_child *child)
{
    is_known(child, child->spec->path);
    lua_State *L = lua_newstate(allocate, child);
    *(hg_child **)lua_getextraspace(L) = child;
    timed = child->state = L;
    lua_sethook(L, count_instructions, LUA_MASKCOUNT | COVERAGE_EVENTS, HOOK_INSTRUCTIONS);
    lua_pushcfunction(L, add_traceback);
    lua_pushcfunction(L, run_main);
    hg_record last = {.kind = RECORD_END};
    if (lua_pcall(L, 0, 0, 1) == LUA_OK) {
        last.numbers[0] = child->failed;
        last.numbers[1] = child->left_out;
    } else {
        last.kind = RECORD_INTERNAL;
        last.texts[0] = borrow(lua_tostring(L, -1));
        last.texts[0].length = utf8_clip(last.texts[0].bytes, last.texts[0].length, TRACE_MAX);
    }
    record_send(child->pipe, &last);
}

void child_free(hg_child *child)
{
    timed = NULL;
    lua_close(child->state);
    while (child->file_count > 0) {
        free(child->files[--child->file_count]);
    }
    free(child->proved);
}

void child_main(hg_child *child)
{
    child->is_own_process = true;
    silence_standard_streams();
    confine();
    coverage_begin();
    confine_time(time_is_up);
    child_run(child);
    child_free(child);
    coverage_exit(EXIT_OK);
}
