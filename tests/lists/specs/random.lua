-- Prints a random spec of a list of points: types, places of components and levels, memory orders, exchanges.
--
--   lua5.4 random.lua SEED NUMBER

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/../../random/?.lua"

local die = require("dice").new(math.tointeger(arg[1]), math.tointeger(arg[2]))

-- Those that the trial can add, and others, whose bytes may be anything.
local summed = { "double", "float", "int" }
local others = { "char", "short", "uint64_t", "complex64", "complex128", "int8_t", "unsigned int" }

local has_levels = die.chance(3, 4)

local function grid()
  local text = 'local grid = index_list { axes = { "node"'
  if not has_levels then return text .. " } }" end
  text = text .. ', "lev" }, fastest = "' .. die.pick { "node", "lev" } .. '"'
  return text .. (die.chance(1, 3) and (", cells = { lev = %d } }"):format(die.range(1, 6)) or " }")
end

local function components()
  local count = die.weighted { { 1, 1 }, { 4, die.range(2, 5) }, { 1, 17 } }
  local places = { ("%d"):format(count), ('{ %d, "innermost" }'):format(count), ('{ %d, "outermost" }'):format(count) }
  if has_levels then places[4] = ('{ %d, after = %q }'):format(count, die.pick { "node", "lev" }) end
  return die.pick(places)
end

local function field(name, type)
  local text = ("local %s = field %q { on = grid, type = %q"):format(name, name, type)
  if has_levels and die.chance(1, 3) then text = text .. ', at = { lev = "both" }' end
  if has_levels and die.chance(1, 3) then
    text = text .. ", order = " .. die.pick { '{ "node", "lev" }', '{ "lev", "node" }' }
  end
  if has_levels and die.chance(1, 4) then text = text .. (", padding = { lev = %d }"):format(die.range(1, 4)) end
  if die.chance(1, 2) then text = text .. ", components = " .. components() end
  return text .. " }"
end

-- Some of the names, at least one, in any order.
local function some(names)
  local list = {}
  for _, i in ipairs(die.permutation(#names)) do
    if #list == 0 or die.chance(1, 2) then list[#list + 1] = names[i] end
  end
  return table.concat(list, ", ")
end

local names, addends = {}, {}
print(("-- Random list of points %s of seed %s."):format(arg[2], arg[1]))
print(grid())
for i = 1, die.range(1, 5) do
  local adds = i == 1 or die.chance(1, 2)
  names[i] = "f" .. i
  if adds then addends[#addends + 1] = names[i] end
  print(field(names[i], die.pick(adds and summed or others)))
end
print(("return spec \"list_%s\" {"):format(arg[2]))
print(("  exchange \"copies\" { %s },"):format(some(names)))
print(("  exchange \"sums\" { %s, op = \"add\"%s },"):format(some(addends), die.chance(1, 3) and ', ghosts = "keep"' or ""))
if die.chance(1, 2) then print(("  exchange \"extremes\" { %s, op = %q },"):format(some(addends), die.pick { "min", "max" })) end
if die.chance(1, 2) then print(("  exchange \"more\" { %s },"):format(some(names))) end
print "}"
