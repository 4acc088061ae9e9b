local grid = include "../lua/specs.lua"
