/*
 * usage: gpu_ranks [-s] [-m FILE]
 *
 * Measures whole exchanges between ranks of MPI that share the current device: blocks of N^3 doubles, one a
 * rank, side by side along x, F fields, H layers, periodic.  From arrays of the program's own messages go
 * through boxes; between those of NAME_alloc they are written straight from one to the other.  In graphs they go
 * through boxes, too: one exchange behind the other in one graph, or one a graph, whose time is that from its launch
 * until the host sees its end.  -m: appends
 * the figures to FILE as Markdown; -s: small blocks, of which nothing is measured unless -m is given, too.
 * Whatever is measured is looked at before, each cell.
 *
 * Ends with 0, or 1 if values are wrong, 2 if something failed, 77 if there is no device.
 */
#include "gpu.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const hx_spec gpu_h1f1_spec, gpu_h1f8_spec, gpu_h2f4_spec, gpu_h3f1_spec, gpu_h3f8_spec;

static const struct {
    extents shape, small;
    const hx_spec *spec;
} cases[] = {{{256, 3, 8}, {4, 3, 8}, &gpu_h3f8_spec},
             {{512, 2, 4}, {5, 2, 4}, &gpu_h2f4_spec},
             {{128, 3, 1}, {9, 3, 1}, &gpu_h3f1_spec},
             {{64, 1, 8}, {6, 1, 8}, &gpu_h1f8_spec},
             {{64, 1, 1}, {6, 1, 1}, &gpu_h1f1_spec}};
enum { CASES = sizeof cases / sizeof *cases };

enum { BOXES, STRAIGHT, MANY_IN_GRAPH, ONE_IN_GRAPH, WAYS_THERE };
static const char *const way_names[WAYS_THERE] = {"through boxes", "straight into arrays", "in one graph",
                                                  "in a graph each, launch to end"};

static int rank, ranks;
enum {
    IN_TURNS = 1000,
    FEW = 3
}; /* microseconds that tell that ranks take turns on the device, and rounds then */
static int rounds = 15, calls = 40; /* of each way; exchanges of a round */

static void need(hx_status status)
{
    if (status != HX_OK) {
        give_up("%s: %s", hx_status_name(status), hx_last_error());
    }
}

/* ---- the work ------------------------------------------------------------------------------------------ */

/* Blocks are alike, so what comes from a neighbor is what the block itself has on the other side. */
typedef struct work {
    problem problem; /* a set for BOXES and for graphs, and one for STRAIGHT */
    hx_handle *handle;
    unsigned char *fields[STRAIGHT + 1];
    double *own[MOST_FIELDS];          /* the problem's, in the place of which there are those of alloc */
    cudaGraphExec_t graph[WAYS_THERE]; /* of the ways in graphs */
} work;

static int set_of(int way)
{
    return way == STRAIGHT ? STRAIGHT : BOXES;
}

static hx_handle *make_handle(const problem *p)
{
    const extents *s = &p->shape;
    hx_partition partition = {.axes = 3, .cells = {ranks * s->n, s->n, s->n}, .ranks = {ranks, 1, 1}};
    memcpy(partition.periodic, (int[]){1, 1, 1}, sizeof(int[3]));
    const hx_part part = {
        .partition = partition, .index = {rank}, .first = {rank * s->n}, .n = {s->n, s->n, s->n}};
    const ptrdiff_t wide = s->n + 2 * s->h;
    const ptrdiff_t stride[3] = {wide * wide, wide, 1};
    unsigned char *shape = allocate(1, p->spec->shape_size);
    memcpy(shape, &part, sizeof part);
    for (int f = 0; f < s->fields; ++f) {
        memcpy(shape + p->spec->shape_stride + (size_t)f * sizeof stride, stride, sizeof stride);
    }
    const hx_blocks blocks = {.comm = MPI_COMM_WORLD, .tiles = 1, .partition = &partition, .count = 1};
    hx_options options = HX_OPTIONS_INIT;
    options.transport = "ipc";
    options.deadline = 60.0;
    hx_handle *handle = NULL;
    need(hx_create(p->spec, &blocks, shape, &options, &handle));
    free(shape);
    return handle;
}

static double **pointer_at(const work *w, int way, int field)
{
    return (double **)(void *)(w->fields[way] + w->problem.spec->field[field].pointer);
}

static void exchange(const work *w, int way)
{
    need(hx_start_on(w->handle, 0, w->fields[set_of(way)], w->problem.stream));
    need(hx_finish_on(w->handle, 0, w->problem.stream));
}

static cudaGraphExec_t capture(const work *w, int exchanges)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t made = NULL;
    must(cudaStreamBeginCapture(w->problem.stream, cudaStreamCaptureModeThreadLocal), "capturing");
    for (int i = 0; i < exchanges; ++i) {
        exchange(w, BOXES);
    }
    must(cudaStreamEndCapture(w->problem.stream, &graph), "capturing");
    must(cudaGraphInstantiateWithFlags(&made, graph, 0), "making a graph");
    must(cudaGraphDestroy(graph), "making a graph");
    return made;
}

static void make(work *w, const extents *shape, const hx_spec *spec)
{
    problem_make(&w->problem, shape, spec, 0);
    w->handle = make_handle(&w->problem);
    for (int set = 0; set <= STRAIGHT; ++set) {
        w->fields[set] = allocate(1, spec->fields_size);
    }
    need(hx_alloc(w->handle, w->fields[STRAIGHT]));
    for (int f = 0; f < shape->fields; ++f) {
        *pointer_at(w, BOXES, f) = w->problem.set[BOXES].field[f];
        w->own[f] = w->problem.set[STRAIGHT].field[f];
        w->problem.set[STRAIGHT].field[f] = *pointer_at(w, STRAIGHT, f);
    }
    w->graph[MANY_IN_GRAPH] = capture(w, calls);
    w->graph[ONE_IN_GRAPH] = capture(w, 1);
}

static void destroy(work *w)
{
    must(cudaGraphExecDestroy(w->graph[MANY_IN_GRAPH]), "giving a graph back");
    must(cudaGraphExecDestroy(w->graph[ONE_IN_GRAPH]), "giving a graph back");
    for (int f = 0; f < w->problem.shape.fields; ++f) {
        w->problem.set[STRAIGHT].field[f] = w->own[f];
    }
    need(hx_free(w->handle, w->fields[STRAIGHT]));
    need(hx_destroy(w->handle));
    problem_free(&w->problem);
    free(w->fields[BOXES]);
    free(w->fields[STRAIGHT]);
}

/* So many exchanges as a graph of the way has, or one. */
static void run(const work *w, int way)
{
    if (w->graph[way]) {
        must(cudaGraphLaunch(w->graph[way], w->problem.stream), "launching a graph");
    } else {
        exchange(w, way);
    }
}

/* All ranks: how many cells are wrong. */
static long look_at(work *w, int way)
{
    problem_fill(&w->problem, set_of(way));
    run(w, way);
    must(cudaStreamSynchronize(w->problem.stream), "exchanging");
    long wrong = problem_wrong(&w->problem, set_of(way));
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && wrong > 0) {
        printf("FAIL (%d, %d, %d), %s: %ld cells are wrong\n", w->problem.shape.n, w->problem.shape.h,
               w->problem.shape.fields, way_names[way], wrong);
    }
    return wrong;
}

/* ---- figures ------------------------------------------------------------------------------------------- */

/* Microseconds of an exchange on the slowest rank, among many one behind the other. */
static double time_of(const work *w, int way)
{
    must(cudaStreamSynchronize(w->problem.stream), "exchanging");
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < (way == MANY_IN_GRAPH ? 1 : calls); ++i) {
        run(w, way);
    }
    must(cudaStreamSynchronize(w->problem.stream), "exchanging");
    double spent = (MPI_Wtime() - begin) * 1e6 / calls;
    MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return spent;
}

/* Median of those from a launch to its end. */
static double time_alone(const work *w)
{
    times each = {.rounds = calls};
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < calls; ++i) {
        const double begin = MPI_Wtime();
        run(w, ONE_IN_GRAPH);
        must(cudaStreamSynchronize(w->problem.stream), "exchanging");
        each.round[i] = (MPI_Wtime() - begin) * 1e6;
    }
    double spent = summary_of(&each).middle;
    MPI_Allreduce(MPI_IN_PLACE, &spent, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return spent;
}

static double time_one(const work *w, int way)
{
    return way == ONE_IN_GRAPH ? time_alone(w) : time_of(w, way);
}

static void report(const work *w, const times taken[WAYS_THERE], FILE *markdown)
{
    const extents *s = &w->problem.shape;
    for (int way = 0; way < WAYS_THERE; ++way) {
        const summary t = summary_of(&taken[way]);
        const summary part = ratio_of(&taken[way], &taken[BOXES], 1.0);
        printf("  (%d, %d, %d) %-30s %9.2f (%.2f-%.2f), %.2f of that through boxes\n", s->n, s->h, s->fields,
               way_names[way], t.middle, t.low, t.high, part.middle);
        if (markdown) {
            fprintf(markdown, "| (%d, %d, %d) | %s | %.2f (%.2f-%.2f) | %.2f (%.2f-%.2f) |\n", s->n, s->h,
                    s->fields, way_names[way], t.middle, t.low, t.high, part.middle, part.low, part.high);
        }
    }
}

static void measure_ways(const work *w, FILE *markdown)
{
    times taken[WAYS_THERE];
    double slowest = 0.0;
    for (int way = 0; way < WAYS_THERE; ++way) {
        const double spent = time_one(w, way);
        slowest = spent > slowest ? spent : slowest;
    }
    const int few = slowest > IN_TURNS && rounds > FEW ? FEW : rounds;
    for (int way = 0; way < WAYS_THERE; ++way) {
        taken[way].rounds = few;
    }
    for (int i = 0; i < few; ++i) {
        for (int turn = 0; turn < WAYS_THERE; ++turn) {
            const int way = (i + turn) % WAYS_THERE; /* each goes first now and then */
            taken[way].round[i] = time_one(w, way);
        }
    }
    if (rank == 0) {
        report(w, taken, markdown);
    }
}

static long run_case(const extents *shape, const hx_spec *spec, bool measured, FILE *markdown)
{
    work w;
    make(&w, shape, spec);
    long wrong = 0;
    for (int way = 0; way < WAYS_THERE; ++way) {
        wrong += look_at(&w, way);
    }
    if (!strstr(hx_describe(w.handle), "straight into arrays of its device 1 time") && ranks > 1) {
        give_up("nothing was written straight into arrays: %s", hx_describe(w.handle));
    }
    if (measured && wrong == 0) {
        measure_ways(&w, markdown);
    }
    destroy(&w);
    return wrong;
}

/* ---- arguments ----------------------------------------------------------------------------------------- */

static void need_device(void)
{
    int devices = 0;
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error == cudaSuccess && devices > 0) {
        return;
    }
    if (rank == 0) {
        printf("there is no GPU: %s\n", cudaGetErrorString(error != cudaSuccess ? error : cudaErrorNoDevice));
    }
    MPI_Finalize();
    exit(77);
}

static FILE *begin_markdown(const char *path)
{
    FILE *markdown = fopen(path, "a");
    if (!markdown) {
        give_up("%s cannot be written", path);
    }
    fprintf(markdown,
            "\n### Exchanges between %d ranks on one device\n\n| | | us | of that through boxes "
            "|\n|---|---|---|---|\n",
            ranks);
    return markdown;
}

int main(int argc, char **argv)
{
    bool small = false;
    const char *path = NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    need_device();
    for (int option; (option = getopt(argc, argv, "sm:")) != -1;) {
        small = small || option == 's';
        path = option == 'm' ? optarg : path;
        if (option == '?') {
            give_up("usage: gpu_ranks [-s] [-m FILE]");
        }
    }
    if (small) {
        rounds = calls = 2;
    }
    FILE *markdown = path && rank == 0 ? begin_markdown(path) : NULL;
    long wrong = 0;
    for (int i = 0; i < CASES; ++i) {
        wrong += run_case(small ? &cases[i].small : &cases[i].shape, cases[i].spec, !small || path, markdown);
    }
    if (markdown && fclose(markdown) != 0) {
        give_up("%s cannot be written", path);
    }
    if (rank == 0) {
        printf("%d cases between %d ranks, %ld cells wrong\n", CASES, ranks, wrong);
    }
    MPI_Finalize();
    return wrong > 0;
}
