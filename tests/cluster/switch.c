/*
 * A switch in user space, for kernels that cannot delay packets: it hands the frames of each port on to the port where
 * their receiver is, after the time that a link of a rate takes for them, and a delay.
 *
 *   switch STATE NETWORK MILLISECONDS BITS-PER-SECOND LEAF UPLINK-BITS-PER-SECOND NODE...
 *       ports are the interfaces NETWORK1, NETWORK2, ...; while there is a file STATE/cut1, no frame comes through port 1.
 *       Makes STATE/switching when it is ready, and then runs until it is killed.  LEAF: each so many nodes have a switch of
 *       their own, with one line to the others and one from them, of the uplink's rate; 0: all nodes are at one switch.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    PORTS = 64,
    FRAME = 1 << 17, /* bytes of the longest, which the kernel has not cut yet */
    BACKLOG = 1 << 28,
    BURST = 64,
    HEADER = sizeof(struct virtio_net_hdr),
    LOOK_MS = 20, /* how often the files of cuts are looked for */
    AGAIN_NS = 50000
};

typedef struct frame {
    struct frame *next;
    int64_t due;
    size_t bytes;
    unsigned char data[];
} frame;

typedef struct port {
    int socket;
    const char *node;
    int leaf;
    bool cut;
    bool known; /* who is there */
    unsigned char address[ETH_ALEN];
    frame *first;
    frame **last;
    int64_t busy; /* until then */
    size_t queued;
} port;

/* Until when the lines of a leaf are busy. */
typedef struct leaf {
    int64_t up;
    int64_t down;
} leaf;

static port ports[PORTS];
static leaf leaves[PORTS];
static int count;
static int64_t delay;
static double ns_per_byte;
static double uplink_ns_per_byte;

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void die(const char *what)
{
    perror(what);
    exit(1);
}

static void set(int socket, int level, int name, const void *value, size_t size)
{
    if (setsockopt(socket, level, name, value, (socklen_t)size) != 0) {
        die("switch: setsockopt");
    }
}

/* Frames as they leave the node, with what the kernel still has to do for them. */
static void open_port(port *p, const char *network, const char *node)
{
    char name[IFNAMSIZ];
    const int one = 1;
    const int room = 64 << 20;
    snprintf(name, sizeof name, "%s%s", network, node);
    const int number = (int)if_nametoindex(name);
    const struct sockaddr_ll address = {
        .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL), .sll_ifindex = number};
    const struct packet_mreq all = {.mr_ifindex = number, .mr_type = PACKET_MR_PROMISC};
    *p = (port){.node = node, .last = &p->first};
    p->socket = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (p->socket < 0) {
        die("switch: socket");
    }
    set(p->socket, SOL_PACKET, PACKET_VNET_HDR, &one, sizeof one);
    set(p->socket, SOL_PACKET, PACKET_IGNORE_OUTGOING, &one, sizeof one);
    if (bind(p->socket, (const struct sockaddr *)&address, sizeof address) != 0) {
        die(name);
    }
    set(p->socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all);
    /* Beyond the system's limit where that is allowed. */
    if (setsockopt(p->socket, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0) {
        set(p->socket, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    }
    if (setsockopt(p->socket, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof room) != 0) {
        set(p->socket, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    }
}

static void look_for_cuts(const char *state)
{
    for (int i = 0; i < count; ++i) {
        char name[4096];
        snprintf(name, sizeof name, "%s/cut%s", state, ports[i].node);
        ports[i].cut = access(name, F_OK) == 0;
    }
}

/*
 * A line takes so long for a frame, behind those before it, and hands on what it has while more comes: it has all of it
 * at `complete` or later.  Returns when it has handed on all.
 */
static int64_t pass(int64_t *busy, int64_t time, int64_t complete, double ns)
{
    *busy = (*busy < time ? time : *busy) + (int64_t)ns;
    *busy = *busy < complete ? complete : *busy;
    return *busy;
}

static void put(const port *from, port *to, const unsigned char *data, size_t bytes)
{
    frame *f = to->cut || to->queued + bytes > BACKLOG ? NULL : malloc(sizeof *f + bytes);
    if (!f) {
        return; /* networks lose frames */
    }
    const int64_t time = now();
    const double length = (double)(bytes - HEADER);
    int64_t complete = time;
    if (from->leaf != to->leaf) {
        complete = pass(&leaves[from->leaf].up, time, complete, length * uplink_ns_per_byte);
        complete = pass(&leaves[to->leaf].down, time, complete, length * uplink_ns_per_byte);
    }
    *f = (frame){.due = pass(&to->busy, time, complete, length * ns_per_byte) + delay, .bytes = bytes};
    memcpy(f->data, data, bytes);
    to->queued += bytes;
    *to->last = f;
    to->last = &f->next;
}

/* To the port of its receiver, or to all others where that is not known. */
static void hand_on(port *from, const unsigned char *data, size_t bytes)
{
    const unsigned char *to = data + HEADER;
    const bool to_all = (to[0] & 1) != 0;
    port *found = NULL;
    memcpy(from->address, to + ETH_ALEN, ETH_ALEN);
    from->known = true;
    for (int i = 0; i < count && !to_all; ++i) {
        found = ports[i].known && memcmp(ports[i].address, to, ETH_ALEN) == 0 ? &ports[i] : found;
    }
    for (int i = 0; i < count; ++i) {
        if (&ports[i] != from && (!found || found == &ports[i])) {
            put(from, &ports[i], data, bytes);
        }
    }
}

static void take(port *from)
{
    static unsigned char data[FRAME];
    ssize_t bytes = HEADER + ETH_HLEN;
    for (int i = 0; i < BURST && bytes >= HEADER + ETH_HLEN; ++i) {
        bytes = recv(from->socket, data, sizeof data, 0);
        if (bytes >= HEADER + ETH_HLEN && !from->cut) {
            hand_on(from, data, (size_t)bytes);
        }
    }
}

/* What is due; returns when the next frame will be. */
static int64_t release(port *to, int64_t time)
{
    while (to->first && to->first->due <= time) {
        frame *f = to->first;
        const ssize_t sent = to->cut ? 0 : send(to->socket, f->data, f->bytes, 0);
        if (sent < 0 && (errno == EAGAIN || errno == ENOBUFS)) {
            return time + AGAIN_NS;
        }
        to->first = f->next;
        to->last = to->first ? to->last : &to->first;
        to->queued -= f->bytes;
        free(f);
    }
    return to->first ? to->first->due : INT64_MAX;
}

static void serve(const char *state)
{
    struct pollfd ready[PORTS];
    int64_t look = 0;
    for (int i = 0; i < count; ++i) {
        ready[i] = (struct pollfd){.fd = ports[i].socket, .events = POLLIN};
    }
    for (;;) {
        const int64_t time = now();
        if (time >= look) {
            look_for_cuts(state);
            look = time + LOOK_MS * INT64_C(1000000);
        }
        int64_t next = look;
        for (int i = 0; i < count; ++i) {
            const int64_t due = release(&ports[i], time);
            next = due < next ? due : next;
        }
        const int64_t rest = next - now();
        const struct timespec wait = {0, rest > 0 ? (long)rest : 0}; /* at most LOOK_MS */
        const int found = ppoll(ready, (nfds_t)count, &wait, NULL);
        for (int i = 0; i < count && found > 0; ++i) {
            if (ready[i].revents) {
                take(&ports[i]);
            }
        }
    }
}

static double ns_of(const char *bits_per_second)
{
    const double rate = atof(bits_per_second);
    return rate > 0.0 ? 8e9 / rate : 0.0;
}

int main(int argc, char **argv)
{
    enum { FIRST = 7 };
    if (argc <= FIRST || argc - FIRST > PORTS) {
        fprintf(
            stderr,
            "usage: switch STATE NETWORK MILLISECONDS BITS-PER-SECOND LEAF UPLINK-BITS-PER-SECOND NODE...\n");
        return 2;
    }
    delay = (int64_t)(1e6 * atof(argv[3]));
    ns_per_byte = ns_of(argv[4]);
    const int nodes_of_leaf = atoi(argv[5]);
    uplink_ns_per_byte = ns_of(argv[6]);
    for (int i = FIRST; i < argc; ++i) {
        open_port(&ports[count], argv[2], argv[i]);
        ports[count].leaf = nodes_of_leaf > 0 ? count / nodes_of_leaf : 0;
        ++count;
    }
    /* Ranks may keep all processors busy.  Where that is not allowed, times are less exact. */
    const struct sched_param first = {.sched_priority = 1};
    sched_setscheduler(0, SCHED_FIFO, &first);
    char name[4096];
    snprintf(name, sizeof name, "%s/switching", argv[1]);
    FILE *file = fopen(name, "w");
    if (!file || fclose(file) != 0) {
        die(name);
    }
    serve(argv[1]);
}
