local grid = include { "grid.lua" }
