#include "cli/commands.h"

#include "cli/spelling.h"

#include <string.h>

const hg_command_row commands[COMMANDS] = {
    [COMMAND_GENERATE] =
        {
            .name = "generate",
            .operand = "SPEC",
            .needed = "-o DIR",
            .summary = "write the C code of the halo exchanges that SPEC describes",
            .text =
                "Evaluates SPEC, proves that each ghost point is written exactly once, and writes the files "
                "into DIR: all or none. The word `generate` may be left out. With `-` in place of SPEC it "
                "is read from standard input. A file that has something in it is replaced only if halogen "
                "wrote it.",
            .examples = {{"halogen channel.lua -o generated", "write channel.h and channel.c"},
                         {"halogen channel.lua -o generated --emit c,check", "and channel_check.c"},
                         {"halogen channel.lua -o generated -D radius=4", "with another radius"},
                         {"halogen generate --compare channel.lua -o src/generated",
                          "in continuous integration: are the files up to date?"},
                         {"halogen channel.lua --list-outputs", "print the names of the files"}},
        },
    [COMMAND_CHECK] =
        {
            .name = "check",
            .operand = "SPEC...",
            .summary = "evaluate and prove each SPEC, and write nothing",
            .text =
                "Prints what is wrong, and nothing if all is well. It takes the same way as `generate` up to "
                "the proof. So what passes generates, with the same `--emit`, `-D` and `--templates`.",
            .examples = {{"halogen check channel.lua", "is it right?"},
                         {"halogen check specs/*.lua", "are all of them?"},
                         {"halogen check channel.lua --diag json", "for an editor"},
                         {"halogen check channel.lua --emit c,fortran",
                          "are its names free in Fortran, too?"}},
        },
    [COMMAND_EXPLAIN] =
        {
            .name = "explain",
            .operand = "SPEC",
            .needed = "--cells N,N --ranks N",
            .summary = "tell what exchanges of SPEC do on so many cells and ranks, without MPI",
            .text =
                "Prints what lies where, who talks to whom, messages and bytes of each exchange and peer, the "
                "kernels that serve them, and the process grids with the smallest halos. The numbers come from "
                "libhx's own code. docs/explain.md describes them.",
            .examples = {{"halogen explain channel.lua --cells 96,96,48 --ranks 4", "what does rank 0 do?"},
                         {"halogen explain channel.lua --cells 96,96,48 --ranks 4 --rank 3", "and rank 3?"},
                         {"halogen explain channel.lua --cells 512,512,512 --ranks 1..4096",
                          "how does it change with the ranks?"},
                         {"halogen explain channel.lua --cells 96,96,48 --ranks 64 --node 16 --format json",
                          "for a program, on 4 nodes"},
                         {"halogen explain channel.lua --cells 96,96,48 --ranks 8 --html channel.html",
                          "as a page with pictures"}},
        },
    [COMMAND_PARAMS] =
        {
            .name = "params",
            .operand = "SPEC",
            .summary = "list the parameters of SPEC, which -D gives values",
            .text = "Each line has a name, a type, a range and a default, and the value that `-D` gave.",
            .examples = {{"halogen params channel.lua", "which are there?"},
                         {"halogen params channel.lua -D radius=4", "is 4 allowed?"}},
        },
    [COMMAND_INIT] =
        {
            .name = "init",
            .operand = "NAME",
            .summary = "write a spec, a program and a build file to start from",
            .text =
                "Writes NAME.lua, main.c or the like, a build file, and .luarc.json, by which editors know the "
                "spec language. The program runs as it is. It says what to type next. No file is replaced.",
            .examples = {{"halogen init channel", "C, with make"},
                         {"halogen init channel --grid cubed-sphere --build cmake", "six tiles, with CMake"},
                         {"halogen init channel --language fortran -o channel", "in a folder of its own"}},
        },
    [COMMAND_DIAGNOSTIC] =
        {
            .name = "diagnostic",
            .operand = "[CODE]",
            .summary = "tell what the diagnostic CODE means and what to do, or list all",
            .text = "CODE is what stands in brackets behind a diagnostic. halogen-spec(5) has all of them.",
            .examples = {{"halogen diagnostic HG1504", "what does it mean?"},
                         {"halogen diagnostic", "all codes, with their titles"}},
        },
    [COMMAND_TRACE] =
        {
            .name = "trace",
            .operand = "merge|why DIR",
            .summary = "tell what a run took its time with (merge), or why it hangs (why)",
            .text =
                "A program that runs with `HX_TRACE=DIR` writes a file for each rank into DIR. `merge` puts their "
                "clocks together, and says what the run took its time with. With `-o` it writes a file that "
                "Perfetto (https://ui.perfetto.dev) and the tracing page of Chrome show. With "
                "`HX_DEADLINE_REPORT=DIR` each rank keeps a file of where it is. `why` reads these, while the "
                "program runs or after a deadline, and says who waits for whom. docs/diagnosing.md has examples.",
            .examples = {{"HX_TRACE=traces mpirun -n 4 ./app", "write a file for each rank into traces"},
                         {"halogen trace merge traces", "what did the run take its time with?"},
                         {"halogen trace merge traces -o run.json", "and a file to look at"},
                         {"HX_DEADLINE_REPORT=waits mpirun -n 4 ./app", "keep a file of where each rank is"},
                         {"halogen trace why waits", "which rank do the others wait for?"}},
        },
    [COMMAND_HELP] =
        {
            .name = "help",
            .operand = "[COMMAND]",
            .summary = "tell how COMMAND is used, or list all commands",
            .text = "The same as `halogen COMMAND --help`.",
            .examples = {{"halogen help check", "usage, options and examples of check"}},
        },
};

hg_command command_find(const char *name)
{
    hg_command command = COMMAND_GENERATE;
    while (command < COMMANDS && strcmp(commands[command].name, name) != 0) {
        ++command;
    }
    return command;
}

static hg_command nearest(const char *name, size_t *distance)
{
    hg_command near = COMMAND_GENERATE;
    for (hg_command i = COMMAND_GENERATE; i < COMMANDS; ++i) {
        if (spelling_distance(name, commands[i].name) < spelling_distance(name, commands[near].name)) {
            near = i;
        }
    }
    *distance = spelling_distance(name, commands[near].name);
    return near;
}

bool command_is_near(const char *name)
{
    size_t distance;
    nearest(name, &distance);
    return distance <= 2;
}

void command_unknown(const char *name, hg_text *problem)
{
    size_t distance;
    hg_command near = nearest(name, &distance);
    text_format(problem, "there is no command '%s'", name);
    if (distance <= 2) {
        text_format(problem, "; did you mean '%s'?", commands[near].name);
    }
}
