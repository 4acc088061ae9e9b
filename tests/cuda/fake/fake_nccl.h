/*
 * A stand-in for NCCL (libnccl.so.2) on fake devices, as far as libhx calls it.  Ranks are processes of one machine; messages
 * are files of a folder that the id names, so they come whatever else the ranks do.  As the real one it puts groups into
 * streams, in one order for each communicator, waits there for peers, matches messages of two ranks in their order, and
 * refuses two ranks on one device.
 */
#ifndef FAKE_NCCL_H
#define FAKE_NCCL_H

/* Of the calls from now on the n-th, from 1, fails with ncclSystemError, and does nothing; 0: none. */
void fake_nccl_fail(long n);
/* Calls that could have failed. */
long fake_nccl_calls(void);

/* From now on no message comes, and whoever asks for errors of streams hears of this one; 0: again as usual. */
void fake_nccl_break(int result);

/* Bytes that came are others, so that a probe fails. */
void fake_nccl_spoil(int yes);

/* What it says of its version; 0: what it is, 22809. */
void fake_nccl_be(int version);

/* Communicators that are neither destroyed nor aborted, and how many were aborted. */
int fake_nccl_left(void);
int fake_nccl_aborted(void);

#endif
