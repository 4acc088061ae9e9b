-- What an audit costs: measure.c.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xyz" }

local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = 3 }

return spec "cost" {
  exchange "one" { u },
  exchange "three" { u, v, w },
  exchange "added" { u, op = "add" },
}
