/* What each command does.  `halogen help` is main.c's. */
#ifndef HALOGEN_ACTIONS_H
#define HALOGEN_ACTIONS_H

#include "cli/options.h"

/* Writes, compares or lists the files of a spec, or prints a stage of the way. */
hg_exit_code action_generate(const hg_options *options);
/* Says what is wrong with each spec. */
hg_exit_code action_check(const hg_options *options);
/* Writes files to start from. */
hg_exit_code action_init(const hg_options *options);
/* Prints what Lua has to say: the parameters of a spec, or the text of a diagnostic. */
hg_exit_code action_print(const hg_options *options);
/* Tells what the exchanges of a spec do on so many cells and ranks. */
hg_exit_code action_explain(const hg_options *options);
/* Makes one file, and a summary, of those that a run with HX_TRACE wrote; or tells why a run does not go on. */
hg_exit_code action_trace(const hg_options *options);

#endif
