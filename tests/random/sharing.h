/*
 * Points that several blocks own, and what they become where an exchange makes them agree.
 */
#ifndef SHARING_H
#define SHARING_H

#include "oracle.h"

/* Changes the expectation by what an exchange of shared points does to arrays that were just filled. */
void sharing_expect(arrays *s, const random_exchange *x);

#endif
