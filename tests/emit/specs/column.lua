-- An atmosphere's columns: the levels lie closest in memory, are never cut and have no halo.
local grid = cartesian {
  axes = { "lon", "lat", "lev", "bin" },
  order = { "lev", "lon", "lat", "bin" },
  periodic = { "lon" },
  decomposed = { "lon", "lat" },
  cells = { lev = 79 },
}
local t, qv = fields { "t", "qv", on = grid, type = "double", halo = { lon = 3, lat = 3 } }
local mask = field "mask" { on = grid, type = "int16_t", halo = { lon = { lo = 1, hi = 2 }, lat = 1 }, order = { "lon", "lat", "lev", "bin" } }
local n = field "n" { on = grid, type = "unsigned long long", halo = { lon = 1 } }
return spec "column" {
  exchange "state" { mask, t, qv, width = { lon = 1, lat = 1 } },
  exchange "deep" { t, qv },
  exchange "counts" { n, stencil = "star" },
}
