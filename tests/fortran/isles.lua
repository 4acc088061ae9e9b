-- Points in a list, with one value each and with several.
local mesh = index_list { axes = { "cell" } }
local ice = field "ice" { on = mesh, type = "double" }
local t = field "t" { on = mesh, type = "float", components = 8 }

return spec "isles" { exchange "state" { ice, t } }
