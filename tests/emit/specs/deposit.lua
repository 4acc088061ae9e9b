-- Exchanges that add, of all kinds of types that can be added, and stencils that are lists of directions.
local grid = cartesian { axes = "xyz", periodic = "xz" }
local rho, phi = fields { "rho", "phi", on = grid, type = "double", halo = { x = 2, y = 1, z = { lo = 1, hi = 2 } } }
local count = field "count" { on = grid, type = "short", halo = 1, order = "zyx" }
local total = field "total" { on = grid, type = "unsigned long", halo = 1 }
local wave = field "wave" { on = grid, type = "complex64", halo = 1 }
local pairs_of = field "pairs_of" { on = grid, type = "float", halo = 1, components = 2 }
local layers = field "layers" { on = grid, type = "int", halo = 1, components = { 3, after = "x" } }
local flux = field "flux" { on = grid, type = "float", halo = 1, at = { x = "low", y = "both" } }
local six = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } }
local flights = field "flights" { on = grid, type = "int16_t", halo = 1, directions = six }
local waves = field "waves" { on = grid, type = "complex128", halo = 1, directions = six, order = "yxz" }
local apart = field "apart" { on = grid, type = "float", halo = 1, directions = six, components = { 6, "outermost" } }
return spec "deposit" {
  exchange "all" { rho, count, total, op = "add" },
  exchange "faces" { wave, flux, total, pairs_of, layers, op = "add", stencil = "star" },
  exchange "upwind" { rho, count, stencil = { { -1, 0, 0 }, { 0, -1, 0 }, { -1, -1, 0 } } },
  exchange "upwind_back" { phi, op = "add", stencil = { { -1, 0, 0 }, { 0, -1, 0 }, { -1, -1, 0 } }, width = 1 },
  exchange "fill" { rho, phi },
  exchange "flights_back" { flights, waves, apart, op = "add" },
  exchange "least" { rho, count, pairs_of, layers, flights, flux, op = "min" },
  exchange "most" { total, apart, rho, count, op = "max", stencil = "star" },
  exchange "kept" { phi, pairs_of, flights, waves, flux, op = "add", ghosts = "keep" },
}
