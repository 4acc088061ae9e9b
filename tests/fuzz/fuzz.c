/*
 * The generator from the text of a spec to the text of its outputs, for libFuzzer: child and parent in one
 * process, joined by a file in memory instead of a pipe.  Nothing is printed or written but what libFuzzer
 * finds: a crash, a leak, an internal error, a spec that takes too long, or one whose outputs differ when it
 * is generated again.
 *
 * The linker leads _exit and lua_sethook here (see fuzz.sh): a limit that ends the child ends the run only,
 * and lines of our Lua modules count as covered, like branches of C.
 */
#define _GNU_SOURCE

#include "child/child.h"
#include "run.h"

#include <lua.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
_Noreturn void __real__exit(int status);
_Noreturn void __wrap__exit(int status);
void __real_lua_sethook(lua_State *L, lua_Hook hook, int mask, int count);
void __wrap_lua_sethook(lua_State *L, lua_Hook hook, int mask, int count);

/* ---- the end of a child ---- */

static jmp_buf end_of_child;
static bool child_runs;

_Noreturn void __wrap__exit(int status)
{
    if (!child_runs) {
        __real__exit(status);
    }
    child_runs = false;
    longjmp(end_of_child, 1);
}

/* ---- lines of Lua ---- */

/* libFuzzer reads this section as counters of its own. */
static __attribute__((section("__libfuzzer_extra_counters"))) uint8_t lines[1 << 14];

static lua_Hook hook_of_child;

static void count_line(lua_State *L, lua_Debug *event)
{
    if (event->event != LUA_HOOKLINE) {
        hook_of_child(L, event);
        return;
    }
    lua_getinfo(L, "S", event);
    if (strncmp(event->source, "@gen/", 5) != 0 && strncmp(event->source, "@templates/", 11) != 0) {
        return;
    }
    uint32_t hash = (uint32_t)event->currentline;
    for (const char *at = event->source; *at; ++at) {
        hash = hash * 31 + (unsigned char)*at;
    }
    lines[hash * 2654435761u >> 18] = 1;
}

void __wrap_lua_sethook(lua_State *L, lua_Hook hook, int mask, int count)
{
    hook_of_child = hook;
    __real_lua_sethook(L, count_line, mask | LUA_MASKLINE, count);
}

/* ---- one run ---- */

static _Noreturn void find(const char *what, const char *text)
{
    fprintf(stderr, "fuzz: %s\n%s\n", what, text);
    abort();
}

static int memory_file(void)
{
    int file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0) {
        find("no file in memory", "");
    }
    return file;
}

/* As the parent reads a spec; its name leads nowhere, so that includes find nothing. */
static void read_spec(const uint8_t *data, size_t size, hg_run *run, hg_text *problem)
{
    int file = memory_file();
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (write(file, data, size) != (ssize_t)size) {
        find("no memory for the spec", "");
    }
    run->sources[0].path = text_copy("/no/such/directory/spec.lua");
    run->source_count = 1;
    source_read(path, SOURCE_BYTES_MAX, &run->sources[0].text, problem);
    /* The descriptor differs from run to run. */
    if (problem->length > 0) {
        text_free(problem);
        text_puts(problem, "cannot read the spec");
    }
    close(file);
}

static void run_child(int records, const hg_options *options, hg_run *run, const hg_text *problem)
{
    /* Of the limits a part is used up: thousands of specs are tried, and what grows or loops shows early. */
    const size_t steps_left = 5000000, memory_left = (size_t)64 * MEBIBYTE;
    static hg_child child;
    child = (hg_child){
        .pipe = records,
        .options = options,
        .spec = &run->sources[0],
        .spec_problem = problem,
        .instructions = (size_t)INSTRUCTIONS_IN_MILLIONS * 1000000 - steps_left,
        .memory = (size_t)LUA_MEBIBYTES * MEBIBYTE - memory_left,
    };
    if (setjmp(end_of_child) == 0) {
        child_runs = true;
        child_run(&child);
        child_runs = false;
    }
    __real_lua_sethook(child.state, NULL, 0, 0);
    child_free(&child);
}

static hg_run *generate(const uint8_t *data, size_t size, const hg_options *options)
{
    hg_run *run = memory_resize(NULL, sizeof *run);
    *run = (hg_run){0};
    hg_text problem = {0};
    read_spec(data, size, run, &problem);
    int records = memory_file();
    run_child(records, options, run, &problem);
    lseek(records, 0, SEEK_SET);
    if (run_collect(records, 0, run) != RECORD_RECEIVED) {
        find("the child did not end in order", "");
    }
    if (run->code == EXIT_INTERNAL) {
        find("internal error", run->internal.bytes);
    }
    close(records);
    text_free(&problem);
    return run;
}

/* What a user sees on standard error. */
static hg_text shown(const hg_run *run)
{
    hg_text text = {0};
    text_puts(&text, "");
    for (size_t i = 0; i < run->diag_count; ++i) {
        diag_text(&text, &run->diags[i], run->sources, run->source_count, true);
        diag_json(&text, &run->diags[i]);
    }
    return text;
}

static void compare(const hg_run *first, const hg_run *second)
{
    hg_text before = shown(first), after = shown(second);
    if (strcmp(before.bytes, after.bytes) != 0) {
        find("other diagnostics the second time", after.bytes);
    }
    if (first->code != second->code || first->output_count != second->output_count) {
        find("another end the second time", "");
    }
    for (size_t i = 0; i < first->output_count; ++i) {
        if (strcmp(first->outputs[i].text.bytes, second->outputs[i].text.bytes) != 0) {
            find("another output the second time", second->outputs[i].text.bytes);
        }
    }
    text_free(&before);
    text_free(&after);
}

static void discard(hg_run *run)
{
    run_free(run);
}

/* Again, and by the way one of the dumps. */
static void generate_again(const uint8_t *data, size_t size, const hg_options *options, const hg_run *first)
{
    hg_run *second = generate(data, size, options);
    compare(first, second);
    discard(second);
    static const char *const dumps[] = {"model", "links", "plan"};
    hg_options dump = *options;
    dump.dump = dumps[size % 3];
    discard(generate(data, size, &dump));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const hg_options options = {.spec = "/no/such/directory/spec.lua",
                                       .output = "out",
                                       .emits = {[EMIT_C] = true, [EMIT_CHECK] = true}};
    hg_run *run = generate(data, size, &options);
    hg_text text = shown(run);
    if (run->code == EXIT_SPEC && text.length == 0) {
        find("refused without a word", "");
    }
    text_free(&text);
    if (run->code == EXIT_OK) {
        generate_again(data, size, &options, run);
    }
    discard(run);
    return 0;
}
