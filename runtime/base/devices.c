#include "base/devices.h"

#include <stdarg.h>
#include <stdio.h>

bool hxi_device_has(const hx_spec *spec, const hx_exchange *exchange)
{
    bool has = false;
    for (int f = 0; !exchange && f < spec->fields; ++f) {
        has = has || spec->field[f].on_device;
    }
    for (int i = 0; exchange && i < exchange->fields; ++i) {
        has = has || spec->field[exchange->field[i].field].on_device;
    }
    return has;
}

bool hxi_device_mixes(const hx_spec *spec, const hx_exchange *exchange)
{
    bool mixes = false;
    for (int i = 0; i < exchange->fields; ++i) {
        mixes = mixes || !spec->field[exchange->field[i].field].on_device;
    }
    return mixes;
}

hx_status hxi_device_fail(const hx_device *calls, int error, const char *format, ...)
{
    char what[HX_SENTENCE / 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return hxi_fail(HX_ERR_DEVICE, "%s failed: \"%s\" (error %d of the device's library).", what,
                    calls->text(error), error);
}
