-- The public language, and the memory of devices; see the file that this one replaces.

return {
  front_ends = { "cartesian_grid", "tiles_grid", "cubed_sphere_grid", "fold_grid", "index_list_grid" },
  device = true,
}
