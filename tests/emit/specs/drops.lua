-- Points of a mesh without levels, which are copied.
local cloud = index_list { axes = { "drop" } }
local mass = field "mass" { on = cloud, type = "long" }
return spec "drops" { exchange "masses" { mass } }
