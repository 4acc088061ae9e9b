local mesh = index_list { axes = "cell" }
local t = field "t" { on = mesh, type = "double" }
return spec "mesh" { exchange "tracers" { t } }
