#include "cli/output.h"

#include "base/limits.h"
#include "cli/target.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char output_mark[] = "Emitted by halogen";

bool output_name_is_plain(const char *name, size_t length)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    return length > 0 && length <= NAME_MAX_BYTES && strspn(name, letters) == length && name[0] != '.' &&
           name[0] != '-';
}

static bool make_directories(const char *path)
{
    char *copy = text_copy(path);
    bool made = true;
    for (char *slash = strchr(copy + 1, '/'); slash && made; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        made = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    free(copy);
    return made;
}

/* How many bytes at the start of a block are those of the text from `at` on. */
static size_t equal_bytes(const char *block, size_t count, const hg_text *text, size_t at)
{
    size_t same = 0;
    while (same < count && at + same < text->length && block[same] == text->bytes[at + same]) {
        ++same;
    }
    return same;
}

hg_difference output_compare(const hg_output *output)
{
    FILE *file = fopen(output->path, "rb");
    if (!file) {
        return (hg_difference){.found = true, .error = errno};
    }
    const hg_text *text = &output->text;
    char block[4096];
    size_t at = 0, count = 0;
    hg_difference difference = {0};
    while (!difference.found && (count = fread(block, 1, sizeof block, file)) > 0) {
        size_t same = equal_bytes(block, count, text, at);
        at += same;
        difference.found = same < count;
    }
    if (ferror(file)) {
        difference.error = errno;
    }
    fclose(file);
    difference.found = difference.found || difference.error != 0 || at < text->length;
    for (size_t i = 0; i < at; ++i) {
        difference.lines += text->bytes[i] == '\n';
    }
    return difference;
}

/* The n-th name ".NAME.PID-N.END" beside a path. */
static char *name_beside(const char *path, int number, const char *end)
{
    size_t directory = path_directory(path);
    hg_text name = {0};
    text_add(&name, path, directory);
    text_format(&name, ".%s.%ld-%d.%s", path + directory, (long)getpid(), number, end);
    return name.bytes;
}

enum { ATTEMPTS = 100 };

/* Opens a new file beside `path` under the user's umask; no other run can have it. */
static int open_temporary(const char *path, char **temporary)
{
    int descriptor = -1;
    for (int attempt = 0; attempt < ATTEMPTS && descriptor < 0; ++attempt) {
        char *name = name_beside(path, attempt, "tmp");
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            *temporary = name;
        } else {
            free(name);
        }
        if (descriptor < 0 && errno != EEXIST) {
            break;
        }
    }
    return descriptor;
}

static bool write_bytes(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = write(descriptor, bytes, length);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
        }
    }
    return true;
}

/* Fills the temporary file. */
static bool prepare(hg_output *output)
{
    if (!make_directories(output->path)) {
        return false;
    }
    int descriptor = open_temporary(output->path, &output->temporary);
    if (descriptor < 0) {
        return false;
    }
    bool written = write_bytes(descriptor, output->text.bytes, output->text.length);
    int error = errno;
    if (close(descriptor) != 0 && written) {
        written = false;
        error = errno;
    }
    errno = error;
    return written;
}

static void say_why(hg_text *problem, const hg_output *output, const char *state)
{
    text_format(problem, "cannot write '%s': %s%s", output->path, strerror(errno), state);
}

/* Gives the file in an output's place a second name, so that it can be put back. */
static void keep_previous(hg_output *output)
{
    struct stat status;
    if (lstat(output->path, &status) != 0) {
        return;
    }
    for (int attempt = 0; attempt < ATTEMPTS && !output->previous; ++attempt) {
        char *name = name_beside(output->path, attempt, "old");
        if (link(output->path, name) == 0) {
            output->previous = name;
        } else {
            free(name);
        }
        if (!output->previous && errno != EEXIST) {
            break;
        }
    }
    output->replaces = true;
}

/* Some file systems have no second names: says which files are new there. */
static void put_back(hg_output *outputs, size_t count, hg_text *problem)
{
    bool all = true;
    for (size_t i = 0; i < count; ++i) {
        hg_output *output = &outputs[i];
        if (!output->is_new) {
            continue;
        }
        bool back = output->replaces ? output->previous && rename(output->previous, output->path) == 0
                                     : unlink(output->path) == 0;
        if (!back) {
            text_format(problem, "%s '%s'", all ? "; new already:" : ",", output->path);
        }
        all = all && back;
    }
    if (all) {
        text_puts(problem, "; no file was changed");
    }
}

/* An output that replaces nothing takes its place as a second name of the temporary file: that fails where a
 * file has come since the place was free.  Where files have one name, it is moved as others are. */
static bool take_place(hg_output *output)
{
    if (output->only_new && link(output->temporary, output->path) == 0) {
        unlink(output->temporary);
        return true;
    }
    return !(output->only_new && errno == EEXIST) && rename(output->temporary, output->path) == 0;
}

static bool put_in_place(hg_output *outputs, size_t count, hg_text *problem)
{
    for (size_t i = 0; i < count; ++i) {
        hg_output *output = &outputs[i];
        if (!output->temporary) {
            continue;
        }
        keep_previous(output);
        output->is_new = take_place(output);
        if (!output->is_new) {
            say_why(problem, output, "");
            put_back(outputs, i, problem);
            return false;
        }
        free(output->temporary);
        output->temporary = NULL;
    }
    return true;
}

static bool write_all(const hg_output_list *outputs, hg_text *problem)
{
    for (size_t i = 0; i < outputs->count; ++i) {
        hg_output *output = &outputs->files[i];
        if (output->keep_unchanged && !output_compare(output).found) {
            continue;
        }
        if (!target_is_free(outputs, i, problem)) {
            return false;
        }
        if (!prepare(output)) {
            say_why(problem, output, "; no file was changed");
            return false;
        }
    }
    return put_in_place(outputs->files, outputs->count, problem);
}

static void discard(char **name)
{
    if (*name) {
        unlink(*name);
    }
    free(*name);
    *name = NULL;
}

bool output_write(const hg_output_list *outputs, hg_text *problem)
{
    /* An interrupt waits until the temporary files are gone. */
    sigset_t interrupts, before;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    sigaddset(&interrupts, SIGHUP);
    sigprocmask(SIG_BLOCK, &interrupts, &before);
    bool done = write_all(outputs, problem);
    for (size_t i = 0; i < outputs->count; ++i) {
        discard(&outputs->files[i].temporary);
        discard(&outputs->files[i].previous);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return done;
}
