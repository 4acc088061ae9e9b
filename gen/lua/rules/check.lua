-- The rules that a model must keep: what each value may be, and what must fit together.
--
-- A rule is a function of the model that reports every breach; all rules run.  Those of one kind of thing are in a module of
-- their own, check_fields and so on.  Codes: HG12xx names, HG14xx fields, HG15xx exchanges, HG16xx the spec as a whole, HG17xx
-- warnings, HG18xx cycles.  (HG10xx and HG11xx are about the language and kinds of values, HG13xx about grids: spec.lua, read.lua, model.lua
-- and the front ends.)

local check_boundary = require "rules.check_boundary"
local check_cycles = require "rules.check_cycles"
local check_devices = require "rules.check_devices"
local check_exchanges = require "rules.check_exchanges"
local check_fields = require "rules.check_fields"
local check_fortran = require "rules.check_fortran"
local check_names = require "rules.check_names"
local check_wires = require "rules.check_wires"
local report = require "base.report"

local check = {}

local quote = report.quote

local function there_are_exchanges(m)
  if #m.exchanges == 0 then
    report.error("HG1601", m.where, ("spec %s has no exchanges"):format(quote(m.name)),
      'list them: spec "name" { exchange "pressure" { p } }')
  end
end

-- Fields of steps may need no message: one step may compute all that another one reads.
local function mark_fields_of_steps(cycles, used)
  for _, cycle in ipairs(cycles) do
    for _, step in ipairs(cycle.steps) do
      for _, read in ipairs(step.reads) do used[read.field] = true end
      for _, field in ipairs(step.writes) do used[field] = true end
    end
  end
end

local function nothing_is_forgotten(m)
  if #m.exchanges == 0 then return end
  local used = {}
  mark_fields_of_steps(m.cycles or {}, used)
  mark_fields_of_steps(m.forgotten, used)
  for _, exchange in ipairs(m.exchanges) do
    for _, item in ipairs(exchange.items) do used[item.field] = true end
  end
  for _, exchange in ipairs(m.unlisted) do
    report.warning("HG1702", exchange.where, ("exchange %s is not in the spec"):format(quote(exchange.name)),
      "list it in spec, or remove it")
    for _, item in ipairs(exchange.items) do used[item.field] = true end
  end
  for _, cycle in ipairs(m.forgotten) do
    report.warning("HG1703", cycle.where, ("cycle %s is not in the spec"):format(quote(cycle.name)), "list it in spec, or remove it")
  end
  for _, field in ipairs(m.fields) do
    if not used[field] then
      report.warning("HG1701", field.where, ("field %s is in no exchange"):format(quote(field.name)),
        "list it in one, or remove it; emitted code says how it lies in memory all the same")
    end
  end
end

-- The check program wraps around periodic axes, crosses sides, turns about folds and makes up lists of points, and knows no other
-- way to a neighbor.
local function check_programs_are_possible(m)
  local known = m.grid.kind == "cartesian" or m.grid.kind == "tiles" or m.grid.fold or m.grid.is_list
  if host.options.emit.check and not known then
    report.error("HG1606", m.grid.where, ("there is no check program for a grid made by %s"):format(m.grid.kind), "emit c alone")
  end
end

local rules = {
  check_names.name_is_free_in_emitted_code,
  check_names.identifiers_are_distinct,
  check_names.identifiers_are_free,
  check_names.identifiers_are_short,
  check_names.names_suit_cxx,
  check_fortran.names_suit_fortran,
  check_names.names_suit_python,
  there_are_exchanges,
  check_fields.fields_are_on_one_grid,
  check_fields.halos_are_in_range,
  check_fields.paddings_are_in_range,
  check_fields.planes_are_possible,
  check_fields.components_are_in_range,
  check_fields.directions_are_steps,
  check_fields.directions_fit_components,
  check_fields.structs_have_free_names,
  check_fields.structs_have_headers,
  check_fields.structs_have_sizes,
  check_fields.structs_are_described_alike,
  check_fields.vectors_fit_the_grid,
  check_exchanges.exchanges_have_fields,
  check_exchanges.exchanges_carry_whole_vectors,
  check_exchanges.widths_are_within_halos,
  check_exchanges.fields_are_filled,
  check_exchanges.directions_are_reached,
  check_exchanges.lists_have_no_sides,
  check_exchanges.operations_are_possible,
  check_exchanges.corners_are_there,
  check_exchanges.shared_points_have_no_halo,
  check_exchanges.shared_points_exist,
  check_exchanges.combined_are_possible,
  check_exchanges.planes_have_no_edges,
  check_wires.formats_suit_fields,
  check_wires.formats_suit_exchanges,
  check_wires.sums_are_rounded,
  check_wires.vectors_have_one_format,
  check_wires.errors_are_kept,
  check_boundary.fills_suit_fields,
  check_boundary.fills_reach_walls,
  check_boundary.planes_have_no_walls,
  check_boundary.components_travel,
  check_cycles.cycles_have_steps,
  check_cycles.exchanges_serve_cycles,
  check_cycles.steps_write_fields,
  check_cycles.reaches_are_in_range,
  check_cycles.lists_have_no_cycles,
  check_devices.devices_know_the_types,
  check_devices.vectors_lie_in_one_memory,
  check_programs_are_possible,
  nothing_is_forgotten,
}

-- Those that hold for a spec without fields, too, which may be one without a grid; one of them is broken then.
local rules_without_fields = { there_are_exchanges, check_exchanges.exchanges_have_fields }

-- Reports every breach of a rule; report.flush tells whether there was one.
function check.run(m)
  if not check_names.names_are_valid(m) then return end
  for _, rule in ipairs(m.grid and rules or rules_without_fields) do rule(m) end
end

return check
