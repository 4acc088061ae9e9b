local widths = { u = 2 }
local layers = widths.v.lo
