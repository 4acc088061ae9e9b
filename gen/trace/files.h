/* The files that ranks of a run left in a directory. */
#ifndef HALOGEN_FILES_H
#define HALOGEN_FILES_H

#include "base/text.h"

typedef struct hg_files {
    char **path; /* in order */
    size_t count;
} hg_files;

/* Those with names that end so, maybe none.  False: the directory cannot be read, and `problem` says why. */
bool files_list(const char *directory, const char *ending, hg_files *files, hg_text *problem);
void files_free(hg_files *files);

/* All bytes of one, to be given to free(); a program that writes it goes on. */
bool files_load(const char *path, char **bytes, size_t *size, hg_text *problem);

#endif
