-- One axis, a halo on one side only.
local line = cartesian { axes = "x", periodic = "x" }
local q = field "q" { on = line, type = "long double", halo = { x = { lo = 6, hi = 0 } } }
local mark = field "mark" { on = line, type = "unsigned char", halo = 1 }
return spec "line" {
  exchange "all" { q, mark },
}
