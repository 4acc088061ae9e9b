local mesh = index_list { axes = { "cell" } }
local t = field "t" { on = mesh, type = "double", memory = "cuda" }
return spec "test" { exchange "e" { t } }
