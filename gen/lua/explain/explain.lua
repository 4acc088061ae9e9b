-- `halogen explain`: from a plan and the options to what is printed.

local cycles = require "explain.cycles"
local json = require "explain.json"
local machine = require "explain.machine"
local question = require "explain.question"
local report = require "base.report"
local numbers = require "explain.report"
local of_run = require "explain.run"
local page = require "explain.page"
local statistics = require "explain.statistics"
local sweep = require "explain.sweep"
local tables = require "explain.tables"
local text = require "explain.text"

local explain = {}

-- Who asks for a page gets numbers only by name.
local function print(found, as_text)
  if host.options.html and not host.options.format then return end
  host.print(host.options.format == "json" and json.text(found) or as_text(found))
end

-- Sentences of libhx begin with a capital and end with a period, diagnostics do neither.
local function refuse(sentence)
  local plain = sentence:gsub("%.$", "")
  if not plain:find("^%u%u") then plain = plain:gsub("^%u", string.lower) end
  report.error("HG0010", nil, plain, "change --cells, --ranks or --parts")
end

local function write_page(of_spec, question)
  if host.options.html then host.output("page.html", page.render(of_spec, question)) end
end

-- nil after reporting.
local function read_statistics(of_spec)
  return statistics.read(of_spec, host.options.stats, host.options.stats_text)
end

local function show_run(of_spec)
  if not host.options.html then
    return report.error("HG0010", nil, "--run is shown as a page", "say --html FILE, too")
  end
  local found = of_run.read(of_spec, host.options.run, host.options.run_text)
  if not found then return end
  if host.options.stats then
    found.statistics = read_statistics(of_spec)
    if not found.statistics then return end
  end
  host.output("page.html", page.render(of_spec, nil, found))
end

local function print_statistics(of_spec)
  local found = read_statistics(of_spec)
  if found then host.print(statistics.text(found)) end
end

-- nil after saying why a page cannot show it.
local function page_of(asked, found)
  local blocks = numbers.count_blocks(found.parts)
  if host.options.html and blocks > page.MOST_BLOCKS then
    return report.error("HG0010", nil, ("a page shows up to %d blocks; these are %d"):format(page.MOST_BLOCKS, blocks),
      "ask for fewer --ranks, or leave --html out")
  end
  -- As libhx does by itself, and so the text that explain prints.
  local by_dimension = asked.schedule == "by-dimension" or asked.schedule == "auto" and found.ranks_of_a_node >= found.ranks
  return { cells = asked.cells, parts = asked.given and found.parts or nil, ranks = found.ranks, perNode = found.ranks_of_a_node,
    rank = asked.rank, byDimension = by_dimension, machine = asked.machine }
end

local function show_sweep(of_spec, asked)
  local found = sweep.of(of_spec, asked)
  if found then print(found, text.sweep) end
end

function explain.run(plan)
  local of_spec = tables.of(plan)
  if host.options.run then return show_run(of_spec) end
  if host.options.stats then return print_statistics(of_spec) end
  if of_spec.list == 1 then
    write_page(of_spec)
    return print(numbers.listed(of_spec), text.listed)
  end
  local asked = question.read(of_spec, host.options)
  if not asked then return end
  if #asked.ranks > 1 and host.options.html then
    return report.error("HG0010", nil, ("a page shows one number of ranks; --ranks has %d"):format(#asked.ranks), "say --ranks 8")
  end
  if host.options.machine then
    asked.machine = machine.read(host.options.machine, host.options.machine_text)
    if not asked.machine then return end
  end
  if #asked.ranks > 1 then return show_sweep(of_spec, asked) end
  local found, sentence = numbers.of(of_spec, asked)
  if not found then return sentence and refuse(sentence) end
  found.cycle = #plan.cycles > 0 and cycles.of(plan, found.exchange, found.rank, asked.machine) or nil
  local of_page = page_of(asked, found)
  if not of_page then return end
  write_page(of_spec, of_page)
  print(found, text.of)
end

return explain
