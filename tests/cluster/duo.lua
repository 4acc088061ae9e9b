-- Two exchanges that know nothing of each other.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xyz" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 2 }

return spec "duo" {
  exchange "first" { u },
  exchange "second" { v },
}
