local coarse = cartesian { axes = "xy" }
local fine = cartesian { axes = "xy" }
local u = field "u" { on = coarse, type = "double", halo = 2 }
local p = field "p" { on = fine, type = "double", halo = 1 }
return spec "test" { exchange "e" { u, p } }
