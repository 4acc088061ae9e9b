local mesh = index_list { axes = { "cell" } }
local t = field "t" { on = mesh, type = "double", halo_at = "behind" }
return spec "test" { exchange "e" { t } }
