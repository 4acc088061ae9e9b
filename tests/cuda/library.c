/*
 * libhx_cuda over CUDA's own runtime, linked as programs without C++ are: it counts devices where there is
 * one, and says in words why it cannot where there is none.
 */
#include <hx/cuda.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    int devices = -1;
    const int error = hx_cuda_device.count(&devices);
    const char *text = hx_cuda_device.text(error);
    printf("error %d, %s; %d devices\n", error, text, devices);
    if (error == 0) {
        return devices > 0 ? 0 : 1;
    }
    const bool known = error == 34 || error == 35 || error == 100;
    return known && devices == -1 && (strstr(text, "driver") || strstr(text, "device")) ? 0 : 1;
}
