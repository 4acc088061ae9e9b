/* Both steps of a way in a CUDA graph. */
#include "gpu.h"

#include <stdlib.h>

cudaGraphExec_t *make_graphs_of(const problem *p, const variant *v, void *state)
{
    cudaGraphExec_t *made = allocate((size_t)p->sets, sizeof *made);
    for (int set = 0; set < p->sets; ++set) {
        cudaGraph_t graph = NULL;
        must(cudaStreamBeginCapture(p->stream, cudaStreamCaptureModeThreadLocal), "capturing");
        v->pack(state, set);
        v->unpack(state, set);
        must(cudaStreamEndCapture(p->stream, &graph), "capturing");
        must(cudaGraphInstantiateWithFlags(&made[set], graph, 0), "making a graph");
        must(cudaGraphDestroy(graph), "giving back a graph");
    }
    return made;
}

void free_graphs(const problem *p, cudaGraphExec_t *graph)
{
    for (int set = 0; set < p->sets; ++set) {
        must(cudaGraphExecDestroy(graph[set]), "giving back a graph");
    }
    free(graph);
}
