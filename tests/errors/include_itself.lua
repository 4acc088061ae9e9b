local grid = include "include_itself.lua"
