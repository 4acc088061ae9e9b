/*
 * Operations divided among the threads of a team.
 *
 * Each thread does its part of each operation: a slab across the slowest axis that has enough points.  So all have
 * like bytes, and each the same points whenever the operation runs.  No point is written by two operations, and none
 * reads what another one writes, so results do not depend on who does what.  Operations that add are not divided.
 */
#ifndef HX_DIVIDE_H
#define HX_DIVIDE_H

#include "base/team.h"
#include "pack/ops.h"

/* Does a team gain by work on so many bytes? */
bool hxi_divide_pays(const hxi_team *team, size_t bytes);

/*
 * Is told, by any thread and by several at once, which bytes of a message have just been packed: of none twice, and
 * not of all.
 */
typedef struct hxi_pack_listener {
    void (*tell)(void *data, size_t from, size_t bytes);
    void *data;
} hxi_pack_listener;

/* What hxi_ops_pack does, by a team if that pays; operations of one message, whose bytes are to be told. */
typedef struct hxi_packing {
    const hxi_pack_op *op;
    int count;
    void *const *base;
    unsigned char *const *buffer;
    hxi_pack_listener listener;
} hxi_packing;
void hxi_divide_pack_and_tell(hxi_team *team, size_t bytes, const hxi_packing *packing);

/* What hxi_ops_pack and its like do, by a team if that pays.  bytes: about as many as the operations move. */
void hxi_divide_pack_by(hxi_team *team, size_t bytes, const hxi_pack_op *op, int count, void *const *base,
                        unsigned char *const *buffer);
void hxi_divide_unpack_by(hxi_team *team, size_t bytes, const hxi_unpack_op *op, int count, void *const *base,
                          unsigned char *const *buffer);
void hxi_divide_copy_by(hxi_team *team, size_t bytes, const hxi_copy_op *op, int count, void *const *base);
void hxi_divide_copy_within_by(hxi_team *team, size_t bytes, const hxi_ops *ops, void *const *base);

/* The same where most often there is no team. */
static inline void hxi_divide_pack(hxi_team *team, size_t bytes, const hxi_pack_op *op, int count,
                                   void *const *base, unsigned char *const *buffer)
{
    if (team->parts > 1) {
        hxi_divide_pack_by(team, bytes, op, count, base, buffer);
    } else {
        hxi_ops_pack(op, count, base, buffer);
    }
}

static inline void hxi_divide_unpack(hxi_team *team, size_t bytes, const hxi_unpack_op *op, int count,
                                     void *const *base, unsigned char *const *buffer)
{
    if (team->parts > 1) {
        hxi_divide_unpack_by(team, bytes, op, count, base, buffer);
    } else {
        hxi_ops_unpack(op, count, base, buffer);
    }
}

static inline void hxi_divide_copy(hxi_team *team, size_t bytes, const hxi_copy_op *op, int count,
                                   void *const *base)
{
    if (team->parts > 1) {
        hxi_divide_copy_by(team, bytes, op, count, base);
    } else {
        hxi_ops_copy(op, count, base);
    }
}

static inline void hxi_divide_copy_within(hxi_team *team, size_t bytes, const hxi_ops *ops, void *const *base)
{
    if (team->parts > 1) {
        hxi_divide_copy_within_by(team, bytes, ops, base);
    } else {
        hxi_ops_copy_within(ops, base);
    }
}

#endif
