-- LULESH in shape: forces on the nodes of a box of elements, which blocks share, and elements with planes of ghosts behind them.
local box = cartesian { axes = "xyz", fastest = "x" }

local fx, fy, fz = fields { "fx", "fy", "fz", on = box, type = "double", at = "both" }
local strain, stress = fields { "strain", "stress", on = box, type = "double", halo = 1, halo_at = "behind" }

return spec "port_hydro" {
  exchange "forces" { fx, fy, fz, only = "shared", agree = "sum" },
  exchange "elements" { strain, stress, stencil = "star" },
}
