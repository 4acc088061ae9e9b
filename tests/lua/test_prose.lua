-- Sentences of emitted headers that no spec of the repository leads to: sides of tiles that nothing joins, and lists of
-- many directions.

local case = require "case"
local grids = require "grids"
local plan = require "plan.plan"
local prose = require "emit.prose"
local prose_exchange = require "emit.prose_exchange"
local specs = require "specs"

-- All lines of the header's manual, words of a line with single spaces between.
local function manual(p)
  local out = {}
  for _, section in ipairs(prose.manual(p, tostring)) do
    for _, line in ipairs(section.lines) do out[#out + 1] = (line:gsub("%s+", " ")) end
  end
  return table.concat(out, "\n")
end

case("sides that no tile is joined to are named with their tiles", function()
  local p = plan.build(grids.model(grids.two_tiles(), { { name = "t", halo = 2 } }, { { "all", "box", { "t" } } }))
  local text = manual(p)
  for _, side in ipairs { "tile 0: below x", "all tiles: below y", "all tiles: above x", "all tiles: the corners between x and y" } do
    assert(text:find(side .. "\n", 1, true), side)
  end
  -- These two are joined.
  assert(text:find("tile 1: above y\n", 1, true) and not text:find("all tiles: below x\n", 1, true))
end)

case("a long list of directions is told in full below", function()
  local function exchange_of(count)
    local all = { "{1,0,0}", "{-1,0,0}", "{0,1,0}", "{0,-1,0}", "{0,0,1}", "{0,0,-1}", "{1,-1,0}" }
    local text = "stencil = { " .. table.concat(all, ", ", 1, count) .. " }"
    local p = plan.build(specs.model(specs.with { grid = 'periodic = "xyz"', exchange = text }))
    return p, p.exchanges[1]
  end
  local p, planned = exchange_of(7)
  local lines = prose_exchange.direction_lines(p, planned)
  assert(#lines == 7 and prose_exchange.stencil(p, planned, {}) == "a list of 7 directions")
  assert(table.concat(lines, ";"):find("  above x and below y", 1, true))
  p, planned = exchange_of(6)
  assert(#prose_exchange.direction_lines(p, planned) == 0)
  assert(prose_exchange.stencil(p, planned, {}):find("above x; ", 1, true) or
    prose_exchange.stencil(p, planned, {}):find("; above x", 1, true))
end)
