#include "pack/ops.h"

void hxi_ops_pack(const hxi_pack_op *op, int count, void *const *base, unsigned char *const *buffer)
{
    for (const hxi_pack_op *end = op + count; op != end; ++op) {
        const void *field = base[op->slot];
        unsigned char *out = buffer[op->message[0]] + op->offset[0];
        switch (op->kind) {
        case HX_OP_PLAIN:
            op->run.plain(field, op->from, out);
            break;
        case HX_OP_PAIR:
            op->run.pair(field, &op->from[0], &op->from[1], out, buffer[op->message[1]] + op->offset[1]);
            break;
        case HX_OP_TURNED:
            op->run.turned(out, op->to, field, op->from, op->sign);
            break;
        case HX_OP_PICKED:
            op->run.picked(field, op->from, op->picks, out);
            break;
        case HX_OP_LISTED:
            op->run.listed(field, op->from, op->runs, out);
            break;
        }
    }
}

void hxi_ops_unpack(const hxi_unpack_op *op, int count, void *const *base, unsigned char *const *buffer)
{
    for (const hxi_unpack_op *end = op + count; op != end; ++op) {
        void *field = base[op->slot];
        const unsigned char *in = buffer[op->message[0]] + op->offset[0];
        switch (op->kind) {
        case HX_OP_PAIR:
            op->run.pair(field, &op->to[0], &op->to[1], in, buffer[op->message[1]] + op->offset[1]);
            break;
        case HX_OP_PICKED:
            op->run.picked(field, op->to, op->picks, in);
            break;
        case HX_OP_LISTED:
            op->run.listed(field, op->to, op->runs, in);
            break;
        case HX_OP_TURNED:
            op->run.turned(field, op->to, in, op->from, op->sign);
            break;
        case HX_OP_PLAIN:
            op->run.plain(field, op->to, in);
            break;
        }
    }
}

static void copy_listed(const hxi_copy_op *op, void *to, const void *from)
{
    if (op->to_runs) {
        op->run.listed(to, op->to, op->to_runs, from, op->from, op->from_runs);
    } else {
        op->run.gathered(from, op->from, op->from_runs, (unsigned char *)to + op->at);
    }
}

void hxi_ops_copy(const hxi_copy_op *op, int count, void *const *base)
{
    for (const hxi_copy_op *end = op + count; op != end; ++op) {
        void *to = base[op->to_slot];
        const void *from = base[op->from_slot];
        switch (op->kind) {
        case HX_OP_PLAIN:
            op->run.plain(to, op->to, from, op->from);
            break;
        case HX_OP_PAIR:
            op->run.pair(to, &op->to[0], &op->to[1], from, &op->from[0], &op->from[1]);
            break;
        case HX_OP_TURNED:
            op->run.turned(to, op->to, from, op->from, op->sign);
            break;
        case HX_OP_PICKED:
            op->run.picked(to, op->to, from, op->from, op->picks);
            break;
        case HX_OP_LISTED:
            copy_listed(op, to, from);
            break;
        }
    }
}

void hxi_ops_find_pulls(const hxi_sweep *sweep, void *const *base, hx_pull *pull)
{
    for (int d = 0; d < sweep->directions; ++d) {
        const hxi_sweep_source *source = &sweep->source[d];
        const char *from = source->slot < 0 ? NULL : base[source->slot];
        pull[d] = sweep->pull[d];
        pull[d].from = from ? from + source->offset : NULL;
    }
}

void hxi_ops_sweep(const hxi_sweeps *sweeps, void *const *base)
{
    for (int i = 0; i < sweeps->count; ++i) {
        const hxi_sweep *sweep = &sweeps->sweep[i];
        hxi_ops_find_pulls(sweep, base, sweep->pull);
        sweep->run(base[sweep->slot], &sweep->shell, sweep->pull);
    }
}

void hxi_ops_copy_within(const hxi_ops *ops, void *const *base)
{
    hxi_ops_sweep(&ops->sweeps, base);
    hxi_ops_copy(ops->copy, ops->copies, base);
}

void hxi_ops_zero(const hxi_zero_op *op, int count, void *const *base)
{
    for (const hxi_zero_op *end = op + count; op != end; ++op) {
        if (op->picks) {
            op->run.picked(base[op->slot], op->to, op->picks);
        } else if (op->runs) {
            op->run.listed(base[op->slot], op->to, op->runs);
        } else {
            op->run.plain(base[op->slot], op->to);
        }
    }
}
