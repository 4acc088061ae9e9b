-- What the public language of this version has.
--
-- Some mechanisms are built ahead of the language that will use them, and tests need to reach them.  A test gives
-- halogen `--templates DIR` with its own DIR/lua/features.lua, which replaces this file (copy it and change it), and
-- beside it whatever front ends it names.
--
--   staggering   fields may have `at`: where their points lie, per axis: "center", "low", "high" or "both"
--   vectors      the verb `vector "wind" { u, v }`: components that turn together, one per axis in the grid's order
--   front_ends   modules, each of which gives one verb that makes a grid; see the head of cartesian_grid.lua

return {
  staggering = false,
  vectors = false,
  front_ends = { "cartesian_grid" },
}
