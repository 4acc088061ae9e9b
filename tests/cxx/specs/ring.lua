-- Points of a ring: each rank has some, and one of each neighbor.
local points = index_list { axes = { "point" } }
return spec "ring" { exchange "heat" { field "t" { on = points, type = "double" } } }
