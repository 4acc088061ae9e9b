-- Positions, orientations, and how points outside a tile are found inside another: the one place for all three.
--
-- Geometry acts on positions, not on indices.  Positions are counted in half cells, so that all of them are integers:
-- along an axis of n cells face i lies at 2i and the center of cell i at 2i + 1; a tile reaches from 0 to 2n.
--
-- A join says where the points lie that are outside a tile in one direction (-1 below, 0 within, +1 above, per axis):
--   { tile = 1, direction = { 1, 0 }, source = 2, P = { { axis = 1, sign = 1 }, … }, t = { { destination_cells = -1,
--     source_cells = 0 }, … } }
-- stands for p_source = P · p_destination + t, which reads, along each axis s of the source tile,
--   p_source[s] = P[s].sign * p_destination[P[s].axis]
--                 + 2 * (t[s].destination_cells * cells of the destination along P[s].axis
--                        + t[s].source_cells * cells of the source along s) + (t[s].shift or 0)
-- P is a signed permutation, an orientation.  A shift, in half cells, is there where a tile is folded about points that are
-- not the middle of its side.  Front ends give joins; tile links, which map indices, follow from them.

local geometry = {}

-- first: position of index 0.  extra: points beyond the cells.  mirrored: what it becomes where the axis is reversed.
local POSITIONS = {
  center = { first = 1, extra = 0, mirrored = "center" },
  low = { first = 0, extra = 0, mirrored = "high" },
  high = { first = 2, extra = 0, mirrored = "low" },
  both = { first = 0, extra = 1, mirrored = "both" },
}

function geometry.extra(at)
  return POSITIONS[at].extra
end

-- How far the first point lies from the low end of an axis, and the last from its high end, in half cells.
function geometry.first(at)
  return POSITIONS[at].first
end

function geometry.from_end(at)
  return 2 - POSITIONS[at].first - 2 * POSITIONS[at].extra
end

-- Has a field points on all faces along some axis?
function geometry.on_faces(field)
  for _, at in ipairs(field.at) do
    if POSITIONS[at].extra > 0 then return true end
  end
  return false
end

-- The mirror image of index i is this minus i, at the low end of an axis.
function geometry.mirror(at)
  return -POSITIONS[at].first
end

-- All directions but "within", the first axis most significant, -1 before 0 before 1.
function geometry.directions(axes)
  local directions = { {} }
  for a = 1, axes do
    local longer = {}
    for _, direction in ipairs(directions) do
      for side = -1, 1 do
        local copy = { table.unpack(direction) }
        copy[a] = side
        longer[#longer + 1] = copy
      end
    end
    directions = longer
  end
  table.remove(directions, (#directions + 1) // 2)
  return directions
end

-- ---- orientations -------------------------------------------------------------------------------------------------

function geometry.identity(axes)
  local P = {}
  for a = 1, axes do P[a] = { axis = a, sign = 1 } end
  return P
end

-- First P, then Q.
function geometry.compose(Q, P)
  local both = {}
  for s, q in ipairs(Q) do both[s] = { axis = P[q.axis].axis, sign = q.sign * P[q.axis].sign } end
  return both
end

function geometry.invert(P)
  local back = {}
  for s, p in ipairs(P) do back[p.axis] = { axis = s, sign = p.sign } end
  return back
end

function geometry.apply(P, vector)
  local turned = {}
  for s, p in ipairs(P) do turned[s] = p.sign * vector[p.axis] end
  return turned
end

-- +1, or -1 where space is mirrored.
function geometry.determinant(P)
  local sign = 1
  for s, p in ipairs(P) do
    sign = sign * p.sign
    for before = 1, s - 1 do
      if P[before].axis > p.axis then sign = -sign end
    end
  end
  return sign
end

-- By what a component is multiplied that comes with a sign of P, which turns an arrow: by kind of its vector.
local SIGNS = {
  vector = function(sign) return sign end,
  pseudovector = function(sign, P) return sign * geometry.determinant(P) end,
  unsigned = function() return 1 end,
}

-- Per axis 1 where the values of a field change their sign if that axis alone is reversed.
function geometry.reverses(field)
  local out = {}
  for a in ipairs(field.at) do
    local P = geometry.identity(#field.at)
    P[a].sign = -1
    out[a] = field.vector and SIGNS[field.vector.kind](P[field.component].sign, P) < 0 and 1 or 0
  end
  return out
end

-- ---- joins --------------------------------------------------------------------------------------------------------

-- The direction in which the destination lies, seen from the source.
function geometry.facing(P, direction)
  local facing = geometry.apply(P, direction)
  for s, side in ipairs(facing) do facing[s] = -side end
  return facing
end

-- The join that puts the two sides (or edges, or corners) onto each other, the source turned by P.  That fixes t:
-- across a side its position (0 below, 2n above) must become that of the facing side of the source; along a side
-- [0, 2n] must become [0, 2n].
function geometry.join(tile, direction, source, P)
  local t = {}
  local facing = geometry.facing(P, direction)
  for s, p in ipairs(P) do
    local side = direction[p.axis]
    local source_above = facing[s] == 1 or (side == 0 and p.sign == -1)
    t[s] = {
      destination_cells = side == 1 and -p.sign or 0,
      source_cells = source_above and 1 or 0,
    }
  end
  return { tile = tile, direction = direction, source = source, P = P, t = t }
end

-- ---- tile links ---------------------------------------------------------------------------------------------------

-- The component of the source vector that feeds component `axis`, and its sign: v_destination = transpose(P) · v_source.
local function feeding_component(P, axis)
  for s, p in ipairs(P) do
    if p.axis == axis then return s, p.sign end
  end
end

-- The tile link of a join for points of one role:
--   role = { at = {position per axis}, component = axis or nil, and for components kind = of the vector,
--     components = { [axis] = {position per axis} } }
-- From  first_s + 2 i_source = sign * (first_d + 2 i_destination) + t  follows the offset between the indices.  It is an
-- integer, and every owned point meets an owned point, exactly if the image of the one position is the other.  Where a
-- tile is folded onto itself points meet points at their own positions, some of which lie beyond the end of an axis; who
-- owns them is looked at by prove_fold.lua.
-- On failure: nil and a table with the reason "component" or "position" and the particulars.
function geometry.tile_link(join, role)
  local component, sign, source_at = 0, 1, role.at
  if role.component then
    local s, turned = feeding_component(join.P, role.component)
    source_at = role.components[s]
    if not source_at then return nil, { reason = "component", component = s } end
    if s ~= role.component then component = s end
    sign = SIGNS[role.kind](turned, join.P)
  end
  local map = {}
  for s, p in ipairs(join.P) do
    local from, to = POSITIONS[source_at[s]], POSITIONS[role.at[p.axis]]
    local shift = join.t[s].shift
    local image = (p.sign == 1 or shift) and role.at[p.axis] or to.mirrored
    if image ~= source_at[s] then
      return nil, { reason = "position", axis = p.axis, source_axis = s, image = image, found = source_at[s],
        component = component ~= 0 and component or nil }
    end
    map[s] = {
      axis = p.axis,
      sign = p.sign,
      destination_cells = join.t[s].destination_cells,
      source_cells = join.t[s].source_cells,
      offset = (p.sign * to.first - from.first + (shift or 0)) // 2,
    }
  end
  return {
    tile = join.tile, source = join.source, direction = join.direction,
    map = map, component = component, sign = sign,
  }
end

return geometry
