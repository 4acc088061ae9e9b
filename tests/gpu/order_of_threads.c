/* Threads of a real device have an order of their own, whatever tests ask for. */
#include "shim.h"

shim_order shim_order_of_threads;
