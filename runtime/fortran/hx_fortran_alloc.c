/*
 * Arrays that libhx allocates, as pointers.
 */
#include "hx_fortran_glue.h"

static hx_status check_blocks(const struct hx_f_halo *halo, const char *call, int blocks)
{
    if (!halo) {
        return hx_f_not_created(call);
    }
    return blocks == halo->blocks ? HX_OK : hx_f_refuse_blocks(halo, call, blocks);
}

/* The other ranks wait for this one, so where f is wrong the call goes to libhx without it, and fails on all. */
static hx_status with_all(struct hx_f_halo *halo, const char *call, int blocks,
                          hx_status (*action)(hx_handle *handle, void *fields))
{
    const hx_status status = check_blocks(halo, call, blocks);
    if (halo) {
        halo->unfit = HX_OK; /* libhx knows the arrays that it frees */
    }
    if (status == HX_OK) {
        return action(halo->handle, halo->arrays);
    }
    if (halo) {
        action(halo->handle, NULL);
    }
    return check_blocks(halo, call, blocks);
}

hx_status hx_f_alloc(struct hx_f_halo *halo, const char *call, int blocks)
{
    return with_all(halo, call, blocks, hx_alloc);
}

hx_status hx_f_free(struct hx_f_halo *halo, const char *call, int blocks)
{
    return with_all(halo, call, blocks, hx_free);
}

static void **array_of(struct hx_f_halo *halo, int field, int block)
{
    return &halo->arrays[(block - 1) * halo->fields + field - 1];
}

void hx_f_point(struct hx_f_halo *halo, int field, int block, CFI_cdesc_t *pointer)
{
    void *array = *array_of(halo, field, block);
    if (array) {
        hx_f_set_pointer(&halo->dimensions[(block - 1) * halo->fields + field - 1], array, pointer);
    } else {
        CFI_setpointer(pointer, NULL, NULL);
    }
}

/* f may have more elements than there are blocks: the call that comes next refuses it. */
void hx_f_release(struct hx_f_halo *halo, int field, int block, const CFI_cdesc_t *pointer)
{
    if (block <= halo->blocks && pointer->base_addr && halo->unfit == HX_OK) {
        const hx_f_asked q = {halo, halo->spec->name, field - 1, block - 1, true};
        halo->unfit = hx_f_check_array(&q, pointer);
    }
    hx_f_release_address(halo, field, block, pointer->base_addr);
}

/* The same for fields that Fortran has no kind for, or that lie in the memory of a device. */
void *hx_f_address(struct hx_f_halo *halo, int field, int block)
{
    return *array_of(halo, field, block);
}

void hx_f_release_address(struct hx_f_halo *halo, int field, int block, void *array)
{
    if (block <= halo->blocks) {
        *array_of(halo, field, block) = array;
    }
}
