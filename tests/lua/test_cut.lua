-- Who owns what where both faces are stored, and widths beyond small blocks: examples reckoned by hand.

local cut = require "cut"

-- One periodic axis, points on both faces, two layers on either side.
local LINKS = [[
axes x
tiles 1
positions 0 extra 1
link tile 0 direction -1 source 0 component -1 sign 1 map 0 1 0 1 0
link tile 0 direction 1 source 0 component -1 sign 1 map 0 1 0 -1 0
field 0 u positions 0
exchange 0 all
direction -1
direction 1
carries 0 lo 2 hi 2
]]

local function ghosts(text, cuts_text)
  local out = {}
  cut.each(cut.parse(text), cut.cuts(cuts_text), function(ghost, source, why)
    out[#out + 1] = ("%d:%s<%s"):format(ghost.block, table.concat(ghost.point, ","),
      source and source.block .. ":" .. table.concat(source.point, ",") or why)
  end)
  return table.concat(out, " ")
end

local function equal(text, expected)
  assert(text == expected, text)
end

-- Faces 0 … 5.  Block 0 has 0 … 2, block 1 has 2, 3, block 2 has 3 … 5.  A face goes with the block above it.
equal(ghosts(LINKS, "tile 0 axis 0 cuts 0 2 3 5"),
  "0:-2<2:0 0:-1<2:1 0:3<2:0 0:4<2:1 1:-2<0:0 1:-1<0:1 1:2<2:1 1:3<2:2 2:-2<0:1 2:-1<1:0 2:3<0:1 2:4<1:0")

-- One block of one cell is its own neighbor, several times over.
equal(ghosts(LINKS, "tile 0 axis 0 cuts 0 1"), "0:-2<0:0 0:-1<0:0 0:2<0:1 0:3<0:1")

-- Along a ghost box faces go with the cells of the box, the last one with the last cell.
local PLANE = [[
axes x y
tiles 1
positions 0 extra 1 0
field 0 u positions 0
exchange 0 all
direction 0 1
carries 0 lo 0 0 hi 0 1
]]
equal(ghosts(PLANE, "tile 0 axis 0 cuts 0 2 3\ntile 0 axis 1 cuts 0 1 2"),
  "0:0,1<1:0,0 0:1,1<1:1,0 0:2,1<1:2,0 1:0,1<untouched 1:1,1<untouched 1:2,1<untouched "
  .. "2:0,1<3:0,0 2:1,1<3:1,0 3:0,1<untouched 3:1,1<untouched")
