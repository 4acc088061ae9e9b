local grid = cartesian { axes = "xyz" }
local twice = { axes = grid.axes }
