/*
 * Another meaning for the words of hx/cuda.h: device code as C, whose threads run one after the other, and
 * where they wait for each other, in turns.  It comes before the emitted text, by -include.
 */
#ifndef SHIM_H
#define SHIM_H

#include <stddef.h>
#include <stdint.h>

typedef struct shim_index {
    unsigned x;
} shim_index;

extern shim_index blockIdx;
extern shim_index threadIdx;

/* In which order the threads of a launch run, regardless of their blocks. */
typedef enum shim_order { SHIM_FORWARD, SHIM_BACKWARD, SHIM_SHUFFLED, SHIM_ORDERS } shim_order;
extern shim_order shim_order_of_threads;

typedef void shim_kernel(const void *arguments);
/* Puts a kernel into a stream of the fake device (fake/fake.h), whose default order is at once. */
int shim_launch(shim_kernel *kernel, const void *arguments, size_t bytes, unsigned blocks, void *stream);

/* For the threads of a block, in which the first of them finds bytes of no meaning. */
void *shim_shared(size_t bytes);
/* Where a thread waits until all of its block are there. */
void shim_sync(void);

/* The sum of two halves, as their bits, reckoned without the compiler's type. */
uint16_t shim_sum_of_halves(uint16_t a, uint16_t b);

/* They pass also while a thread waits, and then others of the machine run. */
uint64_t shim_nanoseconds(void);

#define HX_DEVICE static inline
#define HX_UNROLL
#define HX_SHARED(type, name, count) type *const name = (type *)shim_shared(sizeof(type) * (count))
#define HX_SYNC()                    shim_sync()
#define hx_thread()                  ((size_t)blockIdx.x * HX_CUDA_THREADS + threadIdx.x)
#define hx_halved(value)             ((value) / 2)
#define hx_sum_of_halves(a, b)       shim_sum_of_halves(a, b)
#define hx_rounded(value)            ((float)(value))
#define hx_widened(value)            ((double)(value))
#define hx_ones(bits)                ((unsigned)__builtin_popcount(bits))
#define hx_raise(flag, value)        __atomic_store_n(flag, value, __ATOMIC_RELEASE)
#define hx_look(flag)                __atomic_load_n(flag, __ATOMIC_ACQUIRE)
#define hx_note_unfit(unfit, at, bits)                                                                       \
    do {                                                                                                     \
        if ((unfit)->number == 0) {                                                                          \
            *(unfit) = (hx_cuda_unfit){(uint64_t)(uintptr_t)(at), bits};                                     \
        }                                                                                                    \
    } while (0)
#define hx_nanoseconds() shim_nanoseconds()

#define HX_KERNEL(name, type)                                                                                \
    static inline void name##_thread(const type *a);                                                         \
    static void name(const void *arguments)                                                                  \
    {                                                                                                        \
        name##_thread(arguments);                                                                            \
    }                                                                                                        \
    static inline void name##_thread(const type *a)

#define HX_LAUNCH(name, arguments, blocks, stream)                                                           \
    shim_launch(name, arguments, sizeof *(arguments), blocks, stream)

#endif
