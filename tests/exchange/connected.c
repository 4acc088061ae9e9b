#include "connected.h"

#include "bent.h"
#include "canary.h"
#include "folded.h"
#include "patch.h"
#include "sphere.h"

#include <string.h>

static const connected grids[] = {
    {"quarter_turn_deep", deep_canary_partitions, canary_faces, canary_topology},
    {"quarter_turn", canary_partitions, canary_faces, canary_topology},
    {"both_vector", canary_partitions, canary_faces, canary_topology},
    {"patch_plane", patch_partitions, patch_faces, patch_topology},
    {"patch_cube", patch_partitions, patch_faces, patch_topology},
    {"folded_", folded_partitions, folded_faces, folded_topology},
    {"fold", bent_partitions, sphere_faces, bent_fold},
    {"twist", bent_partitions, sphere_faces, bent_twist},
    {"wing", bent_partitions, sphere_faces, bent_wing},
    {"sphere_deep", deep_sphere_partitions, sphere_faces, sphere_topology},
    {"sphere_", sphere_partitions, sphere_faces, sphere_topology},
};

const connected *connected_find(const hx_spec *spec)
{
    for (size_t i = 0; i < sizeof grids / sizeof *grids; ++i) {
        if (strncmp(spec->name, grids[i].name, strlen(grids[i].name)) == 0) {
            return &grids[i];
        }
    }
    return NULL;
}
