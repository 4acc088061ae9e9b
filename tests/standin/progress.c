/*
 * runtime/exchange/progress.c with a list for each rank: what is a thread here is a process elsewhere, and
 * none moves the handles of another one on.
 *
 * The name of the list becomes what a function points to, and its declaration there one of that function.
 */
#include "exchange/progress.h"

#include "engine.h"

static hx_handle **first_of_rank(void);
#define first (*first_of_rank())
#include "../../runtime/exchange/progress.c"
#undef first

static hx_handle **first_of_rank(void)
{
    static hx_handle *list[STANDIN_RANKS];
    return &list[standin_here()->number];
}
