/* Prints halogen(1): its frame, with the commands and options of the tables that --help shows, too.
 *
 * usage: manual FRAME, a page of mdoc with the lines @synopsis@, @commands@, @options@ */
#include "cli/option_table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_capital(const char *text)
{
    return isupper((unsigned char)text[text[0] == '`']);
}

/* Text without what mdoc would take for its own; what stands between backquotes is bold. */
static void put_text(const char *text)
{
    bool is_bold = false, starts_line = true;
    for (; *text; ++text) {
        if (starts_line && (*text == '.' || *text == '\'')) {
            fputs("\\&", stdout);
        }
        starts_line = false;
        if (*text == '`') {
            is_bold = !is_bold;
            fputs(is_bold ? "\\fB" : "\\fR", stdout);
        } else if (*text == '\\') {
            fputs("\\e", stdout);
        } else if (*text == '-' && is_bold) {
            fputs("\\-", stdout);
        } else if (*text == ' ' && text[-1] == '.' && is_capital(text + 1)) {
            putchar('\n'); /* a sentence begins a line */
            starts_line = true;
        } else {
            putchar(*text);
        }
    }
}

/* Half a sentence as a whole one. */
static void put_sentence(const char *half)
{
    putchar(toupper((unsigned char)half[0]));
    put_text(half + 1);
    puts(".");
}

/* Options such as "--cells N,N --ranks N", one a line. */
static void put_needed(const char *options)
{
    while (*options) {
        size_t length = strcspn(options, " ");
        if (*options == '-') {
            printf(".Fl %.*s", (int)length - 1, options + 1);
        } else {
            printf(" Ar %.*s\n", (int)length, options);
        }
        options += length + (options[length] == ' ');
    }
}

static void put_synopsis(void)
{
    for (hg_command i = COMMAND_GENERATE; i < COMMANDS; ++i) {
        const hg_command_row *row = &commands[i];
        bool is_optional = row->operand[0] == '[';
        int length = (int)strcspn(row->operand + is_optional, ".]");
        printf(".Nm\n%s %s\n", i == COMMAND_GENERATE ? ".Op Cm" : ".Cm", row->name);
        printf("%s %.*s%s\n", is_optional ? ".Op Ar" : ".Ar", length, row->operand + is_optional,
               strchr(row->operand, '.') ? " ..." : "");
        put_needed(row->needed ? row->needed : "");
        puts(".Op Ar OPTION ...");
    }
}

static void put_commands(void)
{
    for (hg_command i = COMMAND_GENERATE; i < COMMANDS; ++i) {
        const hg_command_row *row = &commands[i];
        printf(".It Cm %s Ar %s\n", row->name, row->operand);
        put_sentence(row->summary);
        put_text(row->text);
        puts("\n.Bd -literal");
        for (int e = 0; e < EXAMPLES_MAX && row->examples[e].line; ++e) {
            puts(row->examples[e].line);
        }
        puts(".Ed");
    }
}

static void put_options(void)
{
    for (const hg_option *option = option_table; option->name; ++option) {
        fputs(".It Fl ", stdout);
        if (option->letter) {
            printf("%c , ", option->letter);
        }
        printf("%s%s%s\n", option->name + 1, option->value ? " Ar " : "", option->value ? option->value : "");
        put_sentence(option->help);
        if (option->more) {
            put_text(option->more);
            puts("");
        }
        const char *between = "Of ";
        for (hg_command i = COMMAND_GENERATE; i < COMMANDS; ++i) {
            if (option->commands >> i & 1) {
                printf("%s\\fB%s\\fR", between, commands[i].name);
                between = ", ";
            }
        }
        puts(option->commands == OF_HALOGEN ? "Without a command." : ".");
    }
}

static const struct {
    const char *line;
    void (*put)(void);
} parts[] = {{"@synopsis@\n", put_synopsis}, {"@commands@\n", put_commands}, {"@options@\n", put_options}};

static void put_line(const char *line)
{
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        if (strcmp(line, parts[i].line) == 0) {
            parts[i].put();
            return;
        }
    }
    fputs(line, stdout);
}

int main(int count, char **arguments)
{
    FILE *frame = count == 2 ? fopen(arguments[1], "r") : NULL;
    char line[1024];
    if (!frame) {
        fputs("usage: manual FRAME\n", stderr);
        return EXIT_FAILURE;
    }
    while (fgets(line, sizeof line, frame)) {
        put_line(line);
    }
    fclose(frame);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
