-- What Fortran programs have: levels first or last, (i, k, j), components, faces, sums, walls that a program fills.
local grid = cartesian { axes = "xyz", periodic = "xz" }

local u = field "u" { on = grid, type = "double", halo = 1, at = { x = "low" } }
local v = field "v" { on = grid, type = "double", halo = 1, at = { y = "both" } }
local w = field "w" { on = grid, type = "double", halo = 1, at = { z = "high" } }
local wind = vector "wind" { u, v, w }
local t = field "t" { on = grid, type = "double", halo = { x = 2, y = 1, z = { lo = 1, hi = 2 } }, components = 2 }
local s = field "s" { on = grid, type = "float", halo = 2, components = { 3, "outermost" } }
local k = field "k" { on = grid, type = "double", halo = { x = 2, y = 1 }, order = "xzy" }
local level = field "level" { on = grid, type = "int", halo = 1, order = "zxy" }
local wet = field "wet" { on = grid, type = "bool", halo = 1 }
local wave = field "wave" { on = grid, type = "complex128", halo = 1 }
local rho = field "rho" { on = grid, type = "double", halo = 1 }
local p = field "p" { on = grid, type = "double", halo = 1 }

return spec "tank" {
  exchange "all" { u, v, w, t, s, k, level, wet, wave },
  exchange "faces" { k, p, stencil = "star" },
  exchange "sums" { rho, op = "add" },
  exchange "rim" { p, boundary = { y = "hook" } },
}
