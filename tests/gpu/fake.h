/*
 * What tests of ../cuda say to the fake device, said to a real one: orders become delays.  Kernels and copies
 * of the program go through late.cu, which puts a kernel that does nothing but wait in front of them, so
 * whoever relies on a stream without waiting for it finds what was there before.
 */
#ifndef FAKE_H
#define FAKE_H

#include <cuda_runtime_api.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* EAGER: no delays.  LAZY: each time the same.  SHUFFLED: as a seed draws them, often none. */
typedef enum fake_order { FAKE_EAGER, FAKE_LAZY, FAKE_SHUFFLED } fake_order;
void fake_set_order(fake_order order, unsigned seed);

/* false: whether MPI may be given memory of a real device only a real one can tell. */
bool fake_set_host_access(bool open);

void fake_set_devices(int devices); /* does nothing: there are as many as there are */

/* false: whether memory that is registered has another address for the device only that can tell. */
bool fake_set_registered_apart(bool wanted);

/* A kernel that writes where there is no memory: when the stream comes to it every later call fails. */
cudaError_t fake_fault(cudaStream_t stream);
void fake_set_fault(cudaError_t error, bool mild); /* does nothing */
bool fake_revive(void);                            /* false: a real device stays lost */

/* Memory that was taken and not given back; of streams and events nobody keeps count here.
 * What is there when fake_forget is called is not counted. */
long fake_left(void);
void fake_forget(void);

#ifdef __cplusplus
}
#endif
#endif
