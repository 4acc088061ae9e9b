#include "numbers.h"

#include "check.h"
#include "check/run.h"

#include <stdlib.h>
#include <string.h>

int numbers_arrays(const numbers *s)
{
    return s->l->blocks.count * s->l->spec->fields;
}

size_t numbers_count(const numbers *s, int i)
{
    return layout_elements(s->l, i / s->l->spec->fields, i % s->l->spec->fields);
}

const hx_field *numbers_field(const numbers *s, int i)
{
    return &s->l->spec->field[i % s->l->spec->fields];
}

void numbers_make(numbers *s, const layout *l)
{
    const hx_spec *spec = l->spec;
    *s = (numbers){l, hxi_check_allocate((size_t)(l->blocks.count * spec->fields), sizeof *s->array),
                   hxi_check_allocate((size_t)l->blocks.count, spec->fields_size)};
    for (int i = 0; i < numbers_arrays(s); ++i) {
        const hx_field *field = numbers_field(s, i);
        s->array[i] = hxi_check_allocate(numbers_count(s, i), (size_t)field->size);
        memcpy(s->pointers + (size_t)(i / spec->fields) * spec->fields_size + field->pointer, &s->array[i],
               sizeof s->array[i]);
    }
}

void numbers_free(numbers *s)
{
    for (int i = 0; i < numbers_arrays(s); ++i) {
        free(s->array[i]);
    }
    free(s->array);
    free(s->pointers);
}

/* As its type has it. */
double numbers_at(const numbers *s, int i, size_t k, const double *given)
{
    const char *type = numbers_field(s, i)->type;
#define AS(T)                                                                                                \
    if (strcmp(type, #T) == 0) {                                                                             \
        T *number = (T *)s->array[i] + k;                                                                    \
        *number = given ? (T)*given : *number;                                                               \
        return (double)*number;                                                                              \
    }
    AS(double)
    AS(float)
    AS(int)
    AS(int16_t)
    AS(uint32_t)
#undef AS
    CHECK(0, "this test has no numbers of type %s", type);
    return 0;
}

void numbers_draw(numbers *s, uint64_t seed, int least, int most)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    seed = seed * 1000 + (uint64_t)rank;
    for (int i = 0; i < numbers_arrays(s); ++i) {
        for (size_t k = 0; k < numbers_count(s, i); ++k) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            const double drawn = least + (int)((seed >> 40) % (uint64_t)(most - least + 1));
            numbers_at(s, i, k, &drawn);
        }
    }
}

void numbers_copy(numbers *to, const numbers *from)
{
    for (int i = 0; i < numbers_arrays(to); ++i) {
        memcpy(to->array[i], from->array[i], numbers_count(to, i) * (size_t)numbers_field(to, i)->size);
    }
}

void numbers_exchange(const numbers *s, hx_handle *handle, int exchange)
{
    CHECK_STATUS(hx_start(handle, exchange, s->pointers), HX_OK);
    CHECK_STATUS(hx_finish(handle, exchange), HX_OK);
}

int numbers_named(const hx_spec *spec, const char *word, const char *name)
{
    for (int e = 0; e < spec->exchanges; ++e) {
        const size_t length = strlen(word);
        if (strncmp(spec->exchange[e].name, word, length) == 0 &&
            strcmp(spec->exchange[e].name + length, name) == 0) {
            return e;
        }
    }
    return -1;
}
