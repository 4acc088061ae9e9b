-- Models for tests of the geometry, made by hand: what spec.lua and model.lua would make, without a spec.

local report = require "base.report"
local stand_in = require "stand_in"

local grids = {}

local SIZES = { double = 8, float = 4, int = 4, char = 1 }

local function spread(value, axes)
  local list = {}
  for a = 1, axes do
    if type(value) == "table" then list[a] = value[a] else list[a] = value end
  end
  return list
end

-- options: axes = 3, periodic = {…} or true, cells = {…}; kind and tiles for other front ends
function grids.grid(options)
  local names, order = {}, {}
  for a = 1, options.axes do names[a], order[a] = ("xyzt"):sub(a, a), a end
  return {
    kind = options.kind or "cartesian", tiles = options.tiles, axes = names, order = order,
    periodic = spread(options.periodic or false, options.axes),
    decomposed = spread(true, options.axes),
    cells = spread(options.cells or false, options.axes),
    where = { file = "test.lua", line = 1 },
  }
end

-- fields: { { name =, type =, lo =, hi =, at =, directions = }, … }, numbers or lists per axis
-- vectors: { { name, {field names} }, … };  exchanges: { { name, stencil, {field names}, lo =, hi =, operation =, boundary =, shared = }, … }
function grids.model(grid, fields, exchanges, vectors)
  local axes = #grid.axes
  local model = { name = "test", hash = "0", version = 1, grid = grid, fields = {}, vectors = {}, exchanges = {} }
  local by_name = {}
  for i, f in ipairs(fields) do
    local lo = spread(f.lo or f.halo, axes)
    by_name[f.name] = {
      index = i, name = f.name, type = f.type or "double", ctype = { size = SIZES[f.type or "double"] },
      halo = { lo = lo, hi = spread(f.hi or f.halo, axes) }, at = spread(f.at or "center", axes), order = grid.order,
      padding = spread(0, axes), grid = grid,
      directions = f.directions, components = f.directions and { count = #f.directions, place = 0 },
      where = { file = "test.lua", line = 10 + i },
    }
    model.fields[i] = by_name[f.name]
  end
  for v, pair in ipairs(vectors or {}) do
    local vector = { name = pair[1], kind = pair[3] or "vector", fields = {}, where = { file = "test.lua", line = 20 + v } }
    for a, name in ipairs(pair[2]) do
      vector.fields[a] = by_name[name]
      by_name[name].vector, by_name[name].component = vector, a
    end
    model.vectors[v] = vector
  end
  for e, x in ipairs(exchanges) do
    local items = {}
    for i, name in ipairs(x[3]) do
      local halo = by_name[name].halo
      local lo, hi = x.shared and 0 or x.lo or halo.lo, x.shared and 0 or x.hi or halo.hi
      items[i] = { field = by_name[name], lo = spread(lo, axes), hi = spread(hi, axes) }
    end
    local boundary = x.boundary or { lo = spread("none", axes), hi = spread("none", axes) }
    model.exchanges[e] = { index = e, name = x[1], stencil = x[2], items = items, boundary = boundary,
      operation = x.operation or "copy", fills = x.boundary ~= nil, shared = x.shared,
      where = { file = "test.lua", line = 30 + e } }
  end
  return model
end

-- Two tiles, see tests/canary/quarter-turn.md.
function grids.two_tiles(axes)
  return grids.grid { kind = "two_tiles", axes = axes or 2, tiles = { { name = "A" }, { name = "B" } } }
end

-- The diagnostics that a function reports.
function grids.diagnostics(f)
  local host = stand_in.install {}
  f()
  report.flush()
  return host.reports
end

return grids
