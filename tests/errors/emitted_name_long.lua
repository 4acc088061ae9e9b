local grid = cartesian { axes = "xyz" }
local u = field "u" { on = grid, type = "double", halo = 2 }
return spec "test_of_a_rather_long_name" { exchange "and_an_exchange_with_a_longer_one_still" { u } }
