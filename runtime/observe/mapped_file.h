/*
 * A file of this process that is mapped into memory: what is written there stays if the process is killed.
 */
#ifndef HX_MAPPED_FILE_H
#define HX_MAPPED_FILE_H

#include <hx/hx.h>

#include <stdbool.h>
#include <sys/stat.h>

enum { HX_MAPPED_PATH = 4200 };

/*
 * DIRECTORY/rank-00003ENDING, of zeros; process: its rank among all.  Makes the directory, too, and sets path, which
 * has no need of the working directory.  A file of that name goes; a process that has it mapped keeps it without a
 * name.  On failure, in words, at is NULL.
 */
typedef struct hxi_mapped_file {
    const char *ending;
    size_t bytes;
    char path[HX_MAPPED_PATH];
    void *at;
    struct stat stat; /* which one it is, if that is known */
    bool known;
} hxi_mapped_file;

hx_status hxi_mapped_file_make(const char *directory, int process, hxi_mapped_file *file);

/* When nobody writes there any more: only so many bytes of it.  No: the name is another file's by now, ... */
bool hxi_mapped_file_shorten(const hxi_mapped_file *file, size_t bytes);

/* Seconds since 1970. */
double hxi_mapped_file_day_time(void);

/* Copies a name of any length into so many bytes. */
void hxi_mapped_file_name(char *to, size_t size, const char *name);

#endif
