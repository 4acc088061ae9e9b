local mesh = index_list { axes = { "cell", "level" }, nproma = 32 }
local t = field "t" { on = mesh, type = "double" }
return spec "test" { exchange "e" { t } }
