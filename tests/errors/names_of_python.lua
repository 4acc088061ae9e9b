-- options: --emit c,python
local grid = cartesian { axes = "xyz" }
local u = field "lambda" { on = grid, type = "double", halo = 2 }
local v = field "owned" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "close" { u }, exchange "from" { v }, exchange "python_comm" { u } }
