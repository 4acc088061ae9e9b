local grid = cartesian { axes = "xyz" }
local u = field "u" (nil)
return spec "test" { exchange "e" { u } }
