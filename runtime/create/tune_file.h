/*
 * The file of what was measured: a line for each exchange.
 *
 *     KEY <tab> TRANSPORT <tab> SCHEDULE <tab> FIGURES
 *
 * Of an exchange on a device it is in place of the transport how messages lie there.
 *
 * Empty lines and those that begin with # are left alone.  Whatever is wrong with the file is a warning in
 * the log, and no error: what is not found is measured.
 */
#ifndef HX_TUNE_FILE_H
#define HX_TUNE_FILE_H

#include <hx/hx.h>

#include <stdbool.h>

enum { HX_TUNE_KEY = 512, HX_TUNE_WORD = 32, HX_TUNE_FIGURES = 384 };

/* Texts without tabs and ends of lines. */
typedef struct hxi_tune_entry {
    char key[HX_TUNE_KEY]; /* what it was measured for; "": for nothing */
    char transport[HX_TUNE_WORD];
    char schedule[HX_TUNE_WORD];
    char figures[HX_TUNE_FIGURES];
    bool found;
} hxi_tune_entry;

/* Fills in those whose keys the file options->tune_file has.  False: it cannot be read, nor written. */
bool hxi_tune_file_read(const hx_options *options, hxi_tune_entry *entry, int count);

/*
 * Adds entries, in place of those with the same keys.  The file is replaced as a whole, so who reads it sees
 * the old one or the new one; of two that write at the same time one may be lost.  A file without the remark
 * of libhx at its start and without an entry is somebody's: it is left as it is.
 */
void hxi_tune_file_write(const hx_options *options, const hxi_tune_entry *entry, int count);

#endif
