#include "child/filter.h"

#ifdef HALOGEN_SECCOMP

#include "child/confine.h"

#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Allocation, time, the handler of a signal, and the end, also by abort().  qsort of glibc asks how much memory the
 * machine has, by sysinfo. */
static const int harmless[] = {
    SCMP_SYS(brk),           SCMP_SYS(munmap),         SCMP_SYS(mremap),       SCMP_SYS(madvise),
    SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday),   SCMP_SYS(time),         SCMP_SYS(futex),
    SCMP_SYS(rt_sigaction),  SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(restart_syscall),
    SCMP_SYS(getpid),        SCMP_SYS(gettid),         SCMP_SYS(exit),         SCMP_SYS(exit_group),
    SCMP_SYS(sysinfo),
};

/* What sanitizers need, for what they do and to say what they found. */
static const int of_sanitizers[] = {
    SCMP_SYS(sigaltstack), SCMP_SYS(sched_yield), SCMP_SYS(getrlimit),
    SCMP_SYS(prlimit64),   SCMP_SYS(readlink),    SCMP_SYS(getrusage),
};

static int allow(scmp_filter_ctx filter, const int *calls, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count && !failed; ++i) {
        failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
    }
    return failed;
}

static int allow_write(scmp_filter_ctx filter, int descriptor)
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1,
                            SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)descriptor));
}

/* Memory that no code runs in. */
static int allow_memory(scmp_filter_ctx filter)
{
    int failed = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
                                  SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
    return failed ? failed
                  : seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
                                     SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
}

/* abort() sends a signal, and only to this process. */
static int allow_abort(scmp_filter_ctx filter)
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                            SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
}

/* Valgrind asks the system for more, in the same process, and has no filters itself. */
static bool is_under_valgrind(void)
{
    const char *libraries = getenv("LD_PRELOAD");
    return libraries && strstr(libraries, "/vgpreload_");
}

void filter_seal(int pipe)
{
    scmp_filter_ctx filter = is_under_valgrind() ? NULL : seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) {
        return;
    }
    int failed = allow(filter, harmless, sizeof harmless / sizeof harmless[0]);
    failed = failed ? failed : allow_memory(filter);
    failed = failed ? failed : allow_abort(filter);
    failed = failed ? failed : allow_write(filter, pipe);
    if (confine_is_instrumented()) {
        failed =
            failed ? failed : allow(filter, of_sanitizers, sizeof of_sanitizers / sizeof of_sanitizers[0]);
        failed = failed ? failed : allow_write(filter, STDERR_FILENO);
    }
    /* A kernel without filters refuses to load it. */
    if (!failed) {
        seccomp_load(filter);
    }
    seccomp_release(filter);
}

const char *filter_description(void)
{
    return "a spec is confined by limits, and once it is read by a filter of system calls (seccomp)";
}

#else

void filter_seal(int pipe)
{
    (void)pipe;
}

const char *filter_description(void)
{
    return "a spec is confined by limits; this build has no filter of system calls";
}

#endif
