#include "exchange/types.h"

#include <hx/abi.h>

#include <stdbool.h>
#include <string.h>

#define TYPE(name)                                                                                           \
    {                                                                                                        \
#name, (int)sizeof(name), (int)_Alignof(name)                                                        \
    }

static const hxi_type types[] = {
    TYPE(char),
    TYPE(signed char),
    TYPE(unsigned char),
    TYPE(short),
    TYPE(unsigned short),
    TYPE(int),
    TYPE(unsigned int),
    TYPE(long),
    TYPE(unsigned long),
    TYPE(long long),
    TYPE(unsigned long long),
    TYPE(int8_t),
    TYPE(uint8_t),
    TYPE(int16_t),
    TYPE(uint16_t),
    TYPE(int32_t),
    TYPE(uint32_t),
    TYPE(int64_t),
    TYPE(uint64_t),
    TYPE(intptr_t),
    TYPE(uintptr_t),
    TYPE(intmax_t),
    TYPE(uintmax_t),
    TYPE(size_t),
    TYPE(ptrdiff_t),
    TYPE(float),
    TYPE(double),
    TYPE(long double),
    TYPE(bool),
    TYPE(hx_half),
#ifndef __STDC_NO_COMPLEX__
    TYPE(hx_complex64),
    TYPE(hx_complex128),
#endif
};

const hxi_type *hxi_type_named(const char *name)
{
    for (int i = 0; i < HX_COUNT(types); ++i) {
        if (strcmp(types[i].name, name) == 0) {
            return &types[i];
        }
    }
    return NULL;
}
