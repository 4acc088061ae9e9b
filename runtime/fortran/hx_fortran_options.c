/*
 * type(hx_options), and the options of C that it stands for.
 */
#include "hx_fortran_glue.h"

#include <stddef.h>
#include <string.h>

/* Options that are words, and how many bytes each has in type(hx_options). */
static const struct {
    const char *name;
    size_t at, bytes;
} words_of_options[] = {
    {"transport", offsetof(hx_f_options, transport), HX_F_WORD},
    {"schedule", offsetof(hx_f_options, schedule), HX_F_WORD},
    {"device_messages", offsetof(hx_f_options, device_messages), HX_F_WORD},
    {"tune_file", offsetof(hx_f_options, tune_file), HX_F_PATH},
};

hx_status hx_f_set_option(hx_f_options *options, const char *name, const char *word)
{
    for (size_t i = 0; i < sizeof words_of_options / sizeof *words_of_options; ++i) {
        if (strcmp(name, words_of_options[i].name) != 0) {
            continue;
        }
        const size_t length = strlen(word), most = words_of_options[i].bytes - 1;
        if (length > most) {
            return hx_f_refuse(HX_ERR_LIMIT, "hx_set_option: %s has %zu characters, and at most %zu fit",
                               name, length, most);
        }
        memcpy((char *)options + words_of_options[i].at, word, length + 1);
        return HX_OK;
    }
    return hx_f_refuse(HX_ERR_ARGUMENT,
                       "hx_set_option: no option \"%.64s\" is a word; these are: transport, schedule, "
                       "device_messages, tune_file",
                       name);
}

/* A word of Fortran, or where it is empty that of HX_OPTIONS_INIT. */
static const char *word_or(const char *word, const char *otherwise)
{
    return *word ? word : otherwise;
}

hx_options hx_f_options_in_c(const hx_f_options *given)
{
    hx_options options = HX_OPTIONS_INIT;
    if (given) {
        options.deadline = given->deadline;
        options.check = given->check;
        options.timing = given->timing;
        options.log_level = given->log_level;
        options.deadline_exit = given->deadline_exit;
        options.share_buffers = given->share_buffers;
        options.tune = given->tune;
        options.keep_errhandler = given->keep_errhandler;
        options.cycles = given->cycles;
        options.threads = given->threads;
        options.transport = word_or(given->transport, options.transport);
        options.schedule = word_or(given->schedule, options.schedule);
        options.device_messages = word_or(given->device_messages, options.device_messages);
        options.tune_file = word_or(given->tune_file, options.tune_file);
        options.pool = given->pool.pool;
    }
    return options;
}
