/*
 * What launches of device kernels do in an exchange: tables of rows of words, made from its segments when a
 * plan is made (cuda_moves.c, cuda_sums.c).  No CUDA is called here, so all of it can be tried on a CPU.
 */
#ifndef HX_CUDA_LIST_H
#define HX_CUDA_LIST_H

#include "device/tables/cuda_listed.h"
#include "pack/ops.h"

/* Some entries of a table, one behind the other, whose kernel is launched once. */
typedef struct hxi_cuda_launch {
    int first;
    int entries;
    unsigned blocks;
    size_t first_block; /* in hxi_cuda_list.turn */
    int first_base;     /* of the numbers of its bases in hxi_cuda_list.base, which ascend */
    int bases;
} hxi_cuda_launch;

/* A table of moves, or of sums and their terms. */
typedef struct hxi_cuda_list {
    hx_cuda_move *move;
    int moves;
    hx_cuda_sum *sum;
    int sums;
    hx_cuda_term *term;
    int terms;
    hxi_cuda_launch *launch; /* nearly always one; none where there is nothing to do */
    int launches;
    int *base; /* arrays by slot, then messages by number */
    int bases;
    int room[5];        /* of the tables above, in their order */
    hx_cuda_turn *turn; /* by block of all launches */
    size_t blocks;
    hxi_cuda_index_list_of listed; /* of grids that are lists of points, in place of moves and sums */
} hxi_cuda_list;

/*
 * All that an exchange does on this rank in one phase.  An exchange that adds has no copies; of one that
 * combines they go to memory that keeps what blocks of this rank hold for each other, behind the messages.
 */
typedef struct hxi_cuda_lists {
    hxi_cuda_list pack; /* bases: slots, then messages that are sent */
    /* Of exchanges that copy; bases: slots, then messages that are received, as below. */
    hxi_cuda_list unpack;
    hxi_cuda_list copy;
    hxi_cuda_list leave; /* pack and copy as one, of boxes that are copied; else nothing */
    hxi_cuda_list sum;
    hxi_cuda_list zero; /* after sum */
    hxi_cuda_list combine;
    size_t kept; /* bytes that copies are kept in, at a multiple of 16; 0: they are not */
} hxi_cuda_lists;

/*
 * aligned: all arrays begin at multiples of 16 bytes, as messages do, so that words may be wider than
 * elements.  messages: no more are sent, nor received, and behind so many of them the base of kept copies is.
 * HX_ERR_LIMIT if something is too large for a kernel.
 */
hx_status hxi_cuda_lists_make(const hxi_work *work, const hx_cuda_kernels *kernels, bool aligned,
                              int messages, hxi_cuda_lists *lists);
void hxi_cuda_lists_free(hxi_cuda_lists *lists);
void hxi_cuda_list_free(hxi_cuda_list *list);

/* What one list of moves does with the segments that it is made for. */
typedef enum hxi_cuda_motion {
    HX_CUDA_PACKS,   /* those sent */
    HX_CUDA_UNPACKS, /* those received */
    HX_CUDA_RETURNS, /* the same back into messages, as they came */
    HX_CUDA_COPIES   /* those within the rank */
} hxi_cuda_motion;

/* The rest as above. */
hx_status hxi_cuda_list_make(const hxi_work *work, const hx_cuda_kernels *kernels, bool aligned, int messages,
                             hxi_cuda_motion motion, hxi_cuda_list *list);

/* The tables of a list in the memory of the device. */
typedef struct hxi_cuda_tables {
    const hx_cuda_turn *turn;
    const hx_cuda_move *move;
    const hx_cuda_sum *sum;
    const hx_cuda_term *term;
    const void *listed[HX_LISTED_TABLES];
    hx_cuda_unfit *unfit; /* as in hx_cuda_arguments */
} hxi_cuda_tables;

/*
 * Launches a kernel for a list.  base: pointers by the numbers of bases; stream: a cudaStream_t.  Returns what
 * cudaLaunchKernel returned, 0 if all is well.
 */
int hxi_cuda_run(const hxi_cuda_list *list, hx_cuda_fn *kernel, const hxi_cuda_tables *tables,
                 void *const *base, void *stream);

/* The same where points are those of lists, by one kernel for all. */
int hxi_cuda_run_listed(const hxi_cuda_list *list, hx_cuda_listed_fn *kernel, const hxi_cuda_tables *tables,
                        void *const *base, void *stream);

/* ---- for those who make tables ------------------------------------------------------------------------- */

/*
 * A table in the making.  Its launch at hand knows bases by numbers of its own; -1: it has not got them yet.
 */
typedef struct hxi_cuda_maker {
    const hxi_work *work;
    const hx_cuda_kernels *kernels;
    bool aligned;
    hxi_cuda_list *list;
    int *number_of;
    int messages;    /* as in hxi_cuda_lists_make */
    size_t *kept_at; /* where what a segment copies is kept; NULL: nowhere */
} hxi_cuda_maker;

/* Entries for all segments of a kind; for what else exchanges that add do. */
hx_status hxi_cuda_add_moves(hxi_cuda_maker *maker, hxi_segment_kind kind);
hx_status hxi_cuda_add_returns(hxi_cuda_maker *maker);
hx_status hxi_cuda_add_sums(hxi_cuda_maker *maker);
hx_status hxi_cuda_add_combined(hxi_cuda_maker *maker);
hx_status hxi_cuda_add_zeros(hxi_cuda_maker *maker);

/* Entries for what is filled within the arrays of a field; of the operations no kernel is looked at. */
hx_status hxi_cuda_add_fill(hxi_cuda_maker *maker, int field, const hxi_copy_op *op);
hx_status hxi_cuda_add_fill_of_zeros(hxi_cuda_maker *maker, int field, const hxi_zero_op *op);

/* The same for points of lists. */
hx_status hxi_cuda_add_listed(hxi_cuda_maker *maker, hxi_segment_kind kind);
hx_status hxi_cuda_add_listed_sums(hxi_cuda_maker *maker);
hx_status hxi_cuda_add_listed_zeros(hxi_cuda_maker *maker);

/* The launch that takes another entry with so many blocks of threads, and its bases, as below. */
hx_status hxi_cuda_take(hxi_cuda_maker *maker, uint64_t blocks, int base[], int bases);

/*
 * Room for an entry that takes so many blocks of threads and these bases, whose numbers become those of its
 * launch: a new one if the last is full.  NULL: *status says why.
 */
hx_cuda_move *hxi_cuda_new_move(hxi_cuda_maker *maker, uint64_t blocks, int base[2], hx_status *status);
hx_cuda_sum *hxi_cuda_new_sum(hxi_cuda_maker *maker, uint64_t blocks, int base[], int bases,
                              hx_status *status);
hx_cuda_term *hxi_cuda_new_terms(hxi_cuda_maker *maker, int count, hx_status *status);

/*
 * In which order blocks of threads begin: entry by entry, or all entries at once.  On an H200 the latter packs and
 * copies large blocks 2 to 9 percent faster, and unpacks them up to 3 percent slower (docs/history/gpus.md).
 */
typedef enum hxi_cuda_order { HX_CUDA_IN_TURN, HX_CUDA_MIXED } hxi_cuda_order;

/* When all entries are there: merges moves, and gives each block of threads its entry. */
hx_status hxi_cuda_list_end(hxi_cuda_list *list, hxi_cuda_order order);

/* Has moves that differ by their places only, in constant steps, become one. */
void hxi_cuda_list_merge(hxi_cuda_list *list);

/* The number of a base: an array of this rank, or the message of a segment, or what keeps its copy. */
int hxi_cuda_array(const hxi_cuda_maker *maker, const hxi_segment *segment, hxi_end end);
int hxi_cuda_message(const hxi_cuda_maker *maker, const hxi_segment *segment);

/* Bytes from there to a part of it. */
size_t hxi_cuda_message_offset(const hxi_cuda_maker *maker, const hxi_segment *segment, int part);

/*
 * Steps in bytes between the points of a message, which lie densely in the memory order of the destination.
 */
void hxi_cuda_dense_steps(const hxi_cuda_maker *maker, const hxi_segment *segment, int64_t step[HX_MAX_AXES]);

/* How numbers of a segment travel that are shorter than in memory; NULL: they travel as they are. */
const hx_cuda_wired *hxi_cuda_wired_of(const hxi_cuda_maker *maker, const hxi_segment *segment);

/* The number of a kind, -1: there is none. */
int hxi_cuda_kind_of(const hx_cuda_kernels *kernels, hx_cuda_shape shape, int bytes, int words);

/* n / by = ((n * factor >> 32) + n) >> shift for all n < 2^31. */
hx_divisor hxi_cuda_divisor(uint32_t by);

/* Rows of so many items, n of them along three axes; false: more than a kernel counts. */
bool hxi_cuda_set_rows(const int64_t n[3], int64_t items, hx_cuda_rows *rows);

/* Steps along four axes, in units of so many bytes, as far as there is more than one; false: too large. */
bool hxi_cuda_set_steps(const int64_t step[HX_CUDA_STEPS], const int64_t n[HX_CUDA_STEPS], int bytes,
                        int32_t set[HX_CUDA_STEPS]);

/* ---- points of lists ----------------------------------------------------------------------------------- */

/* A segment, or one of its components that lie apart. */
typedef struct hxi_cuda_part {
    const hxi_segment *segment;
    int number;
    int points;
    int levels;                 /* that lie apart: where points are neighbors in memory; 1 where levels are */
    int64_t row;                /* bytes of a point that lie together, with their levels where those do */
    const hx_cuda_wired *wired; /* as from hxi_cuda_wired_of */
} hxi_cuda_part;

hxi_cuda_part hxi_cuda_part_of(const hxi_cuda_maker *maker, const hxi_segment *segment, int part);

/* Bytes of its numbers in a message, where in arrays they have so many. */
int hxi_cuda_bytes_in_message(const hx_cuda_wired *wired, int bytes);

/* Where its points are at an end that is here, or in its message: in bytes, without a base or a group. */
hx_cuda_points hxi_cuda_points_of_array(const hxi_cuda_maker *maker, const hxi_cuda_part *part, hxi_end end);
hx_cuda_points hxi_cuda_points_of_message(const hxi_cuda_maker *maker, const hxi_cuda_part *part);

/* The same in words of so many bytes, with the number of a base. */
hx_cuda_points hxi_cuda_points_in(const hx_cuda_points *points, int bytes, int base);

/* Its points and levels, in words of so many bytes; false: more than a kernel counts. */
bool hxi_cuda_set_part_rows(const hxi_cuda_part *part, int bytes, hx_cuda_rows *rows);

/* The number of the first group of a list, which is made at the first call. */
hx_status hxi_cuda_add_list(hxi_cuda_maker *maker, const hx_runs *runs, uint32_t *first);

/* So many entries more at the end of a table, all zero; NULL: there is no memory. */
void *hxi_cuda_listed_append(hxi_cuda_maker *maker, hxi_listed_table table, size_t more, size_t size);

/* Those of a list so far. */
int hxi_cuda_listed_entries(const hxi_cuda_list *list);

/* Room for an entry, as for hxi_cuda_new_sum. */
hx_cuda_listed *hxi_cuda_new_listed(hxi_cuda_maker *maker, const hx_cuda_rows *rows, int base[], int bases,
                                    hx_status *status);

/* ---- what is refused ----------------------------------------------------------------------------------- */

/* The status of something that is larger than kernels count, of a field. */
hx_status hxi_cuda_refuse(const hxi_cuda_maker *maker, int number);

/* The status of what no kernel does: they are emitted where the generator sees that they are needed. */
hx_status hxi_cuda_lacks(const hxi_cuda_maker *maker, int number);

/* The kind that combines ghost points of a field, by number, with what their owners hold; -1: none. */
int hxi_cuda_kind_of_sum(const hxi_cuda_maker *maker, int number);

#endif
