#include "actions.h"
#include "report.h"

hg_exit_code action_check(const hg_options *options)
{
    hg_exit_code worst = EXIT_OK;
    for (int i = 0; i < options->operand_count; ++i) {
        hg_options one = *options;
        one.spec = options->operands[i];
        hg_run *run = run_generator(&one);
        report_run(run, &one);
        worst = run->code > worst ? run->code : worst;
        run_free(run);
    }
    return worst;
}
