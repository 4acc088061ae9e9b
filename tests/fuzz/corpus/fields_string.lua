local grid = cartesian { axes = "xyz" }
local u = fields "u"
return spec "test" { exchange "e" { u } }
