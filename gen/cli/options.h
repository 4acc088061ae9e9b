/* The command line. */
#ifndef HALOGEN_OPTIONS_H
#define HALOGEN_OPTIONS_H

#include "base/text.h"
#include "cli/commands.h"

typedef enum hg_exit_code { EXIT_OK = 0, EXIT_SPEC = 1, EXIT_USAGE = 2, EXIT_INTERNAL = 3 } hg_exit_code;

/* What can be emitted; `options_emits` has the words of --emit. */
typedef enum hg_emits { EMIT_C, EMIT_CHECK, EMIT_CXX, EMIT_FORTRAN, EMIT_PYTHON, EMITS } hg_emits;
extern const char *const options_emits[EMITS];

/* More than any spec needs. */
enum { PARAMS_MAX = 64 };

/* Strings point into the arguments; one that was not given is NULL. */
typedef struct hg_options {
    hg_command command;
    bool has_command;      /* its word was given */
    char *const *operands; /* what was given besides options, without the command */
    int operand_count;
    const char *spec;       /* the first operand of a command about specs; "-": standard input */
    const char *diagnostic; /* a code, or "" for all */
    const char *name;       /* of the spec that init writes */
    const char *grid, *build, *language;
    const char *annotations; /* the folder of them, if there is one; not from the arguments */
    const char *output, *emit, *depfile, *stamp, *templates, *dump, *diag;
    /* Of explain. */
    const char *cells, *ranks, *parts, *rank, *node, *schedule, *format, *html, *run, *stats, *machine;
    /* What the files of --run, --stats and --machine have; action_explain reads them. */
    hg_text run_text, stats_text, machine_text;
    const char *params[PARAMS_MAX]; /* NAME=VALUE each */
    int param_count;
    bool links, list_outputs, compare, keep_unchanged, help, version;
    bool emits[EMITS], json; /* what `emit` and `diag` say */
} hg_options;

/* Returns false if the arguments make no sense; `problem` then has a sentence that says how to go on.  Orders
 * `arguments` anew: operands come first. */
bool options_parse(int count, char **arguments, hg_options *options, hg_text *problem);

/* Whether this run leaves generated files behind. */
bool options_write_files(const hg_options *options);

#endif
