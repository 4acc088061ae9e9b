#include "output.h"

#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
static size_t equal_bytes(const char *block, size_t count, const struct text *text, size_t at)
{
    size_t same = 0;
    while (same < count && at + same < text->length && block[same] == text->bytes[at + same])
        ++same;
    return same;
}

struct difference output_compare(const struct output *output)
{
    FILE *file = fopen(output->path, "rb");
    if (!file)
        return (struct difference){.found = true, .error = errno};
    const struct text *text = &output->text;
    char block[4096];
    size_t at = 0, count = 0;
    struct difference difference = {0};
    while (!difference.found && (count = fread(block, 1, sizeof block, file)) > 0) {
        size_t same = equal_bytes(block, count, text, at);
        at += same;
        difference.found = same < count;
    }
    if (ferror(file))
        difference.error = errno;
    fclose(file);
    difference.found = difference.found || difference.error != 0 || at < text->length;
    for (size_t i = 0; i < at; ++i)
        difference.lines += text->bytes[i] == '\n';
    return difference;
}

/* Whether a file with something in it stands there that lacks the output's mark.  The mark of emitted code
 * comes after a path, and so within a few thousand bytes.  What is no regular file has nothing to lose. */
static bool is_of_others(const struct output *output)
{
    struct stat status;
    if (!output->mark || stat(output->path, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size == 0)
        return false;
    char start[8192] = "";
    FILE *file = fopen(output->path, "rb");
    if (file) {
        size_t count = fread(start, 1, sizeof start - 1, file);
        start[count] = '\0';
        fclose(file);
    }
    return !strstr(start, output->mark);
}

/* Opens a new file ".NAME.PID-N.tmp" beside `path` under the user's umask; no other run can have it. */
static int open_temporary(const char *path, char **temporary)
{
    size_t directory = path_directory(path);
    int descriptor = -1;
    for (int attempt = 0; attempt < 100 && descriptor < 0; ++attempt) {
        struct text name = {0};
        text_add(&name, path, directory);
        text_format(&name, ".%s.%ld-%d.tmp", path + directory, (long)getpid(), attempt);
        descriptor = open(name.bytes, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0)
            *temporary = name.bytes;
        else
            text_free(&name);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

static bool write_bytes(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t count = write(descriptor, bytes, length);
        if (count < 0 && errno != EINTR)
            return false;
        if (count > 0) {
            bytes += count;
            length -= (size_t)count;
        }
    }
    return true;
}

/* Fills the temporary file; fails early where the rename would. */
static bool prepare(struct output *output)
{
    struct stat status;
    if (!make_directories(output->path))
        return false;
    if (stat(output->path, &status) == 0 && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return false;
    }
    int descriptor = open_temporary(output->path, &output->temporary);
    if (descriptor < 0)
        return false;
    bool written = write_bytes(descriptor, output->text.bytes, output->text.length);
    int error = errno;
    if (close(descriptor) != 0 && written) {
        written = false;
        error = errno;
    }
    errno = error;
    return written;
}

static void say_why(struct text *problem, const struct output *output, const char *state)
{
    text_format(problem, "cannot write '%s': %s%s", output->path, strerror(errno), state);
}

static bool write_all(struct output *outputs, size_t count, bool keep_unchanged, struct text *problem)
{
    for (size_t i = 0; i < count; ++i) {
        if (keep_unchanged && !output_compare(&outputs[i]).found)
            continue;
        if (is_of_others(&outputs[i])) {
            text_format(problem,
                        "'%s' was not written by halogen; use another directory with -o, rename the spec, or "
                        "delete the file",
                        outputs[i].path);
            return false;
        }
        if (!prepare(&outputs[i])) {
            say_why(problem, &outputs[i], "; no file was changed");
            return false;
        }
    }
    for (size_t i = 0; i < count; ++i) {
        if (!outputs[i].temporary)
            continue;
        if (rename(outputs[i].temporary, outputs[i].path) != 0) {
            say_why(problem, &outputs[i], "");
            return false;
        }
        free(outputs[i].temporary);
        outputs[i].temporary = NULL;
    }
    return true;
}

bool output_write(struct output *outputs, size_t count, bool keep_unchanged, struct text *problem)
{
    /* An interrupt waits until the temporary files are gone. */
    sigset_t interrupts, before;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    sigaddset(&interrupts, SIGHUP);
    sigprocmask(SIG_BLOCK, &interrupts, &before);
    bool done = write_all(outputs, count, keep_unchanged, problem);
    for (size_t i = 0; i < count; ++i) {
        if (outputs[i].temporary)
            unlink(outputs[i].temporary);
        free(outputs[i].temporary);
        outputs[i].temporary = NULL;
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return done;
}
