-- What the bugs of answers.c are seeded into: walls that a function of the program fills.
local grid = cartesian { axes = "xy", fastest = "x", periodic = "x" }

local t, s = fields { "t", "s", on = grid, type = "double", halo = 1 }

return spec "tube" {
  exchange "heat" { t, boundary = "hook" },
  exchange "salt" { s },
}
