/* halogen: from a spec to the C code of its halo exchanges. */
#include "actions.h"
#include "child/filter.h"
#include "cli/help.h"
#include "report.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

/* Of a command; behind a spec its parameters, too. */
static hg_exit_code help(const hg_options *options)
{
    hg_text text = {0};
    if (options->has_command || options->spec) {
        help_command(options->command, &text);
    } else {
        help_overview(&text);
    }
    if (options->spec) {
        text_format(&text, "\nparameters of %s:\n", options->spec);
    }
    hg_exit_code code = report_text(&text, options);
    text_free(&text);
    if (code != EXIT_OK || !options->spec) {
        return code;
    }
    hg_options params = *options;
    params.command = COMMAND_PARAMS;
    return action_print(&params);
}

/* `halogen help COMMAND` is `halogen COMMAND --help`. */
static hg_exit_code action_help(const hg_options *options)
{
    const char *name = options->operand_count > 0 ? options->operands[0] : NULL;
    hg_options of = {.command = name ? command_find(name) : COMMAND_HELP, .has_command = name};
    if (of.command < COMMANDS) {
        return help(&of);
    }
    hg_text problem = {0};
    command_unknown(name, &problem);
    report_failure(EXIT_USAGE, options, "HG0010", problem.bytes, "halogen --help lists the commands");
    text_free(&problem);
    return EXIT_USAGE;
}

static hg_exit_code print_version(const hg_options *options)
{
    hg_text text = {0};
    text_format(&text, "halogen " HALOGEN_VERSION "\n%s\n", filter_description());
    hg_exit_code code = report_text(&text, options);
    text_free(&text);
    return code;
}

static hg_exit_code (*const actions[COMMANDS])(const hg_options *options) = {
    [COMMAND_GENERATE] = action_generate, [COMMAND_CHECK] = action_check, [COMMAND_EXPLAIN] = action_explain,
    [COMMAND_PARAMS] = action_print,      [COMMAND_INIT] = action_init,   [COMMAND_DIAGNOSTIC] = action_print,
    [COMMAND_TRACE] = action_trace,       [COMMAND_HELP] = action_help,
};

/*
 * A closed standard stream would leave its number to the next file, which then takes what is meant for the stream.
 * What stands there instead cannot be used either: there is no reading from the first, nor writing to the others.
 */
static void keep_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (fcntl(stream, F_GETFD) < 0) {
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

int main(int count, char **arguments)
{
    keep_standard_streams();
    /* Whatever was inherited: children can be waited for, and a full disk is an error, not a death. */
    signal(SIGCHLD, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN);

    hg_options options;
    hg_text problem = {0};
    hg_exit_code code;
    if (!options_parse(count, arguments, &options, &problem)) {
        hg_text cure = {0};
        text_format(&cure, "halogen %s%s--help lists the %s",
                    options.has_command ? commands[options.command].name : "", options.has_command ? " " : "",
                    options.has_command ? "options" : "commands");
        code = report_failure(EXIT_USAGE, &options, "HG0010", problem.bytes, cure.bytes);
        text_free(&cure);
    } else if (options.help) {
        code = help(&options);
    } else if (options.version) {
        code = print_version(&options);
    } else {
        code = actions[options.command](&options);
    }
    text_free(&problem);
    return (int)code;
}
