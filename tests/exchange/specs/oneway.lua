-- Messages that go one way only between two ranks: what tells their sender that one was read is nothing but a count.
local grid = cartesian { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = { x = { lo = 2, hi = 0 }, y = { lo = 1, hi = 0 } } }
local w = field "w" { on = grid, type = "float", halo = { x = { lo = 0, hi = 1 } } }
return spec "oneway" { exchange "below" { u }, exchange "above" { w } }
