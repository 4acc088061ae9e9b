-- What tests can switch on: another front end; positions and vectors on its grid.

local case = require "case"

package.loaded.features = { front_ends = { "grids.cartesian_grid", "probe_grid" } }

package.preload.probe_grid = function()
  local read = require "language.read"
  local probe = require("language.verb").new {
    verb = "probe", example = "probe { names }", list = { title = "names", kind = "string" }, keys = {},
  }
  return {
    verb = "probe",
    read = function(node)
      if not read.entries(node, probe) then return nil end
      local axes = read.list(node)
      return { kind = "probe", axes = { "x", "y" }, periodic = { false, false }, decomposed = { true, true },
        cells = { false, false }, order = { 2, 1 }, tiles = { { name = "A", sides = #axes }, { name = "B" } } }
    end,
  }
end

local specs = require "specs"

local text = [[
local grid = probe { "a", "b" }
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1, at = { x = "both", y = "low" } }
local p = field "p" { on = grid, type = "double", halo = 1, at = "high" }
local wind = vector "wind" { u, v }
return spec "test" { exchange "e" { u, v, p } }
]]

case("a front end's verb makes the model's grid", function()
  local m = specs.model(text)
  assert(m.grid.kind == "probe" and m.grid.tiles[1].sides == 2 and m.grid.where.line == 1 and m.grid.where.col == 14)
  assert(specs.model((text:gsub('"a", "b"', '"a"'))).hash ~= m.hash)
end)

case("positions and vectors are in the model", function()
  local m = specs.model(text)
  local u, v, p = table.unpack(m.fields)
  assert(table.concat(u.at, " ") == "both low" and table.concat(p.at, " ") == "high high")
  local wind = m.vectors[1]
  assert(wind.name == "wind" and wind.fields[1] == u and wind.fields[2] == v and wind.where.line == 4)
  assert(u.vector == wind and u.component == 1 and v.component == 2 and p.vector == nil)
  assert(specs.model((text:gsub("{ u, v }\n", "{ v, u }\n"))).hash ~= m.hash)
end)

case("every dump, the list of outputs and the outputs come through main", function()
  local stand_in = require "stand_in"
  for _, options in ipairs { { dump = "model" }, { dump = "links" }, { dump = "plan" }, { dump = "tables" }, { list_outputs = true }, {} } do
    package.loaded.main = nil
    local host = stand_in.install({ ["test.lua"] = specs.with { grid = 'periodic = "x"' } }, options)
    require "main"
    assert(#host.reports == 0 and (next(options) and #host.printed == 1 or host.outputs["test.h"]))
  end
end)
