-- Rules of exchanges: what they carry, how wide and whither; lists of points, sums, shared points, corners of tiles.  See
-- check.lua.

local corners = require "plan.corners"
local ctypes = require "model.ctypes"
local exchanges = require "model.exchanges"
local fixes = require "base.fixes"
local geometry = require "grids.geometry"
local operations = require "model.operations"
local plan = require "plan.plan"
local read = require "language.read"
local report = require "base.report"
local shared = require "plan.shared"

local check_exchanges = {}

local quote = report.quote

-- ---- exchanges ----------------------------------------------------------------------------------------------------

function check_exchanges.exchanges_have_fields(m)
  for _, exchange in ipairs(m.exchanges) do
    if #exchange.items == 0 then
      report.error("HG1501", exchange.where, ("exchange %s has no fields"):format(quote(exchange.name)),
        "list them: exchange " .. quote(exchange.name) .. " { u, v }")
    end
    local first = {}
    for _, item in ipairs(exchange.items) do
      local earlier = first[item.field]
      if earlier then
        report.error("HG1502", item.where, ("field %s is in exchange %s twice"):format(quote(item.field.name),
          quote(exchange.name)), "list it once", { { where = earlier.where, message = "the first time is here" } },
          fixes.remove((item.group or exchange.node).site, item.entry))
      end
      first[item.field] = earlier or item
    end
  end
end

local side_names = { lo = "low", hi = "high" }

local function check_width(exchange, item, axis, a, side)
  local width, halo = item[side][a], item.field.halo[side][a]
  local node = exchanges.who_says(exchange.node, item, "width")
  local where = read.value(node, "width", axis, side)
  if width < 0 then
    report.error("HG1503", where, ("exchange %s has a width of %d layers"):format(quote(exchange.name), width),
      "write 0 or more, up to the halo of the field")
  elseif width > halo then
    local name = quote(item.field.name)
    report.error("HG1504", where,
      ("exchange %s fills %d layer%s of field %s on the %s side of %s, where its halo has %d"):format(
        quote(exchange.name), width, width == 1 and "" or "s", name, side_names[side], axis, halo),
      "make the halo of the field deeper, or the width smaller; a width may differ per axis and side: "
      .. ("width = { %s = %d }"):format(axis, math.max(halo, 1)),
      { { where = read.value(item.field.node, "halo", axis, side), message = "the halo of " .. name } })
  else
    return true
  end
end

function check_exchanges.widths_are_within_halos(m)
  for _, exchange in ipairs(m.exchanges) do
    for _, item in ipairs(exchange.items) do
      local fine = exchanges.who_says(exchange.node, item, "width").entries.width ~= nil
      for a, axis in ipairs(m.grid.axes) do
        for _, side in ipairs { "lo", "hi" } do
          fine = fine and check_width(exchange, item, axis, a, side)
        end
      end
    end
  end
end

-- What an item fills: directions of the stencil that its width reaches, whether one of them has a neighbor or a wall that is
-- filled, and the axes of its width.
local function reach_of(m, exchange, item)
  local reached, fed, wide = false, false, {}
  for a, axis in ipairs(m.grid.axes) do
    if item.lo[a] ~= 0 or item.hi[a] ~= 0 then wide[#wide + 1] = axis end
    fed = fed or item.lo[a] ~= 0 and exchange.boundary.lo[a] ~= "none" or item.hi[a] ~= 0 and exchange.boundary.hi[a] ~= "none"
  end
  for _, direction in ipairs(geometry.directions(#m.grid.axes)) do
    local reaches, neighbor = exchanges.in_stencil(exchange.stencil, direction), true
    for a, side in ipairs(direction) do
      reaches = reaches and not (side < 0 and item.lo[a] == 0 or side > 0 and item.hi[a] == 0)
      neighbor = neighbor and (side == 0 or m.grid.periodic[a] or m.grid.decomposed[a] or m.grid.kind ~= "cartesian")
    end
    reached, fed = reached or reaches, fed or reaches and neighbor
  end
  return reached, fed, wide
end

function check_exchanges.fields_are_filled(m)
  for _, exchange in ipairs(m.grid.is_list and {} or m.exchanges) do
    for _, item in ipairs(exchange.shared and {} or exchange.items) do
      local reached, fed, wide = reach_of(m, exchange, item)
      local title = ("exchange %s fills nothing of field %s"):format(quote(exchange.name), quote(item.field.name))
      local said = exchanges.who_says(exchange.node, item, "width").entries.width ~= nil
      if #wide == 0 then
        report.error("HG1505", item.where, title .. (said and ": its width is 0 on all sides"
          or ", which has no halo"), "give the field a halo, or leave it out of the exchange", {
            { where = item.field.where, message = "the field is here" } })
      elseif not reached then
        report.error("HG1505", item.where, title .. ": it has a width in no direction of the stencil",
          "list directions in which the field has a halo, or leave it out of the exchange", {
            { where = read.value(exchange.node, "stencil"), message = "the stencil is here" } })
      elseif not fed then
        report.error("HG1506", item.where, ("%s: its halo lies along %s, where the grid is neither periodic nor decomposed")
          :format(title, table.concat(wide, " and ")), "leave the field out, make the axis periodic or decomposed, or fill its "
            .. "walls with boundary", { { where = m.grid.where, message = "the grid is here" } })
      end
    end
  end
end

function check_exchanges.directions_are_reached(m)
  for _, exchange in ipairs(m.exchanges) do
    local listed = type(exchange.stencil) == "table" and #exchange.items > 0 and not exchange.shared
    for _, direction in ipairs(listed and exchange.stencil or {}) do
      local reached = false
      for _, item in ipairs(exchange.items) do
        local here = true
        for a, side in ipairs(direction) do here = here and not (side < 0 and item.lo[a] == 0 or side > 0 and item.hi[a] == 0) end
        reached = reached or here
      end
      if not reached then
        report.error("HG1517", read.value(exchange.node, "stencil"), ("no field of exchange %s has a width in direction { %s }")
          :format(quote(exchange.name), table.concat(direction, ", ")), "leave the direction out, or give a field a halo there")
      end
    end
  end
end

-- Does a direction lead across more than one axis?
local function is_diagonal(direction)
  local axes = 0
  for _, side in ipairs(direction) do axes = axes + math.abs(side) end
  return axes > 1
end

function check_exchanges.planes_have_no_edges(m)
  for _, exchange in ipairs(m.exchanges) do
    for _, item in ipairs(not exchange.shared and exchange.items or {}) do
      local edges = false
      for _, direction in ipairs(item.field.behind and geometry.directions(#m.grid.axes) or {}) do
        edges = edges or is_diagonal(direction) and plan.claims_direction(m.grid, exchange, item, direction)
      end
      if edges then
        report.error("HG1531", item.where, ("exchange %s fills edges of field %s, and behind its owned points is room for faces only")
          :format(quote(exchange.name), quote(item.field.name)), 'write stencil = "star"', {
            { where = read.value(item.field.node, "halo_at"), message = "they lie there, as said here" } })
      end
    end
  end
end

function check_exchanges.exchanges_carry_whole_vectors(m)
  for _, exchange in ipairs(m.exchanges) do
    local carried = {}
    for _, item in ipairs(exchange.items) do carried[item.field] = true end
    for _, item in ipairs(exchange.items) do
      for _, other in ipairs(item.field.vector and item.field.vector.fields or {}) do
        if not carried[other] then
          report.error("HG1507", item.where, ("exchange %s carries %s without %s, and they are components of one vector")
            :format(quote(exchange.name), quote(item.field.name), quote(other.name)),
            "list all components: where the grid turns, one feeds the other")
        end
      end
    end
  end
end

-- ---- lists of points ----------------------------------------------------------------------------------------------

-- Keys that say something about boxes and their sides, and the way out.
local of_boxes = {
  field = { { "halo", "leave it out: points of the halo are among those of each rank, wherever it likes" },
    { "halo_at", "leave it out: points of the halo are among those of each rank, wherever it likes" },
    { "directions", "leave it out: all components go with their point" } },
  exchange = { { "width", "leave it out: lists say which points travel" }, { "stencil", "leave it out: lists say which points travel" },
    { "boundary", "leave it out: what no list fills stays as it is" },
    { "corners", "leave it out: points of a list have none" },
    { "only", "leave it out: points of a list have no faces that several ranks own" } },
}

local function refuse_keys(kind, entry, node, code)
  for _, key in ipairs(of_boxes[kind]) do
    if node.entries[key[1]] ~= nil then
      report.error(code, read.key(node, key[1]), ("%s %s has %s, and its grid is an index list, which has no sides"):format(kind,
        quote(entry.name), key[1]), key[2])
    end
  end
end

function check_exchanges.lists_have_no_sides(m)
  if not m.grid.is_list then return end
  for _, field in ipairs(m.fields) do
    refuse_keys("field", field, field.node, "HG1420")
    if field.at[1] ~= "center" then
      report.error("HG1420", read.key(field.node, "at"), ("field %s lies at \"%s\" along %s, and points of an index list have no faces")
        :format(quote(field.name), field.at[1], m.grid.axes[1]), "write one spec for cells and one for edges, each with lists of its own")
    end
  end
  for _, vector in ipairs(m.vectors) do
    report.error("HG1421", vector.where, ("vector %s is on an index list, where nothing turns"):format(quote(vector.name)),
      "list its fields in the exchange, or make one field with components of them")
  end
  for _, exchange in ipairs(m.exchanges) do
    for _, node in ipairs(exchanges.nodes_of(exchange)) do refuse_keys("exchange", exchange, node, "HG1520") end
  end
end

-- ---- exchanges that send ghost points back ------------------------------------------------------------------------

-- What is said of a type that an operation cannot be done with.
local UNSUITED = {
  add = { code = "HG1511", lacks = "which cannot be added" },
  min = { code = "HG1533", lacks = "which has no order" },
  max = { code = "HG1533", lacks = "which has no order" },
}

function check_exchanges.operations_are_possible(m)
  for _, exchange in ipairs(m.exchanges) do
    local where, operation = read.value(exchange.node, "op"), exchange.operation
    local verb = operations.verb[operation]
    for _, item in ipairs(exchange.items) do
      local field = item.field
      if operation and not operations.suits(operation, field.ctype) then
        report.error(UNSUITED[operation].code, item.where, ("exchange %s %s, and field %s is %s, %s"):format(quote(exchange.name),
          verb, quote(field.name), field.ctype.kind == "struct" and "a struct" or ctypes.title(field), UNSUITED[operation].lacks),
          "carry the field in an exchange that copies", { { where = field.where, message = "the field is here" } })
      end
    end
    if verb and operations.returns(exchange) and exchange.fills then
      report.error("HG1513", read.value(exchange.node, "boundary"), ("exchange %s %s, and fills ghost points beyond walls")
        :format(quote(exchange.name), verb), "it sends its ghost points to their owners: fill them in an exchange that copies", {
          { where = where, message = ("it %s, as said here"):format(verb) } })
    end
  end
end

-- ---- shared points ------------------------------------------------------------------------------------------------

local function refuse_halo(exchange, node)
  for _, key in ipairs { "width", "stencil", "boundary", "corners" } do
    if node.entries[key] ~= nil then
      report.error("HG1526", read.key(node, key), ("exchange %s is of shared points, and %s is for a halo"):format(
        quote(exchange.name), key), "leave it out: fill the halo by another exchange", {
          { where = read.value(exchange.node, "only"), message = "they are asked for here" } }, fixes.remove(node.site, key))
    end
  end
end

function check_exchanges.shared_points_have_no_halo(m)
  for _, exchange in ipairs(m.exchanges) do
    for _, node in ipairs(exchange.shared and exchanges.nodes_of(exchange) or {}) do refuse_halo(exchange, node) end
  end
end

function check_exchanges.shared_points_exist(m)
  for _, exchange in ipairs(m.exchanges) do
    for _, item in ipairs(exchange.shared and not m.grid.is_list and exchange.items or {}) do
      local field = item.field
      local title = ("exchange %s shares nothing of field %s"):format(quote(exchange.name), quote(field.name))
      local notes = { { where = field.where, message = "the field is here" } }
      if field.directions then
        report.error("HG1523", item.where, title .. ": its components belong to directions, and go nowhere on a face",
          "leave the field out", notes)
      elseif not geometry.on_faces(field) and not shared.meets(m.grid, field) then
        report.error("HG1521", item.where, title .. ": blocks own no common point of it",
          'leave the field out, or place its points on all faces along an axis: at = { x = "both" }', notes)
      elseif not shared.meets(m.grid, field) then
        report.error("HG1521", item.where, title .. ': it lies at "both" along axes that are neither periodic nor decomposed',
          "leave the field out, or make an axis periodic or decomposed",
          { { where = m.grid.where, message = "the grid is here" } })
      end
    end
  end
end

-- What rules that make one number of all ask of a type, what they do, and what is said of them.
local COMBINED = {
  mean = { can = ctypes.has_mean, takes = "takes means", lacks = "has none",
    transpose = "where blocks share a point alike, a mean is its own transpose" },
  sum = { can = ctypes.can_add, takes = "takes sums", lacks = "cannot be added",
    transpose = "a sum is its own transpose" },
}

function check_exchanges.combined_are_possible(m)
  for _, exchange in ipairs(m.exchanges) do
    local where, rule = read.value(exchange.node, "agree"), COMBINED[exchange.shared]
    for _, item in ipairs(rule and exchange.items or {}) do
      if not rule.can(item.field.ctype) then
        report.error("HG1522", where, ("exchange %s %s, and field %s is %s, which %s"):format(quote(exchange.name), rule.takes,
          quote(item.field.name), item.field.ctype.kind == "struct" and "a struct" or ctypes.title(item.field), rule.lacks),
          'let one of them win: agree = "greater" or "owner"', { { where = item.field.where, message = "the field is here" } })
      end
    end
    local verb = operations.verb[exchange.operation]
    if rule and verb and operations.returns(exchange) then
      report.error("HG1524", read.value(exchange.node, "op"), ("exchange %s %s, and %s"):format(quote(exchange.name), verb, rule.takes),
        ('leave op out: %s; or let one win, by agree = "owner"'):format(rule.transpose),
        { { where = where, message = ("it %s, as said here"):format(rule.takes) } })
    end
  end
end

-- ---- corners ------------------------------------------------------------------------------------------------------

-- Has an item as many layers on all sides across two axes, and some?
local function is_square(item, p, q)
  local width = item.lo[p]
  return width > 0 and item.hi[p] == width and item.lo[q] == width and item.hi[q] == width
end

-- Components of a vector are filled from each other.
local function components_are_alike(m, exchange, axis)
  local first = {}
  for _, item in ipairs(exchange.items) do
    local vector = item.field.vector
    local other = vector and first[vector]
    if other and (item.lo[axis] ~= other.lo[axis] or item.hi[axis] ~= other.hi[axis]) then
      report.error("HG1528", item.where, ("exchange %s fills corners of vector %s, where field %s has another width along %s than %s")
        :format(quote(exchange.name), quote(vector.name), quote(item.field.name), m.grid.axes[axis], quote(other.field.name)),
        "give all components the same width: there one is filled from the other", { { where = other.where,
          message = "the other component is here" } })
    elseif vector then
      first[vector] = item
    end
  end
end

local function corners_are_square(m, exchange, open)
  local asked = {}
  for _, corner in ipairs(open) do
    local p, q = corners.axes_of(corner.direction)
    for _, item in ipairs(asked[p .. "," .. q] and {} or exchange.items) do
      if not is_square(item, p, q) then
        report.error("HG1528", item.where, ("exchange %s fills corners between %s and %s, where field %s has not the same width on "
          .. "all sides"):format(quote(exchange.name), m.grid.axes[p], m.grid.axes[q], quote(item.field.name)),
          "give both axes the same width, or carry the field in another exchange", { { where = read.value(exchange.node, "corners"),
            message = "the fills are here" } })
      end
    end
    asked[p .. "," .. q] = true
  end
end

function check_exchanges.corners_are_there(m)
  if m.grid.is_list then return end
  for _, exchange in ipairs(m.exchanges) do
    local where = read.value(exchange.node, "corners")
    for _, axis in ipairs(not exchange.shared and exchange.corners or {}) do
      local open = corners.open(m.grid, require("grids." .. m.grid.kind).joins(m.grid), axis)
      if #open == 0 then
        report.error("HG1527", where, ("exchange %s fills corners along %s, and the grid has none without a neighbor there")
          :format(quote(exchange.name), m.grid.axes[axis]), "leave corners out: the exchange fills them, or there are walls", {
            { where = m.grid.where, message = "the grid is here" } })
      else
        corners_are_square(m, exchange, open)
        components_are_alike(m, exchange, axis)
      end
    end
    local verb = operations.verb[exchange.operation]
    if verb and operations.returns(exchange) and exchange.corners then
      report.error("HG1529", where, ("exchange %s %s, and fills corners"):format(quote(exchange.name), verb),
        "fill them after an exchange that copies", { { where = read.value(exchange.node, "op"), message = ("it %s, as said here"):format(verb) } })
    end
  end
end

return check_exchanges
