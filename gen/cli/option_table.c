#include "cli/option_table.h"

#include "cli/options.h"

const hg_option option_table[] = {
    {"--output", 'o', "DIR", offsetof(hg_options, output), OF_GENERATE | OF_INIT,
     "write the files into DIR, made if missing", "`init` writes into the current folder without it."},
    {"--output", 'o', "FILE", offsetof(hg_options, output), OF_TRACE,
     "write what Perfetto and Chrome show into FILE", "It is the JSON of trace events."},
    {"--grid", 0, "cartesian|cubed-sphere|fold|tiles|list", offsetof(hg_options, grid), OF_INIT,
     "the grid of the spec; cartesian is the default",
     "`cartesian` is one box. `cubed-sphere` has six tiles, `tiles` two. `fold` is a box whose north is folded, as "
     "oceans have it. `list` is an index list, for points that lie in no box."},
    {"--build", 0, "make|cmake|meson", offsetof(hg_options, build), OF_INIT,
     "what builds the program; make is the default", NULL},
    {"--language", 0, "c|cxx|fortran|python", offsetof(hg_options, language), OF_INIT,
     "the language of the program; c is the default", NULL},
    {"--emit", 0, "c,check,cxx,fortran,python", offsetof(hg_options, emit), OF_GENERATE | OF_CHECK,
     "what to write: the library files (c, the default), a test program (check), classes for C++ (cxx), a "
     "Fortran module (fortran), classes for Python (python)",
     "A list with commas. `check` is an MPI program `NAME_check.c` that tests the exchanges of the spec on "
     "one's own machine, by every transport. It is linked with libhx_check, too, which pkg-config names beside "
     "libhx. It ends with 77 where fields lie in the memory of a GPU, and there is none. `cxx` is `NAME.hpp`, "
     "classes of C++17 on top of the library files. `fortran` is a module `NAME_module.f90` and its glue "
     "`NAME_fortran.c`. Both are compiled with the sources that "
     "`pkg-config --variable=fortran_sources hx` names. `python` is `NAME.py`, and what it needs of C beside the "
     "library files, `NAME_python.c`; the function `halogen.load` of the Python package asks for these. "
     "A name that is a word of a language is refused only where that language is asked for."},
    {"--param", 'D', "NAME=VALUE", offsetof(hg_options, params), OF_SPECS,
     "give a parameter of the spec a value; halogen params SPEC lists them",
     "The spec declares NAME by `param`, with a default. The option may be repeated, for other parameters."},
    {"--depfile", 0, "FILE", offsetof(hg_options, depfile), OF_GENERATE,
     "also write a Make rule of all files read",
     "The rule says that the generated files depend on the spec, what it includes, and templates. An included "
     "file that is gone does not stop make. A file that is no such rule is not replaced."},
    {"--list-outputs", 0, NULL, offsetof(hg_options, list_outputs), OF_GENERATE,
     "print the names of the files that would be written, write none",
     "The names come one a line. With `-o` they are paths in DIR."},
    {"--compare", 0, NULL, offsetof(hg_options, compare), OF_GENERATE,
     "write nothing; fail unless the files in DIR are those that would be written",
     "Each file that is missing or different is named, with the first line that differs, and halogen ends with "
     "1. So a project that keeps emitted files among its sources learns whether they are up to date. The same "
     "command without `--compare` writes them. `--emit`, `-D` and `--templates` count as when the files were "
     "written."},
    {"--templates", 0, "DIR", offsetof(hg_options, templates), OF_SPECS | OF_INIT | OF_DIAGNOSTIC,
     "take templates, and Lua modules in DIR/lua, from there where they exist",
     "They are code like halogen itself, and are not confined."},
    {"--dump", 0, "model|links|plan|tables", offsetof(hg_options, dump), OF_GENERATE,
     "print a stage of the way, write no files",
     "The stages are the spec as it was understood, where ghost points come from, all that the templates are given, "
     "and the tables of `hx/abi.h` as JSON."},
    {"--cells", 0, "N,N", offsetof(hg_options, cells), OF_EXPLAIN,
     "cells along each axis; with / between them, of each tile",
     "One number for each axis, those that the spec fixes, too. Where it fixes all, the option may be left out."},
    {"--ranks", 0, "N", offsetof(hg_options, ranks), OF_EXPLAIN,
     "on how many ranks; 1,2,3 or 1..4096 for several",
     "1..4096 doubles the number from the first to the last."},
    {"--parts", 0, "N,N", offsetof(hg_options, parts), OF_EXPLAIN,
     "parts along each axis, 0 where halogen chooses; with / between them, of each tile",
     "Without it, the process grid with the smallest halos is taken. There may be more parts than ranks: block b of all B goes "
     "to rank b * ranks / B, rounded down."},
    {"--rank", 0, "N", offsetof(hg_options, rank), OF_EXPLAIN, "the rank that is shown, 0 if not given",
     NULL},
    {"--node", 0, "N", offsetof(hg_options, node), OF_EXPLAIN,
     "ranks of a node, which share memory; all, if not given", NULL},
    {"--schedule", 0, "auto|one-phase|by-dimension", offsetof(hg_options, schedule), OF_EXPLAIN,
     "as the option schedule of libhx", NULL},
    {"--format", 0, "text|json", offsetof(hg_options, format), OF_EXPLAIN, "how it is printed", NULL},
    {"--machine", 0, "FILE", offsetof(hg_options, machine), OF_EXPLAIN,
     "predict times, on the machine that FILE describes",
     "`./dev bench --machine FILE` of a checkout measures this machine and writes the file. It is text, and can be written by hand."},
    {"--run", 0, "FILE", offsetof(hg_options, run), OF_EXPLAIN,
     "with --html, show what a run wrote to FILE, not what would be",
     "A program that runs with `HX_DESCRIBE` set writes it. The page then has its ranks, nodes, transports and measured times."},
    {"--stats", 0, "FILE", offsetof(hg_options, stats), OF_EXPLAIN,
     "print who waited for whom, as a run wrote it to FILE; with --run and --html, show it in the page",
     "A program that runs with `HX_STATS=FILE` writes it."},
    {"--html", 0, "FILE", offsetof(hg_options, html), OF_EXPLAIN,
     "a page with pictures, in FILE, which needs no network; -: print it",
     "Cells, ranks and what is shown can be changed in the page. With `--format` the numbers are printed, too."},
    {"--links", 0, NULL, offsetof(hg_options, links), OF_EXPLAIN,
     "add the links of all ranks, of 256 at most; with --format json", NULL},
    {"--keep-unchanged", 0, NULL, offsetof(hg_options, keep_unchanged), OF_GENERATE,
     "leave files alone whose content would stay the same",
     "They keep their dates, for build systems that look at dates again after a command, as Ninja does."},
    {"--stamp", 0, "FILE", offsetof(hg_options, stamp), OF_GENERATE,
     "the same, and give FILE the date of this run instead, for Make",
     "Rules for make make FILE from the spec, and the generated files from FILE. With `--depfile` the rule is "
     "one for FILE alone."},
    {"--diag", 0, "text|json", offsetof(hg_options, diag), OF_ALL & ~OF_HALOGEN,
     "how diagnostics look on standard error; json: an object a line, with fixes", NULL},
    {"--version", 0, NULL, offsetof(hg_options, version), OF_HALOGEN,
     "print the version, and by what specs are confined", NULL},
    {"--help", 'h', NULL, offsetof(hg_options, help), OF_ALL,
     "print usage, options and examples; behind a SPEC its parameters, too", NULL},
    {0},
};
