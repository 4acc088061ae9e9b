#include "actions.h"
#include "report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the annotations for editors, which is installed beside this program; or NULL.  To be freed. */
static char *find_annotations(void)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    hg_text file = {0};
    if (length <= 0) {
        return NULL;
    }
    program[length] = '\0';
    text_add(&file, program, path_directory(program));
    text_puts(&file, HALOGEN_ANNOTATIONS "/halogen.lua");
    char *found = realpath(file.bytes, NULL);
    if (found) {
        found[path_directory(found) - 1] = '\0';
    }
    text_free(&file);
    return found;
}

/* What halogen says about the spec that it would write: its name may be a word of C, or of Python. */
static hg_exit_code check_spec(const hg_run *run, const hg_options *options)
{
    hg_options check = *options;
    check.command = COMMAND_CHECK;
    check.spec = run->outputs[0].path;
    check.emits[EMIT_CXX] = strcmp(options->language, "cxx") == 0;
    check.emits[EMIT_FORTRAN] = strcmp(options->language, "fortran") == 0;
    check.emits[EMIT_PYTHON] = strcmp(options->language, "python") == 0;
    hg_run *checked = run_on_text(&check, &run->outputs[0].text);
    report_run(checked, options);
    hg_exit_code code = checked->code;
    run_free(checked);
    return code;
}

static hg_exit_code write_files(const hg_run *run, const hg_options *options)
{
    hg_output files[OUTPUTS_MAX] = {0};
    hg_output_list outputs = {.files = files, .count = run->output_count};
    hg_text problem = {0};
    for (size_t i = 0; i < run->output_count; ++i) {
        const char *name =
            strcmp(run->outputs[i].path, "luarc.json") == 0 ? ".luarc.json" : run->outputs[i].path;
        files[i] = (hg_output){.path = path_join(options->output ? options->output : ".", name),
                               .text = run->outputs[i].text,
                               .instead = "choose another folder with -o",
                               .only_new = true};
    }
    hg_exit_code code = EXIT_OK;
    if (!output_write(&outputs, &problem)) {
        code = report_failure(EXIT_USAGE, options, "HG0008", problem.bytes, "");
    }
    for (size_t i = 0; i < outputs.count; ++i) {
        free(files[i].path);
    }
    text_free(&problem);
    return code;
}

hg_exit_code action_init(const hg_options *options)
{
    hg_options with_place = *options;
    char *annotations = find_annotations();
    with_place.annotations = annotations;
    hg_run *run = run_generator(&with_place);
    report_run(run, options);
    hg_exit_code code = run->code == EXIT_SPEC ? EXIT_USAGE : run->code;
    if (code == EXIT_OK) {
        code = check_spec(run, options);
    }
    if (code == EXIT_OK) {
        code = write_files(run, options);
    }
    if (code == EXIT_OK) {
        code = report_text(&run->printed, options);
    }
    run_free(run);
    free(annotations);
    return code;
}
