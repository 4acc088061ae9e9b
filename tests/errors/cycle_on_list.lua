local mesh = index_list { axes = { "cell" } }
local u = field "u" { on = mesh, type = "double" }
local state = exchange "state" { u }
return spec "test" { state, cycle "advance" { exchange = state, step "diffuse" { reads = { u = 0 }, writes = { "u" } } } }
