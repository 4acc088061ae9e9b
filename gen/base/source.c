#include "base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool read_all(int descriptor, size_t limit, hg_text *text)
{
    char block[1 << 16];
    ssize_t count;
    do {
        count = read(descriptor, block, sizeof block);
        if (count > 0) {
            text_add(text, block, (size_t)count);
        }
    } while ((count > 0 && text->length <= limit) || (count < 0 && errno == EINTR));
    return count >= 0;
}

static bool read_path(const char *path, size_t limit, hg_text *text)
{
    if (strcmp(path, "-") == 0) {
        return read_all(STDIN_FILENO, limit, text);
    }
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    bool done = read_all(descriptor, limit, text);
    int error = errno;
    close(descriptor);
    errno = error;
    return done;
}

/* In place: drops the byte order mark, and makes "\n" of "\r\n", "\n\r" and "\r" as Lua does, which counts
 * each of them as one line. */
static void normalize(hg_text *text)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t from = text->length >= 3 && memcmp(text->bytes, mark, 3) == 0 ? 3 : 0;
    size_t to = 0;
    for (; from < text->length; ++from) {
        char byte = text->bytes[from];
        if (byte == '\r' || byte == '\n') {
            char next = text->bytes[from + 1];
            if ((next == '\r' || next == '\n') && next != byte) {
                ++from;
            }
            byte = '\n';
        }
        text->bytes[to++] = byte;
    }
    text->bytes[to] = '\0';
    text->length = to;
}

static bool is_utf8(const char *path, const hg_text *text, hg_text *problem)
{
    size_t line = 1;
    for (size_t at = 0, step; at < text->length; at += step) {
        uint32_t code = 0;
        step = utf8_character(text->bytes + at, text->length - at, &code);
        if (step == 0) {
            text_format(problem,
                        "line %zu of '%s' has the byte 0x%02X, which is not UTF-8; save it in that encoding",
                        line, path, (unsigned char)text->bytes[at]);
            return false;
        }
        if (code == 0) {
            text_format(problem, "line %zu of '%s' has a NUL byte; a spec is text", line, path);
            return false;
        }
        line += code == '\n';
    }
    return true;
}

bool source_read(const char *path, size_t limit, hg_text *text, hg_text *problem)
{
    text_puts(text, "");
    if (!read_path(path, limit, text)) {
        text_format(problem, "cannot read '%s': %s", path, strerror(errno));
    } else if (text->length > limit) {
        text_format(problem, "cannot read '%s': it has more than %zu MiB", path, limit >> 20);
    } else {
        normalize(text);
        if (is_utf8(path, text, problem)) {
            return true;
        }
    }
    text_free(text);
    return false;
}

/* Whether `path` is below `directory`, both without links. */
static bool is_below(const char *directory, const char *path)
{
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || directory[length - 1] == '/');
}

/* A pipe or a device might never end. */
static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool source_is_inside(const char *spec, const char *path, hg_text *problem)
{
    size_t length = path_directory(spec);
    hg_text directory = {0};
    text_add(&directory, length ? spec : ".", length ? length : 1);
    char *real_directory = realpath(directory.bytes, NULL), *real_path = realpath(path, NULL);
    int error = errno;

    bool same_start = strncmp(path, spec, length) == 0 && path[length] != '/';
    bool exists = real_directory && real_path;
    if (same_start && !exists) {
        text_format(problem, "cannot read '%s': %s", path, strerror(error));
    } else if (!same_start ||
               !(is_below(real_directory, real_path) || strcmp(real_directory, real_path) == 0)) {
        text_format(problem, "cannot read '%s': a spec includes only files below its own directory, '%s'",
                    path, directory.bytes);
    } else if (!is_regular(real_path)) {
        text_format(problem, "cannot read '%s': it is no regular file", path);
    }
    free(real_directory);
    free(real_path);
    text_free(&directory);
    return problem->length == 0;
}
