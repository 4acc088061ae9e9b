#include "actions.h"
#include "report.h"

enum exit_code action_check(const struct options *options)
{
    enum exit_code worst = EXIT_OK;
    for (int i = 0; i < options->operand_count; ++i) {
        struct options one = *options;
        one.spec = options->operands[i];
        struct run *run = run_generator(&one);
        report_run(run, &one);
        worst = run->code > worst ? run->code : worst;
        run_free(run);
    }
    return worst;
}
