/*
 * Oceans: from a mask of land and water, blocks and the ranks that own them.
 *
 *     hx_partition request = ocean_partition(4320, 3600, 75);
 *     hx_mask mask = {.wet = wet};                            one number for each cell of x and y
 *     hx_map *map;
 *     hx_choose_mask(ranks, &request, &mask, &map);
 *     hx_map_write(map, "ocean.map");                         rank 0, for other runs
 *     hx_blocks blocks = {.comm = comm, .tiles = 1, .partition = &map->partition, .owners = map->owner};
 *
 * Nothing here communicates.  With equal arguments all ranks get the same map, or the same sentence.
 */
#ifndef HX_MASK_H
#define HX_MASK_H

#include <hx/hx.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What lies on the axes that are cut: those whose ranks[] is not 1 in the request.  A number for each of their
 * cells, the last axis fastest: 0 is land, others say how much work is there, such as wet levels.
 */
typedef struct hx_mask {
    const unsigned char *wet;
    /* Instead of numbers in memory, with the same meaning, 0 to 255; called once for each cell. */
    int (*wet_at)(void *context, const int cell[]);
    void *context;
} hx_mask;

/* Blocks of one tile, and who owns them. */
typedef struct hx_map {
    hx_partition partition;
    int ranks;
    int blocks;
    int land;     /* blocks of them without an owner */
    int64_t wet;  /* the numbers of the mask, summed */
    int64_t most; /* the largest sum that a rank has */
    int *owner;   /* of each block, or HX_NO_OWNER; for hx_blocks.owners */
} hx_map;

/*
 * Chooses how many parts a tile has along each axis where request->ranks[] is 0, leaves blocks of land out,
 * and gives the others to the ranks: along a Hilbert curve (Skilling 2004), so that neighbors stay near, cut so
 * that the busiest rank has as little as can be.  Of several sizes of blocks that is taken with which the
 * busiest rank has the fewest wet cells and ghost cells.  Each rank gets a block with water.  Refuses masks of
 * land only, of wet cells of which no two are neighbors, and of fewer wet cells than ranks.
 */
hx_status hx_choose_mask(int ranks, const hx_partition *request, const hx_mask *mask, hx_map **map);

/* A file of text that other runs read (docs/api.md); one that is there is replaced as a whole. */
hx_status hx_map_write(const hx_map *map, const char *path);
hx_status hx_map_read(const char *path, hx_map **map);

void hx_map_free(hx_map *map); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
