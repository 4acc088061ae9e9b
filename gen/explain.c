#include "actions.h"
#include "report.h"

#include <string.h>

/* Numbers that do not go together are wrong usage, what is wrong with the spec is not. */
static bool is_wrong_usage(const struct run *run)
{
    return run->diag_count > 0 && strcmp(run->diags[0].head.code.bytes, "HG0010") == 0;
}

enum exit_code action_explain(const struct options *options)
{
    struct run *run = run_generator(options);
    report_run(run, options);
    enum exit_code code = run->code == EXIT_SPEC && is_wrong_usage(run) ? EXIT_USAGE : run->code;
    if (code == EXIT_OK) {
        code = report_text(&run->printed, options);
    }
    run_free(run);
    return code;
}
