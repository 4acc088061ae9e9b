/*
 * usage: gpu_bench [-s] [-r ROUNDS] [-t SECONDS] [-m FILE] [N,H,F ...]
 *
 * Measures exchanges of F fields of N^3 doubles with H layers of ghost cells, periodic, in all 26 directions:
 * those named, or those that there are targets for.  -t: of each way of doing it in a round; -m: appends the
 * tables to FILE as Markdown; -s: small boxes, whose values are looked at and nothing is measured.  Whatever
 * is measured is looked at before and after, each cell.
 *
 * Ends with 0, or 1 if values are wrong, 3 if all are right and a target is missed, 2 if something failed,
 * 77 if there is no device.
 */
#include "gpu.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const variant *const variants[WAYS] = {
    [EMITTED] = &emitted,
    [GRAPH] = &emitted_graph,
    [MAPPED] = &emitted_mapped,
    [DIRECT] = &emitted_direct,
    [INDEXED_EACH] = &indexed_each,
    [INDEXED_TOGETHER] = &indexed_together,
    [INDEXED_GRAPH] = &indexed_graph,
    [COPIES_3D] = &copies_3d,
    [COPIES_BATCH] = &copies_batch,
};

extern const hx_spec gpu_h1f3_spec, gpu_h1f8_spec, gpu_h2f4_spec, gpu_h3f1_spec, gpu_h3f3_spec, gpu_h3f8_spec;

static const hx_spec *spec_for(const extents *s)
{
    static const struct {
        int h, fields;
        const hx_spec *spec;
    } specs[] = {{1, 3, &gpu_h1f3_spec}, {1, 8, &gpu_h1f8_spec}, {2, 4, &gpu_h2f4_spec},
                 {3, 1, &gpu_h3f1_spec}, {3, 3, &gpu_h3f3_spec}, {3, 8, &gpu_h3f8_spec}};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; ++i) {
        if (specs[i].h == s->h && specs[i].fields == s->fields) {
            return specs[i].spec;
        }
    }
    give_up("there is no spec of %d fields with halo %d; there are 1,3, 1,8, 2,4, 3,1, 3,3 and 3,8",
            s->fields, s->h);
}

typedef struct arguments {
    bool small;
    int rounds;
    double seconds;
    const char *markdown; /* NULL: none */
    extents shapes[16];
    int count;
} arguments;

static long wrong_values; /* of all variants so far */

/* ---- one way of doing it --------------------------------------------------------------------- */

static void exchange(const variant *v, void *state, int set)
{
    if (v->both) {
        v->both(state, set);
    } else {
        v->pack(state, set);
        v->unpack(state, set);
    }
}

static void look_at(problem *p, const variant *v, void *state, int set, const char *when)
{
    problem_fill(p, set);
    exchange(v, state, set);
    must(cudaStreamSynchronize(p->stream), v->name);
    const long wrong = problem_wrong(p, set);
    if (wrong > 0) {
        printf("FAIL (%d, %d, %d), %s, set %d, %s: %ld cells are wrong\n", p->shape.n, p->shape.h,
               p->shape.fields, v->name, set, when, wrong);
    }
    wrong_values += wrong;
}

static timed timed_phase(const variant *v, void *state, int phase)
{
    timed t = {.state = state};
    t.first = phase == PACK ? v->pack : phase == UNPACK ? v->unpack : v->both ? v->both : v->pack;
    t.second = phase == BOTH && !v->both ? v->unpack : NULL;
    return t;
}

/* ---- what they are compared with ------------------------------------------------------------- */

static void copy_bytes(void *state, int set)
{
    const problem *p = state;
    must(cudaMemcpyAsync(p->set[set].spare, p->set[set].message, p->packed, cudaMemcpyDeviceToDevice,
                         p->stream),
         "copying");
}

static void launch_nothing(void *state, int set)
{
    const problem *p = state;
    (void)set;
    must(nothing(p->stream), "launching");
}

static void write_ends(void *state, int set)
{
    const problem *p = state;
    const uint32_t wide = (uint32_t)(p->shape.n + 2 * p->shape.h);
    ends e = {.message = p->set[set].message,
              .fields = (uint32_t)p->shape.fields,
              .rows = wide * wide,
              .wide = wide,
              .h = (uint32_t)p->shape.h};
    for (int f = 0; f < p->shape.fields; ++f) {
        e.field[f] = p->set[set].field[f];
    }
    must(ends_write(&e, p->stream), "launching");
}

/* ---- one case -------------------------------------------------------------------------------- */

enum { MOST_TIMED = 3 + WAYS * PHASES };

/* All figures that are taken of a case, in one list and back. */
static void measure_all(result *r, void *const state[WAYS], const arguments *a)
{
    static timed list[MOST_TIMED];
    timed *place[MOST_TIMED];
    int count = 0;
    void *self = (void *)(size_t)r->problem;
    list[count] = (timed){.first = copy_bytes, .state = self};
    place[count++] = &r->copy;
    list[count] = (timed){.first = launch_nothing, .state = self};
    place[count++] = &r->launch;
    list[count] = (timed){.first = write_ends, .state = self};
    place[count++] = &r->ends;
    for (int way = 0; way < WAYS; ++way) {
        const variant *v = r->way[way].variant;
        for (int phase = 0; v && phase < PHASES; ++phase) {
            r->way[way].has[phase] = phase == BOTH || v->pack;
            if (r->way[way].has[phase]) {
                list[count] = timed_phase(v, state[way], phase);
                place[count++] = &r->way[way].phase[phase];
            }
        }
    }
    measure(r->problem, list, count, a->rounds, a->seconds * 1e6);
    for (int i = 0; i < count; ++i) {
        *place[i] = list[i];
    }
}

static bool run_case(const extents *s, const arguments *a, size_t cache, FILE *markdown)
{
    static result r;
    problem p;
    void *state[WAYS] = {NULL};
    problem_make(&p, s, spec_for(s), cache);
    r = (result){.problem = &p, .floors = floors_of(s)};
    for (int way = 0; way < WAYS; ++way) {
        state[way] = variants[way]->make(&p);
        r.way[way].variant = state[way] ? variants[way] : NULL;
        for (int set = 0; state[way] && set < p.sets; set += p.sets - 1) {
            look_at(&p, variants[way], state[way], set, "before");
        }
    }
    emitted_tables(state[EMITTED], r.tables, sizeof r.tables);
    bool met = true;
    if (a->small) {
        printf("(%d, %d, %d): %s\n", s->n, s->h, s->fields, r.tables);
    } else if (wrong_values == 0) {
        measure_all(&r, state, a);
        met = report_case(&r, markdown);
    }
    for (int way = 0; way < WAYS; ++way) {
        if (state[way]) {
            look_at(&p, variants[way], state[way], p.sets - 1, "after");
            variants[way]->free(state[way]);
        }
    }
    problem_free(&p);
    return met;
}

/* ---- arguments ------------------------------------------------------------------------------- */

static const extents usual[] = {{256, 3, 8}, {512, 2, 4}, {128, 3, 1}, {64, 1, 8}, {100, 1, 3}, {100, 3, 3}};
static const extents small[] = {{4, 3, 8}, {5, 2, 4}, {9, 3, 1}, {6, 1, 8}, {12, 1, 3}, {30, 3, 3}};

static void set_shapes(arguments *a, const extents *list, size_t count)
{
    memcpy(a->shapes, list, count * sizeof *list);
    a->count = (int)count;
}

static void read_shape(arguments *a, const char *text)
{
    extents *s = &a->shapes[a->count];
    if (a->count == (int)(sizeof a->shapes / sizeof *a->shapes) ||
        sscanf(text, "%d,%d,%d", &s->n, &s->h, &s->fields) != 3 || s->h < 1 || s->n < s->h || s->n > 1000) {
        give_up("'%s' is not N,H,F, as in 256,3,8", text);
    }
    ++a->count;
}

static void read_arguments(int argc, char **argv, arguments *a)
{
    *a = (arguments){.rounds = 9, .seconds = 0.02};
    for (int option; (option = getopt(argc, argv, "sr:t:m:")) != -1;) {
        switch (option) {
        case 's':
            a->small = true;
            break;
        case 'r':
            a->rounds = atoi(optarg);
            break;
        case 't':
            a->seconds = atof(optarg);
            break;
        case 'm':
            a->markdown = optarg;
            break;
        default:
            give_up("usage: gpu_bench [-s] [-r ROUNDS] [-t SECONDS] [-m FILE] [N,H,F ...]");
        }
    }
    if (a->rounds < 1 || a->rounds > MOST_ROUNDS || !(a->seconds > 0)) {
        give_up("-r is a number of rounds, 1 to %d, and -t one of seconds", MOST_ROUNDS);
    }
    for (int i = optind; i < argc; ++i) {
        read_shape(a, argv[i]);
    }
    if (a->count == 0 && a->small) {
        set_shapes(a, small, sizeof small / sizeof *small);
    } else if (a->count == 0) {
        set_shapes(a, usual, sizeof usual / sizeof *usual);
    }
}

static void need_device(void)
{
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error != cudaSuccess || devices == 0) {
        printf("there is no GPU: %s\n", cudaGetErrorString(error != cudaSuccess ? error : cudaErrorNoDevice));
        exit(77);
    }
}

int main(int argc, char **argv)
{
    arguments a;
    need_device();
    MPI_Init(&argc, &argv);
    read_arguments(argc, argv, &a);
    FILE *markdown = a.markdown ? fopen(a.markdown, "a") : NULL;
    if (a.markdown && !markdown) {
        give_up("%s cannot be written", a.markdown);
    }
    struct cudaDeviceProp device;
    must(cudaGetDeviceProperties(&device, 0), "asking for the device");
    report_heading(a.small ? NULL : markdown);
    bool met = true;
    for (int i = 0; i < a.count; ++i) {
        met = run_case(&a.shapes[i], &a, a.small ? 0 : (size_t)device.l2CacheSize, markdown) && met;
    }
    if (markdown && fclose(markdown) != 0) {
        give_up("%s cannot be written", a.markdown);
    }
    printf("%d cases, %ld cells wrong%s\n", a.count, wrong_values, met ? "" : ", targets missed");
    MPI_Finalize();
    return wrong_values > 0 ? 1 : met ? 0 : 3;
}
