#include "child/confine.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#ifdef __has_feature
#define HAS_FEATURE(name) __has_feature(name)
#else
#define HAS_FEATURE(name) 0
#endif

/* Sanitizers reserve terabytes of address space for their shadows. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || HAS_FEATURE(address_sanitizer) ||         \
    HAS_FEATURE(thread_sanitizer) || HAS_FEATURE(memory_sanitizer)
static const bool limit_address_space = false;
#else
static const bool limit_address_space = true;
#endif

bool confine_is_instrumented(void)
{
    return !limit_address_space;
}

/* The most that the child may allow itself to write: nothing, but for builds that count covered lines. */
#ifdef HALOGEN_COVERAGE
static const rlim_t most_written = RLIM_INFINITY;
#else
static const rlim_t most_written = 0;
#endif

static const struct {
    const char *code, *before;
    int number;
    const char *after, *help;
} words[LIMITS] = {
    [LIMIT_TIME] = {"HG0001", "the spec did not finish within", CPU_SECONDS, "seconds",
                    "look for a loop that does not end, or for one that does too much"},
    [LIMIT_INSTRUCTIONS] = {"HG0002", "the spec did not finish within", INSTRUCTIONS_IN_MILLIONS,
                            "million steps of Lua",
                            "look for a loop that does not end, or for one that does too much"},
    [LIMIT_MEMORY] = {"HG0003", "the spec needs more than", LUA_MEBIBYTES, "MiB of memory",
                      "look for a string or table that grows without end"},
    [LIMIT_SOURCES] = {"HG0004", "the spec includes more than", SOURCES_MAX, "files, or more than 64 MiB",
                       "look for an include inside a loop"},
    [LIMIT_OUTPUTS] = {"HG0005", "the spec leads to more than", OUTPUT_BYTES_MAX / MEBIBYTE,
                       "MiB of generated code, or to too many files", "divide the spec into several"},
    [LIMIT_PRINT] = {"HG0006", "the spec leads to more than", PRINT_BYTES_MAX / MEBIBYTE,
                     "MiB of printed text", "divide the spec into several"},
};

const char *limit_code(hg_limit limit)
{
    return words[limit].code;
}

/* Does a limit end what takes long, rather than what grows? */
static bool is_of_time(hg_limit limit)
{
    return limit == LIMIT_TIME || limit == LIMIT_INSTRUCTIONS;
}

const char *limit_help(hg_limit limit, bool proving)
{
    return proving && is_of_time(limit) ? "make widths smaller, or divide the spec into several: every "
                                          "width and every place of points is proved by itself"
                                        : words[limit].help;
}

void limit_message(hg_limit limit, bool proving, hg_text *message)
{
    int number = limit == LIMIT_TIME ? patient(words[limit].number) : words[limit].number;
    const char *before = proving && is_of_time(limit)
                             ? "the proof of the spec came to this exchange, and did not finish within"
                             : words[limit].before;
    text_format(message, "%s %d %s", before, number, words[limit].after);
}

int patient(int seconds)
{
    const char *text = getenv("HALOGEN_PATIENCE");
    long times = text != NULL ? strtol(text, NULL, 10) : 1;
    return seconds * (int)(times < 1 ? 1 : times > 100 ? 100 : times);
}

static void lower(int resource, rlim_t soft, rlim_t hard)
{
    struct rlimit now = {RLIM_INFINITY, RLIM_INFINITY};
    getrlimit(resource, &now);
    if (now.rlim_max == RLIM_INFINITY || now.rlim_max > hard) {
        now.rlim_max = hard;
    }
    now.rlim_cur = soft < now.rlim_max ? soft : now.rlim_max;
    setrlimit(resource, &now);
}

void confine(void)
{
    /* The signals that end a process at a limit must do so, whatever was inherited. */
    static const int deadly[] = {SIGXCPU, SIGXFSZ, SIGPIPE};
    for (size_t i = 0; i < sizeof deadly / sizeof deadly[0]; ++i) {
        signal(deadly[i], SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);

    lower(RLIMIT_FSIZE, 0, most_written);
    lower(RLIMIT_CORE, 0, 0);
    lower(RLIMIT_NOFILE, DESCRIPTORS, DESCRIPTORS);
    if (limit_address_space) {
        lower(RLIMIT_AS, (rlim_t)ADDRESS_SPACE_MEBIBYTES * MEBIBYTE,
              (rlim_t)ADDRESS_SPACE_MEBIBYTES * MEBIBYTE);
    }
}

void confine_time(void (*time_is_up)(int signal))
{
    struct sigaction action = {.sa_handler = time_is_up, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGXCPU, &action, NULL);
    /* The system sends SIGXCPU every second from the first limit on, and SIGKILL at the second. */
    rlim_t seconds = (rlim_t)patient(CPU_SECONDS);
    lower(RLIMIT_CPU, seconds, seconds + 2 * LAST_WORDS_SECONDS);
}

void confine_for_last_words(void)
{
    signal(SIGXCPU, SIG_DFL);
}
