#include "actions.h"
#include "report.h"

enum exit_code action_print(const struct options *options)
{
    struct run *run = run_generator(options);
    report_run(run, options);
    enum exit_code code = run->code;
    if (code == EXIT_SPEC && options->diagnostic) {
        code = EXIT_USAGE;
    }
    if (code == EXIT_OK) {
        code = report_text(&run->printed, options);
    }
    run_free(run);
    return code;
}
