/*
 * runtime/audit/digest.c as other processors have it: those of x86 without AVX2, or, with -DDIGEST_PLAIN, those that
 * are no x86 at all.
 */
#include "audit/digest.h"

#include <string.h>

/* Headers of the system, which ask for the processor, are read by now. */
#ifdef DIGEST_PLAIN
#undef __SSE2__
#undef __x86_64__
#else
#define __builtin_cpu_supports(feature) 0
#endif

#include "audit/digest.c"
