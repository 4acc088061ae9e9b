local grid = include "grids/none.lua"
