/*
 * The contract between emitted device code, NAME.cu, and libhx: the words that it is written in, and the
 * tables that its kernels walk.  The text of NAME.cu is C but for those words, which tests give another
 * meaning to run it on a CPU.  Applications need nothing from this file.
 */
#ifndef HX_CUDA_H
#define HX_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define HX_CUDA_ASSERT(condition, text) static_assert(condition, text)
#else
#define HX_CUDA_ASSERT(condition, text) _Static_assert(condition, text)
#endif

/* A cudaStream_t; likewise in hx/hx.h, which device code has no use for. */
typedef struct CUstream_st *hx_stream;

/* Raised whenever the meaning or the layout of anything in this file changes. */
#define HX_CUDA_ABI 10

/* Turns device code that is older or newer than the installed libhx into one readable compile error. */
#define HX_REQUIRE_CUDA_ABI(n)                                                                               \
    HX_CUDA_ASSERT((n) == HX_CUDA_ABI,                                                                       \
                   "this file was emitted by a halogen of another version than the installed "               \
                   "libhx; generate it again with the halogen that came with libhx")

/* ---- words ----------------------------------------------------------------------------------- */

/* What is moved: so many bytes, whatever they mean. */
typedef uint8_t hx_word_1;
typedef uint16_t __attribute__((may_alias)) hx_word_2;
typedef uint32_t __attribute__((may_alias)) hx_word_4;
typedef uint64_t __attribute__((may_alias)) hx_word_8;
typedef struct __attribute__((may_alias, aligned(16))) hx_word_16 {
    uint64_t part[2];
} hx_word_16;

/* Integers of which the lesser or the greater is asked for; those without a sign are words. */
typedef int8_t hx_signed_1;
typedef int16_t __attribute__((may_alias)) hx_signed_2;
typedef int32_t __attribute__((may_alias)) hx_signed_4;
typedef int64_t __attribute__((may_alias)) hx_signed_8;

/* What is added, or changes its sign; integers do so as words, and halves, which are only added. */
typedef float __attribute__((may_alias)) hx_real_4;
typedef double __attribute__((may_alias)) hx_real_8;

enum {
    HX_CUDA_THREADS = 256, /* of a block, which works on one entry of a table */
    HX_CUDA_LOADS = 2,     /* that a thread has under way at once */
    HX_CUDA_WARP = 32,
    HX_CUDA_CHUNK = HX_CUDA_LOADS * HX_CUDA_WARP * 16, /* bytes of a long row that a warp moves */
    /* Tiles of turned rows: numbers along either axis from which on there are any, the logarithm of the
       numbers of one, and room for them and for what is between their rows. */
    HX_CUDA_TILE_LEAST = 8,
    HX_CUDA_TILE_SHIFT = 9,
    HX_CUDA_TILE_ROOM = (1 << HX_CUDA_TILE_SHIFT) + HX_CUDA_WARP
};

HX_CUDA_ASSERT(1 << HX_CUDA_TILE_SHIFT == HX_CUDA_LOADS * HX_CUDA_THREADS, "a block of threads has a tile");

/* ---- tables ---------------------------------------------------------------------------------- */

/* What divides n < 2^31: ((n * factor >> 32) + n) >> shift. */
typedef struct hx_divisor {
    uint32_t factor;
    uint32_t shift;
} hx_divisor;

/*
 * Rows of words, one like the other.  Number r of them is row i of plane j of ...: r = i + n[0] * (j + n[1] *
 * ...).  What `item` holds divides the number of an item, the first of which belongs to the first row, by the
 * items of a row.
 */
typedef struct hx_cuda_rows {
    uint32_t rows;
    uint32_t items; /* of a row: chunks of a long one, words of others */
    uint32_t n[2];
    hx_divisor item;
    hx_divisor by[2];
} hx_cuda_rows;

enum { HX_CUDA_STEPS = 4 };

/* Where rows lie; of a move that stands for others, too, how far theirs are from them, in numbers of bases
 * and in bytes. */
typedef struct hx_cuda_end {
    int64_t at; /* bytes behind a base */
    int32_t next_at;
    int32_t other_at;
    int16_t next_base;
    int16_t other_base;
    uint16_t base;
    /* Words, or numbers, of the kind's size: along a row, to the next row, plane, ... */
    int32_t step[HX_CUDA_STEPS];
} hx_cuda_end;

/*
 * Rows that go from one place to another, and others that do so likewise, but for their places.  Such are those
 * of all fields of a shape: each has so many blocks, behind those of the one before.  Of each there may be
 * another one, such as that of the opposite direction.  Blocks take chunks of rows, and tiles, of the two in
 * turns.  Single words go to threads: two blocks that follow each other share those of both, their threads of
 * even numbers take those of the one, and threads of odd numbers those of the other.
 */
typedef struct hx_cuda_move {
    uint32_t first_block; /* of the launch */
    uint16_t kind;        /* see hx_cuda_kernels */
    uint16_t twice;       /* 1: there is another one of each; 0: there is not */
    uint32_t blocks;
    hx_divisor block; /* what divides by them */
    int16_t sign;     /* +1, or -1 for the opposite, which kinds for turned rows know */
    uint16_t moves;   /* for which it stands, or pairs of them */
    uint32_t words;   /* of a row; of tiles: along their first axis */
    uint32_t across;  /* of tiles: along their second axis, which is the longer one */
    hx_cuda_rows at;
    hx_cuda_end from;
    hx_cuda_end to;
} hx_cuda_move;

/* What is added to rows of numbers, or combined: a term of their mean or their sum. */
typedef struct hx_cuda_term {
    int64_t from_at;
    int32_t from_step[HX_CUDA_STEPS];
    int16_t sign;      /* of what is added */
    uint16_t narrowed; /* 1: it lies in a message, where numbers may be shorter */
    uint16_t from;
    /* Of what is combined: terms of the group that begins here; see hx_holdings in hx/abi.h. */
    uint16_t copies;
} hx_cuda_term;

/* Rows to which terms are added one after the other, or which become the mean or the sum of terms. */
typedef struct hx_cuda_sum {
    uint32_t first_block;
    uint32_t kind;
    uint32_t to;
    uint32_t first_term;
    uint32_t terms;
    hx_cuda_rows at;
    int32_t to_step[HX_CUDA_STEPS];
    int64_t to_at;
} hx_cuda_sum;

/*
 * Points of lists. Their indices in an array come in runs that follow each other, so an index is the number
 * of the point in its list and a shift, which its run has. Of 32 points one behind the other a group says
 * which begin runs: as many as that of it up to a point, behind those before the group, is the number of its
 * run. So whoever looks for an index reads one group and one shift, however long runs are.
 */
typedef struct __attribute__((aligned(8))) hx_cuda_group {
    uint32_t begins; /* bit i: of point i */
    uint32_t before; /* the number of the last shift before that of the first that begins */
} hx_cuda_group;

enum { HX_CUDA_GROUP = 32 }; /* points */

/*
 * Where points lie that move or are added to: word w of level l of the point of index i is at place at + i *
 * point + l * level + w. In a message indices are numbers in the list.
 */
typedef struct hx_cuda_points {
    int64_t at; /* all in words, or numbers, of the kind's size; in messages of that in which they travel */
    int64_t point;
    int64_t level;
    uint32_t base;
    uint32_t group;    /* the first one of the list; not looked at in a message */
    uint32_t narrowed; /* 1: a message, where numbers may be shorter */
} hx_cuda_points;

/*
 * Points that go from one place to another, both of lists; each level is a plane of rows, each point a row.
 */
typedef struct hx_cuda_listed {
    uint32_t first_block;
    uint32_t kind;
    hx_cuda_rows at;
    hx_cuda_points from; /* of sums: not looked at */
    hx_cuda_points to;
    uint32_t first_source; /* of sums: where those of this entry begin among all */
} hx_cuda_listed;

/* What is added to a point: a point of a source. */
typedef struct hx_cuda_addend {
    uint32_t source;
    uint32_t index;
} hx_cuda_addend;

/*
 * The first integer that kernels found not to fit the format in which it travels, in memory of the device.  number: where
 * it is, in an array of this rank; 0: none was found.
 */
typedef struct hx_cuda_unfit {
    uint64_t number;
    uint64_t value;
} hx_cuda_unfit;

/* ---- arguments of kernels -------------------------------------------------------------------- */

/* What a block of threads works on. */
typedef struct hx_cuda_turn {
    uint32_t entry; /* of moves, or of sums or what combines, or of lists */
    uint32_t block; /* its number among the blocks of that entry */
} hx_cuda_turn;

/*
 * A base is the begin of an array or of a message; all of a launch are aligned to what their words ask for.
 * Devices take 4096 bytes of arguments.  Tables lie in memory of the device.
 */
enum { HX_CUDA_BASES = 500 };

typedef struct hx_cuda_arguments {
    void *base[HX_CUDA_BASES];
    const hx_cuda_turn *turn; /* by block */
    const hx_cuda_move *move;
    const hx_cuda_sum *sum;
    const hx_cuda_term *term;
    hx_cuda_unfit *unfit; /* NULL: all numbers fit, whatever they are */
} hx_cuda_arguments;

/* Of kernels for lists of points. */
typedef struct hx_cuda_listed_arguments {
    void *base[HX_CUDA_BASES];
    const hx_cuda_turn *turn;
    const hx_cuda_listed *listed;
    const hx_cuda_group *group;
    const int32_t *shift;
    /* Of sums: addends of point number p are those from first_addend[p] to first_addend[p + 1]. */
    const uint32_t *first_addend;
    const hx_cuda_addend *addend;
    const hx_cuda_points *source;
    hx_cuda_unfit *unfit;
} hx_cuda_listed_arguments;

HX_CUDA_ASSERT(sizeof(hx_cuda_arguments) <= 4096 && sizeof(hx_cuda_listed_arguments) <= 4096,
               "arguments of a kernel");

/*
 * Flags in the memory of devices.  By these two ranks of a node tell each other in CUDA graphs what their hosts tell
 * elsewhere.  A rank has these for each peer, and only that peer writes them.  Each counts epochs: exchanges that
 * a device has come to in graphs.
 */
typedef struct hx_cuda_flags {
    uint64_t vacant; /* the last epoch for which the peer's box may be written */
    uint64_t sent;   /* the last one whose message the peer has written into this rank's box */
    unsigned char fill[48];
} hx_cuda_flags;

HX_CUDA_ASSERT(sizeof(hx_cuda_flags) == 64, "flags have a cache line of their own");

/* A peer: the flags that this rank raises, and those that it waits for. */
typedef struct hx_cuda_link {
    hx_cuda_flags *there;
    const hx_cuda_flags *here;
} hx_cuda_link;

/*
 * Of a rank and an exchange, in the memory of its device.  Of `begun` and `ended` the threads of a step read one and
 * write the other.
 */
typedef struct hx_cuda_epoch {
    uint64_t begun; /* the last one that has begun */
    uint64_t ended; /* the last one whose messages have come */
    uint64_t late;  /* as in hx_cuda_signal; if it is not 0 nothing is raised or waited for any more */
} hx_cuda_epoch;

/* The steps of an epoch. */
enum {
    HX_CUDA_BEGIN, /* raises `vacant` at all peers for a new epoch, and waits for theirs: then boxes may be written */
    HX_CUDA_SEND, /* raises `sent`: what the stream was given before is in these boxes */
    HX_CUDA_AWAIT /* waits for `sent` of all peers: their messages are in this rank's boxes */
};

typedef struct hx_cuda_signal {
    const hx_cuda_link *link; /* by peer */
    uint32_t links;
    uint32_t step;
    hx_cuda_epoch *epoch;
    /* Where the host looks: 0; 2 * peer + 1 if a wait for `vacant` was given up, one more for `sent`. */
    uint64_t *late;
    uint64_t patience; /* nanoseconds that a step waits; 0: without end */
} hx_cuda_signal;

/* ---- what NAME.cu has ------------------------------------------------------------------------ */

typedef enum hx_cuda_shape {
    HX_CUDA_LONG,   /* rows that lie in one piece, of any length; an item is a chunk of one */
    HX_CUDA_SHORT,  /* the same, of `words` words */
    HX_CUDA_LOOSE,  /* any rows and steps */
    HX_CUDA_TURNED, /* the same, with a sign */
    /* Numbers that are neighbors along one axis where they come from, along another where they go; with a sign if
     * the field has turned numbers; an item is a tile. */
    HX_CUDA_TILE,
    HX_CUDA_SUM, /* of numbers, or their minimum or maximum */
    HX_CUDA_MEAN,
    HX_CUDA_TOTAL,  /* the sum of what blocks hold of shared points */
    HX_CUDA_LISTED, /* points of lists, which are moved word by word */
    /* Numbers that travel shorter than they are, of boxes by any rows and steps, or of lists: into a message, out of one, and
       from array to array as if by a message. */
    HX_CUDA_NARROW,
    HX_CUDA_WIDEN,
    HX_CUDA_ROUND
} hx_cuda_shape;

typedef struct hx_cuda_kind {
    hx_cuda_shape shape;
    int bytes; /* of a word, or of a number */
    int words;
} hx_cuda_kind;

/* What can be done with the values of a field. */
typedef struct hx_cuda_field {
    int number; /* bytes of what is added by itself, or has a sign, such as the parts of complex values */
    int turned; /* kinds; -1: not needed */
    int tile;
    int sum;
    int mean;
    int total;
    int minimum;
    int maximum;
} hx_cuda_field;

/* How numbers of a field travel that are shorter than in memory (hx_wire in hx/abi.h). */
typedef struct hx_cuda_wired {
    int field;
    int wire;
    int bytes;  /* of a number in a message */
    int narrow; /* kinds; -1: not needed */
    int widen;
    int round;
    int sum;
} hx_cuda_wired;

/* Launches a kernel; what cudaLaunchKernel returns.  stream: a cudaStream_t. */
typedef int hx_cuda_fn(const hx_cuda_arguments *arguments, unsigned blocks, void *stream);
typedef int hx_cuda_listed_fn(const hx_cuda_listed_arguments *arguments, unsigned blocks, void *stream);
typedef int hx_cuda_signal_fn(const hx_cuda_signal *arguments, void *stream);

/* NULL: no exchange needs it. */
typedef struct hx_cuda_listing {
    hx_cuda_listed_fn *pack; /* from arrays into messages */
    hx_cuda_listed_fn *unpack;
    hx_cuda_listed_fn *copy; /* from array to array */
    hx_cuda_listed_fn *zero; /* entries of which only the end is looked at */
    hx_cuda_listed_fn *sum;
} hx_cuda_listing;

typedef struct hx_cuda_kernels {
    int abi;
    const hx_cuda_kind *kind;
    int kinds;
    const hx_cuda_field *field; /* by the number of the field in the spec */
    const hx_cuda_wired *wired; /* NULL: all numbers travel as they are */
    int wireds;
    hx_cuda_fn *move;
    hx_cuda_fn *zero;    /* moves of which only the end is looked at; NULL: nothing is set to zero */
    hx_cuda_fn *sum;     /* NULL: no exchange sends ghost points back */
    hx_cuda_fn *combine; /* NULL: none combines shared points */
    /* Of grids that are lists of points, in place of those above; else NULL. */
    const hx_cuda_listing *listing;
    const struct hx_device *device; /* the library that launches them */
    hx_cuda_signal_fn *signal;      /* see hx/cuda_signal.h */
} hx_cuda_kernels;

/* ---- what libhx_cuda has --------------------------------------------------------------------- */

/* Where a pointer points to, as its device knows it. */
typedef enum hx_memory_kind {
    HX_MEMORY_HOST,   /* of the process, which devices do not know */
    HX_MEMORY_PINNED, /* of the host, mapped for devices */
    HX_MEMORY_DEVICE,
    HX_MEMORY_MANAGED /* moves between host and device */
} hx_memory_kind;

typedef struct hx_memory_place {
    hx_memory_kind kind;
    int device; /* whose kernels find it at this address: of pinned memory the current one; -1: none */
} hx_memory_place;

/* Names an allocation of a device to another process of this machine. */
typedef struct hx_device_token {
    unsigned char bytes[64];
} hx_device_token;

/* What a device is: of a slice of one (MIG) what that slice is. */
typedef struct hx_device_identity {
    char name[256];
    unsigned char uuid[16]; /* another one for each */
} hx_device_identity;

typedef struct hx_device_event hx_device_event;

/*
 * The calls of a device's library that libhx makes: libhx itself is linked with none, and tests give it
 * another.  Each returns 0 or an error, which text explains.  All work on the current device of the calling
 * thread, and none waits for a device but get, free and close_memory.
 */
typedef struct hx_device {
    int abi;
    const char *(*text)(int error);
    /* Devices that there are.  An error, 34, 35 or 100 of CUDA, where there is no driver, or none. */
    int (*count)(int *devices);
    int (*current)(int *device);
    int (*use)(int device); /* from now on it is the current one */
    int (*place)(const void *pointer, hx_memory_place *place);
    /* DEVICE, or PINNED: mapped, too, for all devices of the process. */
    int (*get)(hx_memory_kind kind, size_t bytes, void **memory);
    int (*free)(hx_memory_kind kind, void *memory);
    /* Where kernels find pinned memory. */
    int (*mapped)(void *pinned, void **address);
    int (*copy)(void *to, const void *from, size_t bytes, hx_stream stream);
    int (*zero)(void *memory, size_t bytes, hx_stream stream);
    /* Not blocked by the default stream; urgent: kernels of it go before others that wait. */
    int (*stream_open)(bool urgent, hx_stream *stream);
    int (*stream_close)(hx_stream stream);
    int (*stream_here)(hx_stream stream,
                       bool *yes); /* of the current device; yes, too, where CUDA cannot tell */
    int (*event_open)(hx_device_event **event);
    int (*event_close)(hx_device_event *event);
    int (*event_record)(hx_device_event *event, hx_stream stream);
    int (*event_wait)(hx_device_event *event, hx_stream stream); /* the stream waits, not the caller */
    int (*event_done)(hx_device_event *event, bool *done);       /* done: true for one never recorded */
    int (*capture)(hx_stream stream, uint64_t *number);          /* that the stream is in; 0: none */
    /* An allocation of get, for another process; and there, until close. */
    int (*export_memory)(void *memory, hx_device_token *token);
    int (*open_memory)(const hx_device_token *token, void **memory);
    int (*close_memory)(void *memory);
    int (*about)(hx_device_identity *identity); /* the current device */
} hx_device;

/* That of libhx_cuda, with which whatever is linked that has device code. */
extern const hx_device hx_cuda_device;

#ifdef __cplusplus
}
#endif

/* ---- words that say what is the device's ----------------------------------------------------- */

#if defined __CUDACC__ || defined __HIPCC__
#define HX_DEVICE static __device__ __forceinline__
#define HX_UNROLL _Pragma("unroll")
/* An array that the threads of a block share; and where they wait until all of them are there. */
#define HX_SHARED(type, name, count) __shared__ type name[count]
#define HX_SYNC()                    __syncthreads()
#endif

#ifdef __CUDACC__
#include <cuda_runtime.h>

/* Half of a number, rounded before anything is added to it, as C does. */
HX_DEVICE float hx_halved(float value)
{
    return __fmul_rn(value, 0.5F);
}

HX_DEVICE double hx_halved(double value)
{
    return __dmul_rn(value, 0.5);
}

/*
 * The sum of two numbers of half precision, given and returned as their bits, rounded once: that of two
 * floats is exact enough for it.  By instructions that all devices have; cuda_fp16.h is half as much again to
 * compile, and gives everyone a type of the name half.
 */
HX_DEVICE hx_word_2 hx_sum_of_halves(hx_word_2 a, hx_word_2 b)
{
    float x, y;
    hx_word_2 sum;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(a));
    asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(b));
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(sum) : "f"(x + y));
    return sum;
}

HX_DEVICE uint64_t hx_nanoseconds(void)
{
    uint64_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* Between numbers of 8 bytes and of 4, subnormal ones too, whatever nvcc is told about these. */
HX_DEVICE float hx_rounded(double value)
{
    float near;
    asm("cvt.rn.f32.f64 %0, %1;" : "=f"(near) : "d"(value));
    return near;
}

HX_DEVICE double hx_widened(float value)
{
    double wide;
    asm("cvt.f64.f32 %0, %1;" : "=d"(wide) : "f"(value));
    return wide;
}

/* Bits that are 1. */
HX_DEVICE unsigned hx_ones(uint32_t bits)
{
    return (unsigned)__popc(bits);
}

/* HX_KERNEL(name, type) { ... }: a kernel whose arguments, a struct of the type, are what `a` points to. */
#define HX_KERNEL(name, type)                                                                                \
    static __device__ __forceinline__ void name##_thread(const type *a);                                     \
    static __global__ void __launch_bounds__(HX_CUDA_THREADS) name(const __grid_constant__ type a)           \
    {                                                                                                        \
        name##_thread(&a);                                                                                   \
    }                                                                                                        \
    static __device__ __forceinline__ void name##_thread(const type *a)

static inline int hx_cuda_launch(const void *kernel, const void *arguments, unsigned blocks, void *stream)
{
    void *list[] = {const_cast<void *>(arguments)};
    const cudaError_t error =
        cudaLaunchKernel(kernel, dim3(blocks), dim3(HX_CUDA_THREADS), list, 0, (cudaStream_t)stream);
    if (error != cudaSuccess && cudaPeekAtLastError() == error) {
        (void)cudaGetLastError(); /* libhx tells it; the application is not to take it for its own */
    }
    return (int)error;
}

#define HX_LAUNCH(name, arguments, blocks, stream)                                                           \
    hx_cuda_launch((const void *)name, arguments, blocks, stream)
#elif defined __HIPCC__
#include <hx/hip.h>
#endif

#if defined __CUDACC__ || defined __HIPCC__
/*
 * Whoever of the node sees this value also sees all that was stored before, also by kernels before in the stream.
 */
HX_DEVICE void hx_raise(uint64_t *flag, uint64_t value)
{
    __threadfence_system();
    *(volatile uint64_t *)flag = value;
}

/* Notes a number that does not fit, unless one is noted. */
HX_DEVICE void hx_note_unfit(hx_cuda_unfit *unfit, const void *number, uint64_t value)
{
    if (atomicCAS((unsigned long long *)&unfit->number, 0ULL, (unsigned long long)(uintptr_t)number) == 0) {
        unfit->value = value;
    }
}

/* Loads after this one see nothing older. */
HX_DEVICE uint64_t hx_look(const uint64_t *flag)
{
    const uint64_t value = *(const volatile uint64_t *)flag;
    __threadfence_system();
    return value;
}
#endif

#endif
