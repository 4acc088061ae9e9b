#include "observe/sample.h"

#include "base/memory.h"

hx_status hxi_sample_make(hxi_sample *sample)
{
    *sample = (hxi_sample){.kept = hxi_memory_get(HX_SAMPLE, sizeof *sample->kept, "a sample of starts")};
    return sample->kept ? HX_OK : HX_ERR_MEMORY;
}

void hxi_sample_free(hxi_sample *sample)
{
    hxi_memory_free(sample->kept);
    *sample = (hxi_sample){0};
}

/* The finalizer of splitmix64: numbers that follow each other have nothing in common any more. */
static uint64_t mix(uint64_t number)
{
    uint64_t x = number + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static bool is_kept(uint64_t number, int level)
{
    return (mix(number) & ((UINT64_C(1) << level) - 1)) == 0;
}

/* Until there is room for one more. */
static void thin(hxi_sample *sample)
{
    while (sample->count == HX_SAMPLE && sample->level < 32) {
        sample->level++;
        sample->count = 0;
        sample->waited = 0.0;
        for (int i = 0; i < HX_SAMPLE; ++i) {
            const hxi_occurrence *o = &sample->kept[i];
            if (is_kept(o->number, sample->level)) {
                sample->waited += o->waited;
                sample->kept[sample->count++] = *o;
            }
        }
    }
}

bool hxi_sample_keeps(const hxi_sample *sample, uint64_t number)
{
    return is_kept(number, sample->level);
}

void hxi_sample_add(hxi_sample *sample, const hxi_occurrence *occurrence)
{
    if (!is_kept(occurrence->number, sample->level)) {
        return;
    }
    thin(sample);
    if (is_kept(occurrence->number, sample->level) && sample->count < HX_SAMPLE) {
        sample->waited += occurrence->waited;
        sample->kept[sample->count++] = *occurrence;
    }
}
