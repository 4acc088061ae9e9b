/*
 * There are no audits on the stand-in for MPI.
 */
#include "exchange/audits.h"

#include "audit/audit.h"
#include "audit/layers.h"
#include "base/status.h"

void hxi_audits_begin(hx_handle *handle)
{
    (void)handle;
}

hx_status hxi_audits_start(hx_handle *handle, int exchange, const void *fields)
{
    (void)handle;
    (void)exchange;
    (void)fields;
    return HX_OK;
}

void hxi_audits_before_finish(hx_handle *handle, int exchange)
{
    (void)handle;
    (void)exchange;
}

hx_status hxi_audits_finish(hx_handle *handle, int exchange)
{
    (void)handle;
    (void)exchange;
    return HX_OK;
}

hx_status hxi_audits_answer(hx_handle *handle)
{
    (void)handle;
    return HX_OK;
}

void hxi_audits_poison(const hxi_audits *audits, const void *fields)
{
    (void)audits;
    (void)fields;
}

void hxi_layers_poison(hxi_audits *audits, const hxi_layers *what)
{
    (void)audits;
    (void)what;
}

bool hxi_layers_keep(hxi_audits *audits, const hxi_layers *what)
{
    (void)audits;
    (void)what;
    return false;
}

hx_status hxi_layers_compare(hxi_audits *audits, const hxi_layers *what)
{
    (void)audits;
    (void)what;
    return HX_OK;
}

void hxi_audits_close(hxi_audits *audits, bool abandon)
{
    (void)audits;
    (void)abandon;
}

hx_status hx_audit(hx_handle *handle, int exchange, const void *fields)
{
    (void)handle;
    (void)exchange;
    (void)fields;
    return hxi_fail(HX_ERR_STATE, "The stand-in for MPI has no audits.");
}
