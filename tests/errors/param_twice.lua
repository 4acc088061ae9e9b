local radius = param "radius" { default = 1 }
local again = param "Radius" { default = 2 }
return spec "test" {}
