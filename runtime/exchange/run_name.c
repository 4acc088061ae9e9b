#include "exchange/run_name.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "comm/final_gather.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

int hxi_run_name_number(atomic_int *handles)
{
    const int number = atomic_fetch_add(handles, 1) + 1;
    if (number > HX_RUN_NAMES) {
        hxi_fail(HX_ERR_LIMIT, "this process made more than %d handles; those from here on are left out.",
                 HX_RUN_NAMES);
    }
    return number <= HX_RUN_NAMES ? number : 0;
}

/* "": from no folder. */
static void find_folder(const char *asked, char folder[PATH_MAX])
{
    if (asked[0] == '/' || !getcwd(folder, PATH_MAX)) {
        folder[0] = '\0';
    }
}

char *hxi_run_name_make(const char *asked, int number)
{
    char folder[PATH_MAX];
    const int rank = hxi_final_gather_process();
    const char *slash = strrchr(asked, '/');
    const char *dot = strrchr(slash ? slash : asked, '.');
    const int stem = dot ? (int)(dot - asked) : (int)strlen(asked);
    find_folder(asked, folder);
    const size_t size = strlen(folder) + strlen(asked) + 64;
    char *path = hxi_memory_get(size, 1, "the name of a file of a run");
    hxi_text text = {path, size, 0};
    if (!path) {
        return NULL;
    }
    hxi_text_add(&text, "%s%s%.*s", folder, folder[0] != '\0' ? "/" : "", stem, asked);
    if (rank > 0) {
        hxi_text_add(&text, "-rank%d", rank);
    }
    if (number > 1) {
        hxi_text_add(&text, "-%d", number);
    }
    hxi_text_add(&text, "%s", dot ? dot : "");
    return path;
}
