-- For tests: what the front of the generator makes of the text of a spec.

local stand_in = require "stand_in"

local specs = {}

-- Runs text (or files = { [name] = text }, starting with "test.lua") up to and with the rules.
-- Returns the model or nil, and the diagnostics.
function specs.read(text)
  local files = type(text) == "table" and text or { ["test.lua"] = text }
  local host = stand_in.install(files)
  local report = require "base.report"
  local front_ends = {}
  for i, name in ipairs(require("features").front_ends) do front_ends[i] = require(name) end
  local run, failure = require("language.spec").evaluate("test.lua", front_ends)
  if not run then
    return nil, { failure }
  end
  local m = require("model.model").build(run)
  if report.flush() then return nil, host.reports end
  require("rules.check").run(m)
  if report.flush() then return nil, host.reports end
  m.hash = require("model.model").hash(m)
  return m, host.reports
end

-- The model of a text that must be sound.
function specs.model(text)
  local m, reports = specs.read(text)
  assert(m, reports[1] and reports[1].message)
  return m
end

-- A spec around some entries of the grid, of field u and of exchange e.
function specs.with(entries)
  return ([[
local grid = cartesian { axes = "xyz", %s }
local u = field "u" { on = grid, type = "double", halo = 2, %s }
return spec "test" { exchange "e" { u, %s } }
]]):format(entries.grid or "", entries.field or "", entries.exchange or "")
end

return specs
