-- The Cartesian front end and the plan against positions that repeat: every ghost point of small grids, by modulo.

local grids = require "grids"
local cut = require "cut"
local dump = require "emit.dump"
local plan = require "plan.plan"

local function links_of(model)
  local p
  local reports = grids.diagnostics(function() p = plan.build(model) end)
  assert(#reports == 0)
  return cut.parse(dump.links(p))
end

-- Reckoned here: along each axis the owned index at the same position, or a wall.
local function expected(periodic, cells, at, point)
  local source = {}
  for a, index in ipairs(point) do
    local points = cells[a] + (at == "both" and 1 or 0)
    if index >= 0 and index < points then
      source[a] = index
    elseif not periodic[a] then
      return nil
    else
      source[a] = index % cells[a]
    end
  end
  return source
end

-- On a periodic axis with both faces, the first and the last face are at one position.
local function same(x, y, cells, at)
  for a in ipairs(x) do
    if x[a] ~= y[a] and not (at == "both" and (x[a] - y[a]) % cells[a] == 0) then return false end
  end
  return true
end

local function check_points(links, periodic, cells, at, width)
  local axes, point, tried = #cells, {}, 0
  local function along(a)
    if a > axes then
      tried = tried + 1
      local wanted = expected(periodic, cells, at, point)
      local source, why = cut.source(links, { [0] = cells }, 0, 0, { table.unpack(point) })
      assert((source ~= nil) == (wanted ~= nil), why)
      if source then assert(same(source.point, wanted, cells, at) and source.sign == 1 and source.field == 0) end
      return
    end
    for i = -width, cells[a] + (at == "both" and 1 or 0) + width - 1 do
      point[a] = i
      along(a + 1)
    end
  end
  along(1)
  return tried
end

local tried = 0
for axes = 1, 3 do
  for mask = 0, 2 ^ axes - 1 | 0 do
    local periodic = {}
    for a = 1, axes do periodic[a] = mask >> (a - 1) & 1 == 1 end
    for _, at in ipairs { "center", "low", "high", "both" } do
      local model = grids.model(grids.grid { axes = axes, periodic = periodic }, { { name = "u", halo = 2, at = at } },
        { { "all", "box", { "u" } } })
      local links = links_of(model)
      for n = 1, 4 do
        local cells = {}
        for a = 1, axes do cells[a] = (n + a - 2) % 4 + 1 end
        tried = tried + check_points(links, periodic, cells, at, 2)
      end
    end
  end
end
assert(tried > 10000)
