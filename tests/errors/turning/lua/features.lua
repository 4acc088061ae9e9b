-- The language with everything that this version builds and does not offer yet; see gen/lua/features.lua.

return {
  staggering = true,
  vectors = true,
  front_ends = { "cartesian_grid" },
}
