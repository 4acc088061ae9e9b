-- Everything fixed: extents and the one axis that is cut; m is not fastest and lies between the others.
local grid = cartesian {
  axes = "zmx", fastest = "x", periodic = "x", decomposed = "x", cells = { z = 4, m = 2, x = 19 },
}

local q = field "q" { on = grid, type = "double", halo = { x = 3 } }
local flags = field "flags" { on = grid, type = "unsigned short", halo = { z = 1, x = { lo = 1, hi = 3 } } }

return spec "slab" {
  exchange "all" { q, flags },
  exchange "star" { flags, q, stencil = "star", width = { x = 1 } },
}
