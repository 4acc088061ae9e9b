#include "child/host.h"

#include "base/hash.h"
#include "child/child.h"
#include "child/filter.h"
#include "child/modules.h"
#include "child/records.h"
#include "cli/output.h"
#include "explain/functions.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

static hg_text text_at(lua_State *L, int index)
{
    hg_text text = {0};
    text.bytes = (char *)(uintptr_t)lua_tolstring(L, index, &text.length);
    return text;
}

/* read(path) -> text | nil, message: the spec, or a file below its directory. */
static int host_read(lua_State *L)
{
    hg_child *child = child_of(L);
    size_t length;
    const char *path = luaL_checklstring(L, 1, &length);
    hg_text text = {0}, problem = {0};
    if (length > MESSAGE_MAX) {
        text_puts(&problem, "cannot read a file with so long a name");
    } else if (strlen(path) < length) {
        text_format(&problem, "cannot read '%s...': the name has a NUL byte", path);
    } else if (strcmp(path, child->spec->path) == 0) {
        text_add(&text, child->spec->text.bytes, child->spec->text.length);
        text_add(&problem, child->spec_problem->bytes, child->spec_problem->length);
    } else if (source_is_inside(child->spec->path, path, &problem)) {
        child_read(child, path, &text, &problem);
    }
    if (problem.length > 0) {
        lua_pushnil(L);
    } else {
        lua_pushlstring(L, text.bytes, text.length);
    }
    lua_pushlstring(L, problem.bytes, problem.length);
    int results = problem.length > 0 ? 2 : 1;
    lua_settop(L, 1 + results);
    text_free(&text);
    text_free(&problem);
    return results;
}

/* template(name) -> text, chunk name | nil, message */
static int host_template(lua_State *L)
{
    modules_push_text(L, luaL_checkstring(L, 1));
    return 2;
}

/* overrides() -> list of {name=, hash=} */
static int host_overrides(lua_State *L)
{
    modules_push_overrides(L);
    return 1;
}

/* hash(text) -> 16 hexadecimal digits */
static int host_hash(lua_State *L)
{
    size_t length;
    const char *bytes = luaL_checklstring(L, 1, &length);
    char digits[HASH_DIGITS + 1];
    hash_text(bytes, length, digits);
    lua_pushlstring(L, digits, HASH_DIGITS);
    return 1;
}

/* Leaves the string on the stack, since the record borrows it. */
static hg_text text_field(lua_State *L, int table, const char *key)
{
    lua_getfield(L, table, key);
    hg_text text = text_at(L, -1);
    text.length = text.bytes ? utf8_clip(text.bytes, text.length, MESSAGE_MAX) : 0;
    return text;
}

static uint32_t number_field(lua_State *L, int table, const char *key)
{
    lua_getfield(L, table, key);
    lua_Integer value = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return value > 0 && value <= INT32_MAX ? (uint32_t)value : 0;
}

static void send_remark(lua_State *L, int table, hg_record_kind kind, uint32_t severity)
{
    hg_record record = {
        .kind = kind,
        .numbers = {severity, number_field(L, table, "line"), number_field(L, table, "col"),
                    number_field(L, table, "length")},
        .texts = {text_field(L, table, "code"), text_field(L, table, "file"), text_field(L, table, "message"),
                  text_field(L, table, "help")},
    };
    record_send(child_of(L)->pipe, &record);
    lua_pop(L, RECORD_TEXTS);
}

/* The fix at `index`, which must be a table. */
static void send_fix(lua_State *L, int index)
{
    luaL_checktype(L, index, LUA_TTABLE);
    hg_record record = {
        .kind = RECORD_FIX,
        .numbers = {number_field(L, index, "line"), number_field(L, index, "col"),
                    number_field(L, index, "length")},
        .texts = {text_field(L, index, "file"), text_field(L, index, "text")},
    };
    record_send(child_of(L)->pipe, &record);
}

/* report(diag): see docs/internals/generator.md for the keys. */
static int host_report(lua_State *L)
{
    static const char *const severities[] = {"error", "warning", "note", NULL};
    hg_child *child = child_of(L);
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    lua_getfield(L, 1, "severity");
    int severity = luaL_checkoption(L, 2, NULL, severities);
    child->failed = child->failed || severity == 0;
    if (child->diags == DIAGS_MAX) {
        ++child->left_out;
        return 0;
    }
    ++child->diags;
    send_remark(L, 1, RECORD_DIAG, (uint32_t)severity);
    if (lua_getfield(L, 1, "fix") != LUA_TNIL) {
        send_fix(L, 3);
    }
    lua_settop(L, 2);
    if (lua_getfield(L, 1, "notes") == LUA_TNIL) {
        return 0;
    }
    luaL_checktype(L, 3, LUA_TTABLE);
    for (lua_Integer i = 1; i <= NOTES_MAX && lua_geti(L, 3, i) == LUA_TTABLE; ++i, lua_settop(L, 3)) {
        send_remark(L, 4, RECORD_NOTE, 2);
    }
    return 0;
}

/* output(name, text) */
static int host_output(lua_State *L)
{
    hg_child *child = child_of(L);
    luaL_checkstring(L, 1);
    luaL_checkstring(L, 2);
    hg_record record = {.kind = RECORD_OUTPUT, .texts = {text_at(L, 1), text_at(L, 2)}};
    if (!output_name_is_plain(record.texts[0].bytes, record.texts[0].length)) {
        return luaL_error(L, "'%s' is not a plain file name", record.texts[0].bytes);
    }
    child->output_bytes += record.texts[1].length;
    if (++child->outputs > OUTPUTS_MAX || child->output_bytes > OUTPUT_BYTES_MAX) {
        child_stop(child, LIMIT_OUTPUTS);
    }
    record_send(child->pipe, &record);
    return 0;
}

/* print(text) */
static int host_print(lua_State *L)
{
    hg_child *child = child_of(L);
    luaL_checkstring(L, 1);
    hg_record record = {.kind = RECORD_PRINT, .texts = {text_at(L, 1)}};
    child->print_bytes += record.texts[0].length;
    if (child->print_bytes > PRINT_BYTES_MAX) {
        child_stop(child, LIMIT_PRINT);
    }
    record_send(child->pipe, &record);
    return 0;
}

/* compile(text, chunk name, environment) -> function | nil, message: text only, no precompiled chunk */
static int host_compile(lua_State *L)
{
    size_t length;
    const char *text = luaL_checklstring(L, 1, &length);
    const char *name = luaL_checkstring(L, 2);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 3);
    if (luaL_loadbufferx(L, text, length, name, "t") != LUA_OK) {
        lua_pushnil(L);
        lua_insert(L, -2);
        return 2;
    }
    lua_pushvalue(L, 3);
    lua_setupvalue(L, -2, 1);
    return 1;
}

/* proving(file, line): where in the spec that is asked for which is proved from now on; without arguments
 * nothing is any more. */
static int host_proving(lua_State *L)
{
    hg_child *child = child_of(L);
    const char *file = luaL_optstring(L, 1, NULL);
    free(child->proved);
    child->proved = file ? text_copy(file) : NULL;
    child->proved_line = (uint32_t)luaL_optinteger(L, 2, 0);
    return 0;
}

/* seal(): all files have been read; from now on this process can only compute, and tell what it found. */
static int host_seal(lua_State *L)
{
    const hg_child *child = child_of(L);
    if (child->is_own_process) {
        filter_seal(child->pipe);
    }
    return 0;
}

static const luaL_Reg functions[] = {
    {"read", host_read},
    {"template", host_template},
    {"overrides", host_overrides},
    {"hash", host_hash},
    {"report", host_report},
    {"output", host_output},
    {"print", host_print},
    {"compile", host_compile},
    {"proving", host_proving},
    {"seal", host_seal},
    {NULL, NULL},
};

static void set_string(lua_State *L, const char *key, const char *value)
{
    lua_pushstring(L, value);
    lua_setfield(L, -2, key);
}

static void set_text(lua_State *L, const char *key, const hg_text *text)
{
    lua_pushlstring(L, text->bytes ? text->bytes : "", text->length);
    lua_setfield(L, -2, key);
}

static void set_flag(lua_State *L, const char *key, bool value)
{
    lua_pushboolean(L, value);
    lua_setfield(L, -2, key);
}

static void push_options(lua_State *L, const hg_options *options)
{
    lua_createtable(L, 0, 27);
    set_string(L, "spec", options->spec);
    set_string(L, "output", options->output);
    set_string(L, "dump", options->dump);
    set_string(L, "command", commands[options->command].name);
    set_string(L, "diagnostic", options->diagnostic);
    set_string(L, "cells", options->cells);
    set_string(L, "ranks", options->ranks);
    set_string(L, "parts", options->parts);
    set_string(L, "rank", options->rank);
    set_string(L, "node", options->node);
    set_string(L, "schedule", options->schedule);
    set_string(L, "format", options->format);
    set_flag(L, "html", options->html != NULL);
    set_string(L, "run", options->run);
    set_text(L, "run_text", &options->run_text);
    set_string(L, "stats", options->stats);
    set_text(L, "stats_text", &options->stats_text);
    set_string(L, "machine", options->machine);
    set_text(L, "machine_text", &options->machine_text);
    set_string(L, "version", HALOGEN_VERSION);
    set_string(L, "name", options->name);
    set_string(L, "grid", options->grid);
    set_string(L, "build", options->build);
    set_string(L, "language", options->language);
    set_string(L, "annotations", options->annotations);
    set_flag(L, "links", options->links);
    set_flag(L, "list_outputs", options->list_outputs);
    set_flag(L, "templates", options->templates != NULL);
    lua_createtable(L, options->param_count, 0);
    for (int i = 0; i < options->param_count; ++i) {
        lua_pushstring(L, options->params[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "params");
    lua_createtable(L, 0, EMITS);
    for (int i = 0; i < EMITS; ++i) {
        set_flag(L, options_emits[i], options->emits[i]);
    }
    lua_setfield(L, -2, "emit");
}

void host_open(lua_State *L)
{
    luaL_newlib(L, functions);
    explain_add_functions(L);
    push_options(L, child_of(L)->options);
    lua_setfield(L, -2, "options");
    lua_setglobal(L, "host");
}
