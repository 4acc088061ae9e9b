/* What each command does.  `halogen help` is main.c's. */
#ifndef HALOGEN_ACTIONS_H
#define HALOGEN_ACTIONS_H

#include "cli/options.h"

/* Writes, compares or lists the files of a spec, or prints a stage of the way. */
enum exit_code action_generate(const struct options *options);
/* Says what is wrong with each spec. */
enum exit_code action_check(const struct options *options);
/* Writes files to start from. */
enum exit_code action_init(const struct options *options);
/* Prints what Lua has to say: the parameters of a spec, or the text of a diagnostic. */
enum exit_code action_print(const struct options *options);
/* Tells what the exchanges of a spec do on so many cells and ranks. */
enum exit_code action_explain(const struct options *options);
/* Makes one file, and a summary, of those that a run with HX_TRACE wrote; or tells why a run does not go on. */
enum exit_code action_trace(const struct options *options);

#endif
