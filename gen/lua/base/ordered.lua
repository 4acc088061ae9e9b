-- Order where Lua has none.
--
-- Lua walks a table in an order that differs from run to run, and its table.sort breaks ties at random in long lists.
-- Output must not depend on either: this is the only module that calls next(), and its sort is stable.

local ordered = {}

-- Kinds of keys that have an order, and how they are ordered among each other.
local rank = { number = 1, string = 2, boolean = 3 }

local function before(a, b)
  local ra, rb = rank[type(a)], rank[type(b)]
  if ra ~= rb then return ra < rb end
  if ra == 3 then return not a and b end
  return a < b
end

-- Sorts in place by a merge sort, equal elements keeping their order; returns the list.
function ordered.sort(list, less)
  less = less or function(a, b) return a < b end
  local from, to, count = list, {}, #list
  local run = 1
  while run < count do
    for lo = 1, count, 2 * run do
      local middle, hi = math.min(lo + run, count + 1), math.min(lo + 2 * run, count + 1)
      local i, j = lo, middle
      for k = lo, hi - 1 do
        if i < middle and (j >= hi or not less(from[j], from[i])) then
          to[k], i = from[i], i + 1
        else
          to[k], j = from[j], j + 1
        end
      end
    end
    from, to = to, from
    run = 2 * run
  end
  if from ~= list then
    table.move(from, 1, count, 1, list)
  end
  return list
end

-- The keys of a table: numbers, then strings, then booleans, each ascending.
-- The second result is the kind of a key that has no order ("table", "function", …) and is left out, or nil.
function ordered.keys(t)
  local keys, strange = {}, nil
  for key in next, t do
    if rank[type(key)] then
      keys[#keys + 1] = key
    else
      strange = type(key)
    end
  end
  return ordered.sort(keys, before), strange
end

-- The same for a table whose keys are strings.  No two keys are equal, so table.sort has no ties to break, and it takes far
-- fewer steps of Lua.
function ordered.names(t)
  local names = {}
  for name in next, t do names[#names + 1] = name end
  table.sort(names)
  return names
end

function ordered.is_empty(t)
  return next(t) == nil
end

-- Like pairs(), in the order of ordered.keys.  Keys are those at the start; keys without an order are an error.
function ordered.pairs(t)
  local keys, strange = ordered.keys(t)
  if strange then
    error(("pairs: keys of kind %s have no order"):format(strange), 2)
  end
  local at = 0
  return function()
    at = at + 1
    local key = keys[at]
    if key ~= nil then
      return key, t[key]
    end
  end
end

return ordered
