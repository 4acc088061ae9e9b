/* What halogen says about its own use. */
#ifndef HALOGEN_HELP_H
#define HALOGEN_HELP_H

#include "cli/commands.h"

/* Usage, the commands, the exit codes. */
void help_overview(struct text *text);
/* Usage of a command, its options, examples. */
void help_command(enum command command, struct text *text);
/* "halogen generate SPEC -o DIR [OPTION...]". */
void help_usage(enum command command, struct text *text);

#endif
