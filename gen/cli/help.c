#include "cli/help.h"

#include "cli/option_table.h"

#include <string.h>

enum { WIDTH = 100 };

/* Appends words without backquotes, in lines of at most WIDTH columns that begin at column `indent`; the first
 * has something up to there already. */
static void add_wrapped(hg_text *text, const char *words, size_t indent)
{
    size_t column = indent;
    while (*words) {
        size_t length = strcspn(words, " "), shown = 0;
        for (size_t i = 0; i < length; ++i) {
            shown += words[i] != '`';
        }
        if (column > indent && column + 1 + shown > WIDTH) {
            text_puts(text, "\n");
            text_fill(text, ' ', indent);
            column = indent;
        } else if (column > indent) {
            text_puts(text, " ");
            ++column;
        }
        for (size_t i = 0; i < length; ++i) {
            if (words[i] != '`') {
                text_add(text, words + i, 1);
            }
        }
        column += shown;
        words += length + (words[length] == ' ');
    }
    text_puts(text, "\n");
}

/* A line of two columns. */
static void add_row(hg_text *text, const char *left, const char *right)
{
    enum { LEFT = 30 };
    text_format(text, "  %-*s", LEFT - 2, left);
    if (strlen(left) + 3 > LEFT) {
        text_puts(text, "\n");
        text_fill(text, ' ', LEFT);
    }
    add_wrapped(text, right, LEFT);
}

static void add_options(hg_text *text, unsigned of)
{
    text_puts(text, "\noptions:\n");
    for (const hg_option *option = option_table; option->name; ++option) {
        hg_text left = {0};
        if (!(option->commands & of)) {
            continue;
        }
        if (option->letter) {
            text_format(&left, "-%c, ", option->letter);
        }
        text_format(&left, "%s%s%s", option->name, option->value ? " " : "",
                    option->value ? option->value : "");
        add_row(text, left.bytes, option->help);
        text_free(&left);
    }
}

void help_usage(hg_command command, hg_text *text)
{
    const hg_command_row *row = &commands[command];
    text_format(text, "halogen %s %s%s%s [OPTION...]", row->name, row->operand, row->needed ? " " : "",
                row->needed ? row->needed : "");
}

void help_overview(hg_text *text)
{
    text_puts(text,
              "usage: halogen COMMAND ...\n"
              "       halogen SPEC -o DIR [OPTION...]     the same as halogen generate\n\n"
              "Turns a spec of halo exchanges into C code. halogen COMMAND --help tells the options and\n"
              "examples of a command.\n\ncommands:\n");
    for (hg_command i = COMMAND_GENERATE; i < COMMANDS; ++i) {
        hg_text left = {0};
        text_format(&left, "%s %s", commands[i].name, commands[i].operand);
        add_row(text, left.bytes, commands[i].summary);
        text_free(&left);
    }
    add_options(text, OF_HALOGEN);
    text_puts(text,
              "\nexit codes: 0 done; 1 the spec is wrong, or --compare found a difference;\n"
              "            2 wrong usage, or files that cannot be written; 3 an error in halogen itself\n");
}

void help_command(hg_command command, hg_text *text)
{
    const hg_command_row *row = &commands[command];
    text_puts(text, "usage: ");
    help_usage(command, text);
    text_puts(text, "\n\n");
    add_wrapped(text, row->text, 0);
    add_options(text, 1u << command);
    text_puts(text, "\nexamples:\n");
    for (int i = 0; i < EXAMPLES_MAX && row->examples[i].line; ++i) {
        text_format(text, "  %s\n      %s\n", row->examples[i].line, row->examples[i].what);
    }
}
