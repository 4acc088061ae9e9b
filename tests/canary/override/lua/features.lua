-- What the language of the canaries has beyond the public one; see the file that this one replaces.

return {
  front_ends = { "grids.cartesian_grid", "grids.two_tiles_grid" },
}
