-- Rules of what exchanges fill beyond walls, and of what travels at all.  See check.lua.

local ctypes = require "model.ctypes"
local geometry = require "grids.geometry"
local plan = require "plan.plan"
local read = require "language.read"
local report = require "base.report"

local check_boundary = {}

local quote = report.quote

local function uses(exchange, fills)
  for _, side in ipairs { "lo", "hi" } do
    for _, word in ipairs(exchange.boundary[side]) do
      if fills[word] then return word end
    end
  end
end

function check_boundary.fills_suit_fields(m)
  for _, exchange in ipairs(m.exchanges) do
    local where = read.value(exchange.node, "boundary")
    for _, item in ipairs(exchange.fills and exchange.items or {}) do
      local field = item.field
      local notes = { { where = field.where, message = "the field is here" } }
      if uses(exchange, { antimirror = true }) and not ctypes.can_negate(field.ctype) then
        report.error("HG1514", where, ("antimirror takes the opposite of field %s, and its type %s has none"):format(
          quote(field.name), ctypes.title(field)), "fill it in an exchange of its own, by mirror or otherwise", notes)
      end
      local word = field.directions and uses(exchange, { mirror = true, antimirror = true })
      if word then
        report.error("HG1515", where, ("%s is not for field %s, which has directions: its components would change places"):format(
          word, quote(field.name)), "fill it by a hook", notes)
      end
    end
    local known = m.grid.kind == "cartesian" or m.grid.kind == "tiles" or m.grid.kind == "fold"
    local listed = known and m.grid.kind ~= "cartesian" and type(exchange.stencil) == "table"
    if exchange.fills and not m.grid.is_list and (listed or not known) then
      report.error("HG1516", where, ("exchange %s fills ghost points beyond walls%s"):format(quote(exchange.name),
        not known and ", and the grid is neither Cartesian nor made of tiles"
          or (" of %s, and lists its directions"):format(m.grid.fold and "a folded grid" or "connected tiles")),
        listed and 'take the stencil "box" or "star": then it is known which sides are walls' or "fill them in the application")
    end
  end
end

-- Does an exchange fill something beyond a wall beside which an item has layers?
local function fills_beside(exchange, item)
  for _, side in ipairs { "lo", "hi" } do
    for a, fill in ipairs(exchange.boundary[side]) do
      if fill ~= "none" and item[side][a] > 0 then return true end
    end
  end
  return false
end

function check_boundary.planes_have_no_walls(m)
  for _, exchange in ipairs(m.exchanges) do
    for _, item in ipairs(exchange.fills and exchange.items or {}) do
      if item.field.behind and fills_beside(exchange, item) then
        report.error("HG1532", read.value(exchange.node, "boundary"), ("exchange %s fills walls of field %s, and behind its owned "
          .. "points is room only for what a neighbor sends"):format(quote(exchange.name), quote(item.field.name)),
          "leave boundary out, or carry the field in an exchange of its own", {
            { where = read.value(item.field.node, "halo_at"), message = "they lie there, as said here" } })
      end
    end
  end
end

-- Has a field of the exchange ghost points on a side of an axis?
local function has_layers(exchange, a, side)
  for _, item in ipairs(exchange.items) do
    if item[side][a] > 0 then return true end
  end
  return false
end

local function refuse_fill(exchange, where, text)
  report.error("HG1518", where, ("exchange %s has no ghost point %s"):format(quote(exchange.name), text),
    "leave it out, or give a field a halo there, and the exchange the width")
end

-- What boundary says of one axis by its name: a word, or one for each side.
local function axis_fills_reach_walls(exchange, a, axis, said)
  local node = exchange.node
  if type(said) == "string" then
    if said ~= "none" and not has_layers(exchange, a, "lo") and not has_layers(exchange, a, "hi") then
      refuse_fill(exchange, read.key(node, "boundary", axis), ("beyond the walls across %s"):format(axis))
    end
    return
  end
  for _, side in ipairs { "lo", "hi" } do
    if exchange.boundary[side][a] ~= "none" and not has_layers(exchange, a, side) then
      refuse_fill(exchange, read.key(node, "boundary", axis, side), ("beyond the %s wall across %s"):format(
        side == "lo" and "low" or "high", axis))
    end
  end
end

-- One word is for the walls that there are, and one is enough.
function check_boundary.fills_reach_walls(m)
  for _, exchange in ipairs(m.grid.is_list and {} or m.exchanges) do
    local said, any = exchange.node.entries.boundary, false
    for a, axis in ipairs(exchange.fills and m.grid.axes or {}) do
      for _, side in ipairs { "lo", "hi" } do
        any = any or exchange.boundary[side][a] ~= "none" and has_layers(exchange, a, side)
      end
      if type(said) == "table" and said[axis] ~= nil then axis_fills_reach_walls(exchange, a, axis, said[axis]) end
    end
    if exchange.fills and type(said) == "string" and not any then
      refuse_fill(exchange, read.value(exchange.node, "boundary"), "beyond a wall")
    end
  end
end

-- Is there a ghost box with neighbors into which a component of the item travels?  What fills walls, too, may have none.
local function something_travels(m, exchange, item)
  for _, direction in ipairs(geometry.directions(#m.grid.axes)) do
    local reached = plan.claims_direction(m.grid, exchange, item, direction)
    for a, side in ipairs(direction) do
      reached = reached and (side == 0 or m.grid.periodic[a] or m.grid.decomposed[a] or exchange.fills)
    end
    if reached then return true end
  end
  return false
end

function check_boundary.components_travel(m)
  for _, exchange in ipairs(m.grid.is_list and {} or m.exchanges) do
    for _, item in ipairs(exchange.items) do
      local field = item.field
      if field.directions and exchange.stencil and not exchange.shared and not something_travels(m, exchange, item) then
        report.error("HG1418", item.where, ("exchange %s brings nothing of field %s: no component travels where its stencil "
          .. "and width reach"):format(quote(exchange.name), quote(field.name)), "look at the field's directions, or leave it out",
          { { where = read.value(field.node, "directions"), message = "its directions" } })
      end
    end
  end
end

return check_boundary
