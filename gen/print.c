#include "actions.h"
#include "report.h"

hg_exit_code action_print(const hg_options *options)
{
    hg_run *run = run_generator(options);
    report_run(run, options);
    hg_exit_code code = run->code;
    if (code == EXIT_SPEC && options->diagnostic) {
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK) {
        code = report_text(&run->printed, options);
    }
    run_free(run);
    return code;
}
