local grid = cartesian { axes = "xyz" }
local u = field "u"
return spec "test" { exchange "e" { u } }
