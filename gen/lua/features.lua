-- What the public language of this version has.
--
-- Some mechanisms are built ahead of the language that will use them, and tests need to reach them.  A test gives
-- halogen `--templates DIR` with its own DIR/lua/features.lua, which replaces this file (copy it and change it), and
-- beside it whatever front ends it names.
--
--   front_ends   modules, each of which gives one verb that makes a grid; see the head of cartesian_grid.lua

return {
  front_ends = {
    "grids.cartesian_grid", "grids.tiles_grid", "grids.cubed_sphere_grid", "grids.fold_grid", "grids.index_list_grid",
  },
}
