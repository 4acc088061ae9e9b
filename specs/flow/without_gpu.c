/*
 * Device code as C, for the fake device of the tests.
 */
#include "shim.h"

#include "flow.cu"
#include "gas.cu"
