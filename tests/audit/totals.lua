-- What the bugs of totals.c are seeded into: exchanges that make one value of several.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "xy" }

local charge = field "charge" { on = grid, type = "double", halo = 1 }
local count = field "count" { on = grid, type = "int16_t", halo = 1, components = 2 }
local first = field "first" { on = grid, type = "float", halo = 1 }
local force = field "force" { on = grid, type = "double", at = { x = "both" } }

return spec "totals" {
  exchange "deposit" { charge, op = "add" },
  exchange "tally" { count, op = "add", ghosts = "keep" },
  exchange "earliest" { first, op = "min" },
  exchange "assemble" { force, only = "shared", agree = "sum" },
  exchange "average" { force, only = "shared", agree = "mean" },
  exchange "take" { force, only = "shared" },
}
