-- What the bug of opposites.c is seeded into: a fold in the north, across which vectors point the other way.
local grid = tiles {
  axes = "xy", names = { "ocean" },
  connect = {
    { "ocean", "+x", "ocean", "-x" },
    { "ocean", "+y", "ocean", "+y", along = { x = "-x" } },
  },
}
local east, north = fields { "east", "north", on = grid, type = "uint32_t", halo = 1 }
local drift = vector "drift" { east, north }

return spec "folded" {
  exchange "drifts" { east, north, wire = "int16" },
}
