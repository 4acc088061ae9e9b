-- HPCG in shape: a vector of a multigrid level, whose halo lies at the end of the array.
local level = index_list { axes = { "point" } }

local x = field "x" { on = level, type = "double" }

return spec "port_multigrid" {
  exchange "halo" { x },
}
