/*
 * What one writes by hand for a grid of any kind: for each side of each tile two arrays, of the points that
 * it fills and of those that they come from; one message per peer, and copies within a rank.
 */
#include "sphere.h"

#include <stdlib.h>

/* A side of a tile that this rank owns, or that gets its points from one. */
typedef struct side {
    int tile;
    beyond beyond;
    int *to, *from; /* elements of their arrays */
} side;

/* What goes to another rank, or comes from it. */
typedef struct message {
    int peer, sides, side[MOST_TILES * SIDES];
    double *buffer;
    MPI_Request request;
} message;

typedef struct state {
    const world *w;
    int points; /* of a side */
    int sides, messages[2];
    side side[MOST_TILES * SIDES];
    message message[2][MOST_TILES]; /* sent, received */
    int within[MOST_TILES * SIDES], withins;
} state;

enum { SENT, RECEIVED };

static void add_point(state *s, side *x, int i, int j, int k)
{
    const world *w = s->w;
    int there_i, there_j;
    world_follow(w, &x->beyond, i, j, &there_i, &there_j);
    x->to[s->points] = (int)world_at(w, i, j, k);
    x->from[s->points++] = (int)world_at(w, there_i, there_j, k);
}

/* The points of a side, as they lie in memory. */
static void list_points(state *s, side *x)
{
    const world *w = s->w;
    const beyond *b = &x->beyond;
    const int first_i = b->dx < 0 ? -HALO : b->dx > 0 ? w->n : 0, last_i = b->dx ? first_i + HALO : w->n;
    const int first_j = b->dy < 0 ? -HALO : b->dy > 0 ? w->n : 0, last_j = b->dy ? first_j + HALO : w->n;
    s->points = 0;
    if (w->level_fastest) {
        for (int i = first_i; i < last_i; ++i) {
            for (int j = first_j; j < last_j; ++j) {
                for (int k = 0; k < w->levels; ++k) {
                    add_point(s, x, i, j, k);
                }
            }
        }
        return;
    }
    for (int k = 0; k < w->levels; ++k) {
        for (int j = first_j; j < last_j; ++j) {
            for (int i = first_i; i < last_i; ++i) {
                add_point(s, x, i, j, k);
            }
        }
    }
}

static void add_to_message(state *s, int way, int peer, int number)
{
    message *list = s->message[way];
    int m = 0;
    while (m < s->messages[way] && list[m].peer != peer) {
        ++m;
    }
    if (m == s->messages[way]) {
        list[s->messages[way]++] = (message){.peer = peer};
    }
    list[m].side[list[m].sides++] = number;
}

static size_t values(const state *s, const message *m)
{
    return (size_t)m->sides * (size_t)s->points * SPHERE_FIELDS;
}

static void add_side(state *s, int tile, const beyond *b)
{
    const world *w = s->w;
    const bool mine = w->array[tile][0], from_me = w->array[b->tile][0];
    if (!mine && !from_me) {
        return;
    }
    const size_t most = (size_t)w->n * HALO * (size_t)w->levels;
    side *x = &s->side[s->sides];
    *x = (side){tile, *b, allocate(most * sizeof(int)), allocate(most * sizeof(int))};
    list_points(s, x);
    if (mine && from_me) {
        s->within[s->withins++] = s->sides;
    } else {
        add_to_message(s, mine ? RECEIVED : SENT, w->owner[mine ? b->tile : tile], s->sides);
    }
    s->sides++;
}

static void *create(world *w)
{
    state *s = allocate(sizeof *s);
    *s = (state){.w = w};
    for (int tile = 0; tile < w->tiles; ++tile) {
        for (int number = 0; number < SIDES; ++number) {
            const beyond b = world_beyond(w, tile, number);
            if (b.tile >= 0) {
                add_side(s, tile, &b);
            }
        }
    }
    for (int way = SENT; way <= RECEIVED; ++way) {
        for (int m = 0; m < s->messages[way]; ++m) {
            message *x = &s->message[way][m];
            x->buffer = allocate(values(s, x) * sizeof(double));
        }
    }
    return s;
}

static void pack(const state *s, const message *m)
{
    double *out = m->buffer;
    for (int n = 0; n < m->sides; ++n) {
        const side *x = &s->side[m->side[n]];
        for (int f = 0; f < SPHERE_FIELDS; ++f) {
            int sign;
            const double *from = s->w->array[x->beyond.tile][world_feeding(&x->beyond, f, &sign)];
            for (int i = 0; i < s->points; ++i) {
                *out++ = sign * from[x->from[i]];
            }
        }
    }
}

static void unpack(const state *s, const message *m)
{
    const double *in = m->buffer;
    for (int n = 0; n < m->sides; ++n) {
        const side *x = &s->side[m->side[n]];
        for (int f = 0; f < SPHERE_FIELDS; ++f) {
            double *to = s->w->array[x->tile][f];
            for (int i = 0; i < s->points; ++i) {
                to[x->to[i]] = *in++;
            }
        }
    }
}

static void copy(const state *s, const side *x)
{
    for (int f = 0; f < SPHERE_FIELDS; ++f) {
        int sign;
        const double *from = s->w->array[x->beyond.tile][world_feeding(&x->beyond, f, &sign)];
        double *to = s->w->array[x->tile][f];
        for (int i = 0; i < s->points; ++i) {
            to[x->to[i]] = sign * from[x->from[i]];
        }
    }
}

static void exchange(void *opaque)
{
    state *s = opaque;
    for (int m = 0; m < s->messages[RECEIVED]; ++m) {
        message *x = &s->message[RECEIVED][m];
        MPI_Irecv(x->buffer, (int)values(s, x), MPI_DOUBLE, x->peer, 0, MPI_COMM_WORLD, &x->request);
    }
    for (int m = 0; m < s->messages[SENT]; ++m) {
        message *x = &s->message[SENT][m];
        pack(s, x);
        MPI_Isend(x->buffer, (int)values(s, x), MPI_DOUBLE, x->peer, 0, MPI_COMM_WORLD, &x->request);
    }
    for (int n = 0; n < s->withins; ++n) {
        copy(s, &s->side[s->within[n]]);
    }
    for (int m = 0; m < s->messages[RECEIVED]; ++m) {
        MPI_Wait(&s->message[RECEIVED][m].request, MPI_STATUS_IGNORE);
        unpack(s, &s->message[RECEIVED][m]);
    }
    for (int m = 0; m < s->messages[SENT]; ++m) {
        MPI_Wait(&s->message[SENT][m].request, MPI_STATUS_IGNORE);
    }
}

static void destroy(void *opaque)
{
    state *s = opaque;
    for (int n = 0; n < s->sides; ++n) {
        free(s->side[n].to);
        free(s->side[n].from);
    }
    for (int way = SENT; way <= RECEIVED; ++way) {
        for (int m = 0; m < s->messages[way]; ++m) {
            free(s->message[way][m].buffer);
        }
    }
    free(s);
}

const method index_arrays = {create, exchange, destroy};
