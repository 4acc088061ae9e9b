/* Build-time program: `bake OUTPUT FILE...` turns Lua modules and templates into the C table of baked.h.
 * A FILE goes by what follows its last folder "templates" ("source/box.tmpl"), or by that from its last
 * folder "lua" on
 * ("lua/grids/fold.lua"); else by its last component. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct hg_file {
    const char *path;
    const char *name; /* the end of the path */
    unsigned long length;
} hg_file;

static void fail(const char *what, const char *path)
{
    fprintf(stderr, "bake: cannot %s '%s'\n", what, path);
    exit(1);
}

static bool is_folder(const char *start, const char *end, const char *name)
{
    return (size_t)(end - start) == strlen(name) && strncmp(start, name, strlen(name)) == 0;
}

static hg_file file_of(const char *path)
{
    hg_file file = {.path = path, .name = path};
    bool in_room = false;
    for (const char *next = path, *slash; (slash = strchr(next, '/')); next = slash + 1) {
        bool lua = is_folder(next, slash, "lua");
        if (lua || is_folder(next, slash, "templates")) {
            file.name = lua ? next : slash + 1;
            in_room = true;
        } else if (!in_room) {
            file.name = slash + 1;
        }
    }
    return file;
}

static int compare(const void *left, const void *right)
{
    return strcmp(((const hg_file *)left)->name, ((const hg_file *)right)->name);
}

/* Numbers, not a string literal: compilers need not accept literals of more than 4095 characters. */
static unsigned long write_bytes(FILE *out, const char *path, size_t index)
{
    FILE *in = fopen(path, "rb");
    if (!in) {
        fail("open", path);
    }
    fprintf(out, "static const char file_%zu[] = {", index);
    unsigned long length = 0;
    for (int byte; (byte = getc(in)) != EOF; ++length) {
        fprintf(out, "%s%d,", length % 24 ? "" : "\n    ", byte < 128 ? byte : byte - 256);
    }
    fprintf(out, "\n    0};\n\n");
    if (ferror(in)) {
        fail("read", path);
    }
    fclose(in);
    return length;
}

int main(int count, char **arguments)
{
    if (count < 3) {
        fputs("usage: bake OUTPUT FILE...\n", stderr);
        return 2;
    }
    size_t files = (size_t)count - 2;
    hg_file *file = calloc(files, sizeof *file);
    FILE *out = fopen(arguments[1], "wb");
    if (!out || !file) {
        fail("write", arguments[1]);
    }
    for (size_t i = 0; i < files; ++i) {
        file[i] = file_of(arguments[i + 2]);
    }
    qsort(file, files, sizeof *file, compare);

    fputs("#include \"child/baked.h\"\n\n", out);
    for (size_t i = 0; i < files; ++i) {
        file[i].length = write_bytes(out, file[i].path, i);
    }
    fputs("const hg_baked baked_files[] = {\n", out);
    for (size_t i = 0; i < files; ++i) {
        fprintf(out, "    {\"%s\", file_%zu, %lu},\n", file[i].name, i, file[i].length);
    }
    fprintf(out, "};\n\nconst size_t baked_count = %zu;\n", files);
    int failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        fail("write", arguments[1]);
    }
    free(file);
    return 0;
}
