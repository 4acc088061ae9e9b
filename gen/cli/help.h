/* What halogen says about its own use. */
#ifndef HALOGEN_HELP_H
#define HALOGEN_HELP_H

#include "cli/commands.h"

/* Usage, the commands, the exit codes. */
void help_overview(hg_text *text);
/* Usage of a command, its options, examples. */
void help_command(hg_command command, hg_text *text);
/* "halogen generate SPEC -o DIR [OPTION...]". */
void help_usage(hg_command command, hg_text *text);

#endif
