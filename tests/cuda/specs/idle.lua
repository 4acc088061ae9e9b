-- The only field of a device is in no exchange; emit.sh leaves it as it is.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "xy" }
local u = field "u" { type = "double", on = grid, halo = 1 }
local v = field "v" { memory = "cuda", on = grid, type = "float", halo = 1 }

return spec "idle" {
  exchange "all" { u },
}
