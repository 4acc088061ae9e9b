local mesh = index_list { axes = { "cell" } }
local u, v = fields { "u", "v", on = mesh, type = "double" }
return spec "test" { exchange "e" { u, { v, width = 1 } } }
