-- `halogen explain`: from a plan and the options to what is printed.

local json = require "explain.json"
local question = require "explain.question"
local report = require "base.report"
local numbers = require "explain.report"
local sweep = require "explain.sweep"
local tables = require "explain.tables"
local text = require "explain.text"

local explain = {}

local function print(found, as_text)
  host.print(host.options.format == "json" and json.text(found) or as_text(found))
end

-- Sentences of libhx begin with a capital and end with a period, diagnostics do neither.
local function refuse(sentence)
  local plain = sentence:gsub("%.$", "")
  if not plain:find("^%u%u") then plain = plain:gsub("^%u", string.lower) end
  report.error("HG0010", nil, plain, "change --cells, --ranks or --parts")
end

function explain.run(plan)
  local of_spec = tables.of(plan)
  if of_spec.list == 1 then return print(numbers.listed(of_spec), text.listed) end
  local asked = question.read(of_spec, host.options)
  if not asked then return end
  if #asked.ranks > 1 then return print(sweep.of(of_spec, asked), text.sweep) end
  local found, sentence = numbers.of(of_spec, asked)
  if not found then return refuse(sentence) end
  print(found, text.of)
end

return explain
