/* For builds that count which lines tests reach (./dev test --coverage, which has meson setup
 * -Db_coverage=true): the child notes lines of Lua, and may write its counts when it ends.  In all other
 * builds nothing here does anything. */
#ifndef HALOGEN_COVERAGE_H
#define HALOGEN_COVERAGE_H

#include <lua.h>
#include <stdbool.h>
#include <unistd.h>

#ifdef HALOGEN_COVERAGE

enum { COVERAGE_EVENTS = LUA_MASKLINE };

/* Whether a hook was called for a new line, which is noted. */
bool coverage_note(lua_State *L, lua_Debug *event);

/* Once the child is confined: when it ends, counts of lines of C go where the compiler says, those of Lua to
 * the file that HALOGEN_LINES names. */
void coverage_begin(void);

_Noreturn void coverage_exit(int status);

#else

enum { COVERAGE_EVENTS = 0 };

static inline bool coverage_note(lua_State *L, lua_Debug *event)
{
    (void)L;
    (void)event;
    return false;
}

static inline void coverage_begin(void)
{
}

_Noreturn static inline void coverage_exit(int status)
{
    _exit(status);
}

#endif
#endif
