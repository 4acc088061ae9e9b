/*
 * A device that is none, for tests: CUDA's runtime (cuda_runtime_api.h) as far as libhx calls it, on the CPU.
 * What is put into streams runs inside later calls, as late as CUDA allows or in orders drawn from a seed,
 * so a host that does not wait for what it needs finds that it is not there.  Memory of a device cannot be
 * touched but by kernels and copies: other code dies of SIGSEGV.  What a program has not given back when it
 * ends is told, and makes it fail; so does cudaDeviceSynchronize, which libhx must not call.
 */
#ifndef FAKE_H
#define FAKE_H

#include <cuda_runtime_api.h>

#include <stdbool.h>

/*
 * When work of streams runs.  Whatever it is, work of one stream keeps its order, and waits for the events
 * that it is to wait for; streams that are not cudaStreamNonBlocking and the default stream wait for each
 * other.
 *
 * EAGER: at once.  LAZY: only what is needed runs, and when somebody waits for it, or has asked an event
 * FAKE_PATIENCE times.  SHUFFLED: in some calls some pieces of some streams, as the seed has it.
 *
 * STUCK: as LAZY, but however often an event is asked; who would wait for all that there is to do, as who
 * frees memory does, dies.
 *
 * From the environment, FAKE_CUDA_ORDER: eager, which is the default, lazy, or a number, a seed.
 */
typedef enum fake_order { FAKE_EAGER, FAKE_LAZY, FAKE_SHUFFLED, FAKE_STUCK } fake_order;
enum { FAKE_PATIENCE = 3 };
void fake_set_order(fake_order order, unsigned seed);

/*
 * Devices, 1 by default; 0: a driver that finds none.  FAKE_NO_DRIVER: every call fails.  From the
 * environment, FAKE_CUDA_DEVICES: a number, or "none" for no driver.
 */
enum { FAKE_NO_DRIVER = -1 };
void fake_set_devices(int devices);

/*
 * true: whoever likes may touch memory of devices, as an MPI does that is aware of it; what streams have not
 * done by then is not there all the same.  From the environment, FAKE_CUDA_HOST_ACCESS: 1.  Returns whether
 * it is so now, which real devices decide themselves.
 */
bool fake_set_host_access(bool open);

/*
 * Devices that cannot reach each other's memory, false, or can, as from the begin.  From the environment,
 * FAKE_CUDA_PEERS: 0 or 1.
 */
void fake_set_peers(bool reach);

/* true: they find memory that the host registers at another address than the host does.  Returns whether they
 * do now, which real devices decide themselves. */
bool fake_set_registered_apart(bool wanted);

/* There is one device, of which this process sees slice number 1, 2, ..., and not what other slices have.  0:
 * all of it. */
void fake_set_slice(int number);

/* Of the calls from now on the n-th, from 1, fails with cudaErrorUnknown and does nothing; 0: none. */
void fake_fail(long n);
/* Of what streams run from now on the n-th piece ends the device: every later call says so; 0: none. */
void fake_break(long n);
/*
 * A kernel that ends the device when the stream comes to it, with this error: one that stays, as
 * cudaErrorIllegalAddress.  mild: then calls that only look succeed, as they do with some drivers; CUDA's
 * documents leave both open.
 */
cudaError_t fake_fault(cudaStream_t stream);
void fake_set_fault(cudaError_t error, bool mild);
/* The device works again, as in another process; what it had is forgotten.  Whether it does. */
bool fake_revive(void);
/* Calls that could have failed; and those of them that were made while this device was the current one. */
long fake_calls(void);
long fake_calls_on(int device);

/*
 * Puts work into the stream that goes on until fake_release, in any order of streams: who asks an event
 * behind it hears that it is not there, and who waits for one dies.
 */
cudaError_t fake_hold(cudaStream_t stream);
void fake_release(void);

/* Pieces of work that wait in streams. */
long fake_waiting(void);

/* Streams, events, graphs and memory that have not been given back; the report at the end leaves out those
 * that there are when fake_forget is called. */
long fake_left(void);
void fake_forget(void);

/* Puts into the stream that `run` is called, as a kernel: with a copy of the arguments, of so many bytes. */
typedef void fake_kernel(const void *arguments);
cudaError_t fake_launch(fake_kernel *run, const void *arguments, size_t bytes, cudaStream_t stream);

/*
 * The same for what waits for another process: the stream goes on when ready(arguments) is true.  Who waits for such a
 * stream waits for that process, for FAKE_MOST_SECONDS.
 */
typedef bool fake_ready(const void *arguments);
enum { FAKE_MOST_SECONDS = 60 };
cudaError_t fake_launch_when(fake_ready *ready, fake_kernel *run, const void *arguments, size_t bytes,
                             cudaStream_t stream);

#endif
