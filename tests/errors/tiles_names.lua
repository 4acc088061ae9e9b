local grid = tiles { axes = "xy", names = { "west", "we st", "west" } }
local other = tiles { axes = "xy", names = { "west", "east", "west" } }
local third = tiles { axes = "xy", names = {} }
local fourth = tiles { axes = "xy", names = "ab" }
local fifth = tiles { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1 }
return spec "test" { exchange "e" { u } }
