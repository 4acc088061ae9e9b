/*
 * Memory that the ranks of a node share.  Where the system refuses something to one of them, all go by
 * persistent requests, have arrays of their own, and say so; and ranks of other nodes always do.  What
 * arrives is the same.  What is stored past the caches is there when a flag says so.
 *
 * Linked with --wrap, so that what libhx asks of the system passes through here.
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "example.h"
#include "harness.h"
#include "transport/board.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum fault {
    NO_FAULT,
    NAME_TAKEN,
    NO_OBJECT,
    NO_SIZE,
    NOT_FOUND,
    OTHER_SIZE,
    NO_PAGES,
    SIGNALS,
    SIGNALS_AND_NO_PAGES,
    NO_RESERVATION,
    NO_MAP,
    OTHER_MEMORY,
    FAULTS
} fault;

/* Who is hit, and what is said if that is no help. */
static const struct {
    int first; /* rank; else the last */
    const char *words;
} faults[] = {
    [NO_FAULT] = {0, NULL},
    [NAME_TAKEN] = {1, NULL},
    [NO_OBJECT] = {1, "Opening a piece of shared memory failed: "},
    [NO_SIZE] = {1, "Sizing the piece of shared memory /libhx-"},
    [NOT_FOUND] = {0, "Finding the piece of shared memory /libhx-"},
    [OTHER_SIZE] = {0, "Finding the piece of shared memory /libhx-"},
    [NO_PAGES] = {0, "Getting the pages of shared memory /libhx-"},
    [SIGNALS] = {0, NULL},
    [SIGNALS_AND_NO_PAGES] = {0, "Getting the pages of shared memory /libhx-"},
    [NO_RESERVATION] = {0, NULL},
    [NO_MAP] = {0, "Mapping the piece of shared memory /libhx-"},
    [OTHER_MEMORY] = {0, "wrote into shared memory is not seen by another rank"},
};

static fault present;
static int asked; /* how often the system was, for what fails at times */
static int names; /* of objects that are there */
static int maps;

static int has(fault f)
{
    return present == f && harness_rank == (faults[f].first ? 0 : harness_ranks - 1);
}

/* ---- the system ---------------------------------------------------------------------------------------- */

int __real_shm_open(const char *name, int flags, mode_t mode);
int __wrap_shm_open(const char *name, int flags, mode_t mode);
int __real_shm_unlink(const char *name);
int __wrap_shm_unlink(const char *name);
int __real_ftruncate64(int file, off_t bytes);
int __wrap_ftruncate64(int file, off_t bytes);
int __real_fstat64(int file, struct stat *found);
int __wrap_fstat64(int file, struct stat *found);
int __real_posix_fallocate64(int file, off_t at, off_t bytes);
int __wrap_posix_fallocate64(int file, off_t at, off_t bytes);
void *__real_mmap64(void *at, size_t bytes, int rights, int flags, int file, off_t offset);
void *__wrap_mmap64(void *at, size_t bytes, int rights, int flags, int file, off_t offset);
int __real_munmap(void *at, size_t bytes);
int __wrap_munmap(void *at, size_t bytes);

static int fail(int error)
{
    errno = error;
    return -1;
}

int __wrap_shm_open(const char *name, int flags, mode_t mode)
{
    const int makes = (flags & O_CREAT) != 0;
    if (makes && has(NAME_TAKEN) && asked++ % 4 < 3) {
        return fail(EEXIST);
    }
    if (has(makes ? NO_OBJECT : NOT_FOUND)) {
        return fail(ENOSYS);
    }
    const int file = __real_shm_open(name, flags, mode);
    names += makes && file >= 0;
    return file;
}

int __wrap_shm_unlink(const char *name)
{
    names--;
    return __real_shm_unlink(name);
}

int __wrap_ftruncate64(int file, off_t bytes)
{
    return has(NO_SIZE) ? fail(EFBIG) : __real_ftruncate64(file, bytes);
}

int __wrap_fstat64(int file, struct stat *found)
{
    const int result = __real_fstat64(file, found);
    found->st_size += has(OTHER_SIZE);
    return result;
}

int __wrap_posix_fallocate64(int file, off_t at, off_t bytes)
{
    if ((has(SIGNALS) || has(SIGNALS_AND_NO_PAGES)) && asked++ % 3 < 2) {
        return EINTR;
    }
    return has(NO_PAGES) || has(SIGNALS_AND_NO_PAGES) ? ENOSPC
           : has(NO_RESERVATION)                      ? EOPNOTSUPP
                                                      : __real_posix_fallocate64(file, at, bytes);
}

void *__wrap_mmap64(void *at, size_t bytes, int rights, int flags, int file, off_t offset)
{
    if (has(NO_MAP)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    void *map = has(OTHER_MEMORY) ? __real_mmap64(at, bytes, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                  : __real_mmap64(at, bytes, rights, flags, file, offset);
    maps += map != MAP_FAILED;
    return map;
}

int __wrap_munmap(void *at, size_t bytes)
{
    maps--;
    return __real_munmap(at, bytes);
}

/* ---- nodes --------------------------------------------------------------------------------------------- */

static int node_ranks; /* this machine looks like nodes of so many ranks; 0: it is one */

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *node)
{
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    return node_ranks > 0 ? PMPI_Comm_split(comm, rank / node_ranks, key, node)
                          : PMPI_Comm_split_type(comm, type, key, info, node);
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static int warnings;
static char warning[2048]; /* the last */
static char news[2048];    /* likewise, of what is no warning */

static void take_line(void *context, int level, const char *line)
{
    (void)context;
    warnings += level == HX_LOG_WARNING;
    strncpy(level == HX_LOG_WARNING ? warning : news, line, sizeof news - 1);
}

static harness_setting s;
static hx_handle *handle;
static example_fields fields;

static void begin(fault f)
{
    harness_set(&s, "shared");
    s.options.log_level = HX_LOG_INFO;
    s.options.log = take_line;
    warnings = 0;
    asked = 0;
    present = f;
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    present = NO_FAULT;
}

static void end(void)
{
    expect_ok(hx_destroy(handle));
    expect(names == 0 && maps == 0);
    harness_unset(&s);
}

/* The arrays after an exchange; the first call keeps them, all others compare. */
static void exchange(void)
{
    static double *a;
    static int32_t *b;
    const size_t as = hx_points(&s.e.spec, &s.shape, EXAMPLE_A);
    const size_t bs = hx_points(&s.e.spec, &s.shape, EXAMPLE_B);
    for (size_t i = 0; i < as; ++i) {
        fields.a[i] = (double)i + 1e6 * harness_rank;
    }
    for (size_t i = 0; i < bs; ++i) {
        fields.b[i] = (int32_t)i + 1000000 * harness_rank;
    }
    expect_ok(hx_start(handle, EXAMPLE_BOTH, &fields));
    expect_ok(hx_finish(handle, EXAMPLE_BOTH));
    if (!a) {
        a = malloc(as * sizeof *a);
        b = malloc(bs * sizeof *b);
        memcpy(a, fields.a, as * sizeof *a);
        memcpy(b, fields.b, bs * sizeof *b);
    }
    expect(memcmp(a, fields.a, as * sizeof *a) == 0);
    expect(memcmp(b, fields.b, bs * sizeof *b) == 0);
}

/* Log and description name what peers really go by, and nothing else. */
static void expect_peers(const char *transport)
{
    char words[64];
    int peers = 0;
    const char *listed = strstr(news, "; peers of exchanges: ");
    expect(listed && sscanf(listed, "; peers of exchanges: %d ", &peers) == 1 && peers >= harness_ranks - 1);
    snprintf(words, sizeof words, "peers of exchanges: %d by %s", peers, transport);
    expect(listed && strcmp(listed + strlen("; "), words) == 0);
    snprintf(words, sizeof words, "  peers of exchanges: %d by %s\n", peers, transport);
    expect_text(hx_describe(handle), words);
}

static void test_fault(fault f)
{
    /* Who is alone finds what it has made, and has no mailboxes. */
    const int needs_others = f == NOT_FOUND || f == OTHER_SIZE || f == OTHER_MEMORY;
    const char *words = harness_ranks > 1 || !needs_others ? faults[f].words : NULL;
    begin(f);
    const int boxes = words && harness_ranks > 1;
    expect(warnings == (boxes ? EXAMPLE_EXCHANGES : 0));
    expect_text(boxes ? warning : faults[NO_OBJECT].words, boxes ? words : "");
    expect(harness_ranks == 1 || (strstr(hx_describe(handle), ", by shared: ") != NULL) == !words);
    if (harness_ranks > 1) {
        expect_peers(words ? "persistent" : "shared");
    }
    present = f;
    warnings = 0;
    expect_ok(hx_alloc(handle, &fields));
    present = NO_FAULT;
    expect(warnings == boxes);
    if (harness_ranks == 1) {
        expect_text(hx_describe(handle), "in the node no message goes straight into an array");
    } else if (words) {
        expect_text(warning, "example_alloc: the ranks of this node do not share these arrays: ");
        expect_text(warning, words);
        expect_text(hx_describe(handle), "this rank's alone: ");
    } else {
        expect_text(hx_describe(handle), "in memory that the ranks of the node share");
    }
    exchange();
    end();
}

/* A peer shows what cannot be. */
static int damaged; /* what is seen of it here */

int __real_hxi_board_block(const hxi_board *board, int node_rank, int tile, int number, hxi_block *block);
int __wrap_hxi_board_block(const hxi_board *board, int node_rank, int tile, int number, hxi_block *block);

int __wrap_hxi_board_block(const hxi_board *board, int node_rank, int tile, int number, hxi_block *block)
{
    return __real_hxi_board_block(board, node_rank, tile, damaged ? number + 1000 : number, block);
}

static void test_damage(void)
{
    harness_set(&s, "shared");
    damaged = harness_rank == harness_ranks - 1;
    expect_status(harness_ranks > 1 ? HX_ERR_INTERNAL : HX_OK,
                  hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    damaged = 0;
    expect(harness_ranks == 1 || strstr(hx_last_error(), " of tile 0 to its node."));
    expect((handle == NULL) == (harness_ranks > 1));
    end();
}

static int count(const char *text, const char *words)
{
    int found = 0;
    for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) {
        ++found;
    }
    return found;
}

/* Why ranks of other nodes are not reached by shared memory is said once an exchange, for all of them. */
static void test_nodes(int ranks)
{
    node_ranks = ranks;
    begin(NO_FAULT);
    expect_ok(hx_alloc(handle, &fields));
    expect(warnings == 0);
    const char *text = hx_describe(handle);
    const int own_node =
        harness_rank / ranks == (harness_ranks - 1) / ranks ? (harness_ranks - 1) % ranks + 1 : ranks;
    expect(count(text, "no memory is shared with this rank") ==
           (harness_ranks > own_node ? EXAMPLE_EXCHANGES : 0));
    expect((strstr(text, ", by shared: ") != NULL) == (own_node > 1));
    exchange();
    end();
    node_ranks = 0;
}

/* ---- stores past the caches ---------------------------------------------------------------------------- */

#if defined(__SSE2__)
enum { ROUNDS = 10000, ELSEWHERE = 512 };

static int value; /* of all points in this round: what the last but one left in a slot is found out */
static int stale;

static size_t points_of(const hx_region *region)
{
    return (size_t)region->n[0] * (size_t)region->n[1] * (size_t)region->n[2];
}

/* As some compilers make of it: what is stored may be seen long after what is stored later. */
static void pack_past_caches(const void *array, const hx_region *from, void *buffer)
{
    static long long elsewhere[1 << 16]; /* the more is under way to memory, the longer it takes */
    (void)array;
    for (int i = 0; i < ELSEWHERE; ++i) {
        _mm_stream_si64(&elsewhere[(8 * i + 4096 * value) % (1 << 16)], value);
    }
    for (size_t i = 0; i < points_of(from); ++i) {
        _mm_stream_si64((long long *)buffer + i, value);
    }
}

/* What is stored last is looked at first: a tenth of a microsecond later most of it would be there. */
static void look(void *array, const hx_region *to, const void *buffer)
{
    (void)array;
    const volatile long long *found = buffer;
    for (size_t i = points_of(to); i-- > 0;) {
        stale += found[i] != value;
    }
}

/* The others wait for the flags of one rank, which comes late: who looks later sees nothing wrong. */
static void come_late(int round)
{
    const double before = MPI_Wtime();
    while (round % harness_ranks == harness_rank && MPI_Wtime() - before < 5e-6) {
    }
}

static void test_past_caches(void)
{
    harness_set(&s, "shared");
    hx_exchange_field *item = &s.e.item[EXAMPLE_STAR][EXAMPLE_A];
    const hx_kernels streaming = {.pack = pack_past_caches, .unpack = look, .copy = item->kernels->copy};
    item->kernels = &streaming;
    memset(item->width_hi, 0, sizeof item->width_hi); /* a message has one segment */
    expect_ok(hx_create(&s.e.spec, &s.blocks, &s.shape, &s.options, &handle));
    /* Nobody looks soon enough where ranks share a processor. */
    const int rounds = harness_ranks == 2 ? ROUNDS : ROUNDS / 20;
    for (value = 1; value <= rounds; ++value) {
        come_late(value);
        expect_ok(hx_start(handle, EXAMPLE_STAR, &s.fields));
        expect_ok(hx_finish(handle, EXAMPLE_STAR));
    }
    expect(stale == 0);
    end();
}
#else
static void test_past_caches(void)
{
}
#endif

int main(int argc, char **argv)
{
    harness_begin(&argc, &argv);
    for (fault f = NO_FAULT; f < FAULTS; ++f) {
        test_fault(f);
    }
    test_damage();
    test_nodes(1);
    test_nodes(2);
    test_past_caches();
    expect(sysconf(_SC_LEVEL1_DCACHE_LINESIZE) <= HX_LINE); /* 0 or -1 where nobody knows */
    return harness_end();
}
