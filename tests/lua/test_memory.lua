-- How fields lie in memory: strides that all blocks have in common, and where components lie.

local case = require "case"
local memory = require "model.memory"
local specs = require "specs"

local function field(entries)
  return specs.model(specs.with(entries)).fields[1]
end

local function strides(grid, entries)
  return table.concat(memory.fixed_strides(field { grid = grid, field = entries }), " ")
end

case("strides are fixed behind axes that are never cut and have fixed cells", function()
  assert(strides("", "") == "0 0 0")
  assert(strides("cells = { x = 6 }", "") == "0 0 0")
  assert(strides('decomposed = "yz"', "") == "0 0 0")
  assert(strides('decomposed = "yz", cells = { x = 6 }', "") == "0 10 0")
  assert(strides('decomposed = "yz", cells = { x = 6, y = 5 }', "") == "0 10 0")
  assert(strides('decomposed = "z", cells = { x = 6, y = 5 }', "") == "0 10 90")
  assert(strides('decomposed = "z", cells = { x = 6, z = 5 }', "") == "0 10 0")
  assert(strides('decomposed = "z", cells = { x = 6, y = 5 }', 'order = "yxz"') == "9 0 90")
end)

case("faces, padding and components count", function()
  local grid = 'decomposed = "z", cells = { x = 6, y = 5 }'
  assert(strides(grid, 'at = { x = "both" }') == "0 11 99")
  assert(strides(grid, 'at = { x = "high" }') == "0 10 90")
  assert(strides(grid, "padding = { x = 2, y = 1 }") == "0 12 120")
  assert(strides(grid, "components = 7") == "0 70 630")
  assert(strides(grid, "components = 1") == "0 10 90")
  assert(strides(grid, 'components = { 7, after = "x" }') == "0 70 630")
  assert(strides(grid, 'components = { 7, after = "y" }') == "0 10 630")
  assert(strides(grid, 'components = { 7, "outermost" }') == "0 10 90")
end)

case("literals fit an int", function()
  assert(strides('decomposed = "z", cells = { x = 1000000000, y = 1 }', "") == "0 1000000004 0")
  assert(strides('decomposed = "z", cells = { x = 2000000, y = 5000 }', "") == "0 2000004 0")
  assert(strides('decomposed = "z", cells = { x = 3000000, y = 2 }', 'components = { 1000, after = "x" }') == "0 0 0")
end)

case("the place of components", function()
  local function place(text)
    local f = field { field = text }
    return f.components.count .. "@" .. f.components.after
  end
  assert(field {}.components == nil and memory.count(field {}) == 1 and not memory.apart(field {}))
  assert(place "components = 3" == "3@0" and place 'components = { 3, "innermost" }' == "3@0" and place "components = { 3 }" == "3@0")
  assert(place 'components = { 3, "outermost" }' == "3@3" and place 'components = { 3, after = "z" }' == "3@3")
  assert(place 'components = { 3, after = "x" }' == "3@1" and place 'components = { 3, after = "x" }, order = "yxz"' == "3@2")
end)

case("ways to write the same have the same hash", function()
  local function hash(text) return specs.model(specs.with { field = text }).hash end
  assert(hash "components = 3" == hash 'components = { 3, "innermost" }' and hash "components = 3" ~= hash "")
  assert(hash 'components = { 3, "outermost" }' == hash 'components = { 3, after = "z" }')
  assert(hash 'components = { 3, "outermost" }' ~= hash "components = 3" and hash "components = 3" ~= hash "components = 4")
  assert(hash "padding = { y = 0 }" == hash "" and hash "padding = { y = 1 }" ~= hash "")
  assert(hash 'at = { y = "center" }' == hash "" and hash 'at = { y = "low" }' ~= hash "")
end)
