-- What the language of the canaries has beyond the public one; see the file that this one replaces.

return {
  front_ends = { "cartesian_grid", "two_tiles_grid" },
}
