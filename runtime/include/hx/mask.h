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
 * Land and water on the axes that are cut, whose ranks[] is not 1 in the request.  A number for each of their
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
    int land;     /* how many of these have no owner */
    int64_t wet;  /* the numbers of the mask, summed */
    int64_t most; /* the largest sum that a rank has */
    int *owner;   /* of each block, or HX_NO_OWNER; for hx_blocks.owners */
} hx_map;

/*
 * Chooses how many parts a tile has along each axis where request->ranks[] is 0, and who owns which block.
 * Blocks of land have no owner.  The others lie along a Hilbert curve (Skilling 2004), so that neighbors stay
 * near; each rank gets a run of them, such that the busiest rank has as little as can be.  Of several sizes of
 * blocks it takes that with which the busiest rank has the least work, ghost cells included.  Each rank gets a
 * block with water.  Refuses cuts, masks of land only, masks with fewer wet cells than ranks, and masks in
 * which no two wet cells are neighbors.
 */
hx_status hx_choose_mask(int ranks, const hx_partition *request, const hx_mask *mask, hx_map **map);

/*
 * A file of text that other runs read (docs/api.md), of 2,000,000 blocks at most.  A file that is there is replaced.
 * Which axes close it does not say: to choose another map, give hx_choose_mask what NAME_partition returns.
 */
hx_status hx_map_write(const hx_map *map, const char *path);
hx_status hx_map_read(const char *path, hx_map **map);

void hx_map_free(hx_map *map); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
