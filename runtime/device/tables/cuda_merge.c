/* Moves of a list that are alike become one, so that the table is short. */
#include "device/tables/cuda_list.h"

#include <stdlib.h>
#include <string.h>

/* ---- bases --------------------------------------------------------------------------------------------- */

static int compare_ints(const void *left, const void *right)
{
    const int a = *(const int *)left;
    const int b = *(const int *)right;
    return (a > b) - (a < b);
}

/* Launches number bases as they meet them; in ascending order those of fields in a row follow each other. */
static void sort_bases(hxi_cuda_list *list, const hxi_cuda_launch *launch)
{
    uint16_t now[HX_CUDA_BASES];
    int *base = list->base + launch->first_base;
    for (int b = 0; b < launch->bases; ++b) {
        now[b] = 0;
        for (int other = 0; other < launch->bases; ++other) {
            now[b] = (uint16_t)(now[b] + (base[other] < base[b]));
        }
    }
    for (int i = 0; i < launch->entries; ++i) {
        hx_cuda_move *move = &list->move[launch->first + i];
        move->from.base = now[move->from.base];
        move->to.base = now[move->to.base];
    }
    qsort(base, (size_t)launch->bases, sizeof *base, compare_ints);
}

/* ---- moves that differ by their places only ------------------------------------------------------------ */

static bool has_steps_of(const hx_cuda_end *a, const hx_cuda_end *b)
{
    return memcmp(a->step, b->step, sizeof a->step) == 0;
}

static bool are_alike(const hx_cuda_move *a, const hx_cuda_move *b)
{
    return a->kind == b->kind && a->blocks == b->blocks && a->sign == b->sign && a->words == b->words &&
           a->across == b->across && memcmp(&a->at, &b->at, sizeof a->at) == 0 &&
           has_steps_of(&a->from, &b->from) && has_steps_of(&a->to, &b->to);
}

/* How far an end is from another, if an entry has room for that. */
static bool is_near(const hx_cuda_end *first, const hx_cuda_end *end)
{
    const int64_t at = end->at - first->at;
    return at <= INT32_MAX && at >= -INT32_MAX;
}

static int16_t bases_between(const hx_cuda_end *first, const hx_cuda_end *end)
{
    return (int16_t)(end->base - first->base);
}

static int32_t bytes_between(const hx_cuda_end *first, const hx_cuda_end *end)
{
    return (int32_t)(end->at - first->at);
}

/* Does an end come behind the `moves` that one stands for, as each of them behind the one before? */
static bool is_next(const hx_cuda_end *first, int moves, const hx_cuda_end *end)
{
    return moves == 1 ? is_near(first, end)
                      : end->base - first->base == moves * first->next_base &&
                            end->at - first->at == (int64_t)moves * first->next_at;
}

static void set_next(hx_cuda_end *first, const hx_cuda_end *second)
{
    first->next_base = bases_between(first, second);
    first->next_at = bytes_between(first, second);
}

/* Lets `last` stand for one more move.  False: that is none like those that it stands for. */
static bool takes(hx_cuda_move *last, const hx_cuda_move *move)
{
    if (last->moves == UINT16_MAX || !are_alike(last, move) ||
        !is_next(&last->from, last->moves, &move->from) || !is_next(&last->to, last->moves, &move->to)) {
        return false;
    }
    if (last->moves == 1) {
        set_next(&last->from, &move->from);
        set_next(&last->to, &move->to);
    }
    ++last->moves;
    return true;
}

/* The moves of a launch go to the end of what is left of those before. */
static void merge_launch(hxi_cuda_list *list, hxi_cuda_launch *launch)
{
    const int first = list->moves;
    for (int i = 0; i < launch->entries; ++i) {
        const hx_cuda_move move = list->move[launch->first + i];
        if (list->moves == first || !takes(&list->move[list->moves - 1], &move)) {
            list->move[list->moves++] = move;
        }
    }
    launch->first = first;
    launch->entries = list->moves - first;
}

/* ---- pairs --------------------------------------------------------------------------------------------- */

/* Entries behind one among which the other of a pair is looked for: more than there are directions. */
enum { REACH = 32 };

static bool has_next_of(const hx_cuda_end *a, const hx_cuda_end *b)
{
    return a->next_base == b->next_base && a->next_at == b->next_at;
}

static void set_other(hx_cuda_end *end, const hx_cuda_end *other)
{
    end->other_base = bases_between(end, other);
    end->other_at = bytes_between(end, other);
}

/* Lets a move stand for another one, too, as it is. */
static bool pairs(hx_cuda_move *move, const hx_cuda_move *other)
{
    const bool alike = move->moves == other->moves && are_alike(move, other) &&
                       has_next_of(&move->from, &other->from) && has_next_of(&move->to, &other->to) &&
                       is_near(&move->from, &other->from) && is_near(&move->to, &other->to);
    if (alike) {
        set_other(&move->from, &other->from);
        set_other(&move->to, &other->to);
        move->twice = 1;
    }
    return alike;
}

/* What was taken by another stands for no moves any more. */
static void pair_entries(hx_cuda_move *move, int entries)
{
    for (int i = 0; i < entries; ++i) {
        for (int k = i + 1; k < entries && k <= i + REACH && move[i].moves > 0 && !move[i].twice; ++k) {
            if (pairs(&move[i], &move[k])) {
                move[k].moves = 0;
            }
        }
    }
}

/*
 * Halos at both ends of rows are neighbors in memory, those of one row and of the next: threads that write
 * them take turns, or blocks do, so that what they write is joined.
 */
static void pair_launch(hxi_cuda_list *list, hxi_cuda_launch *launch)
{
    hx_cuda_move *move = list->move + launch->first;
    unsigned blocks = 0;
    int left = 0;
    pair_entries(move, launch->entries);
    for (int i = 0; i < launch->entries; ++i) {
        if (move[i].moves > 0) {
            move[left] = move[i];
            move[left].first_block = blocks;
            blocks += move[left].blocks * move[left].moves << move[left].twice;
            ++left;
        }
    }
    launch->entries = left;
    list->moves = launch->first + left;
}

/* ---- all of a list ------------------------------------------------------------------------------------- */

void hxi_cuda_list_merge(hxi_cuda_list *list)
{
    list->moves = 0;
    for (int i = 0; i < list->launches; ++i) {
        sort_bases(list, &list->launch[i]);
        merge_launch(list, &list->launch[i]);
        pair_launch(list, &list->launch[i]);
    }
}
