-- Changes one number of a plan's tables at a time.
--
--   mutate.each(plan, visit)   calls visit(what) once for every mutant, with the plan changed in place; afterwards the
--                              plan is as it was.  what: a line that names the change.
--   mutate.fresh(plan)         a plan whose tables share nothing, so that a change in place is one change
--
-- With MUTANTS_EVERY above 1 in the environment every fifth mutant is visited, whatever plan it is of: kinds of changes come in
-- twos, threes and fours, so that each has its turn.  mutate.counts(found, all): are so many what they should be of all?

local mutate = {}

local sampled = tonumber(os.getenv "MUTANTS_EVERY" or "1") > 1
local turn = 0

local function in_turn(visit)
  return function(what)
    turn = turn + 1
    if not sampled or turn % 5 == 0 then visit(what) end
  end
end

function mutate.counts(found, all)
  return found == all or sampled and found < all
end

local function copy(value)
  if type(value) ~= "table" then return value end
  local out = {}
  for key, entry in pairs(value) do out[key] = copy(entry) end
  return out
end

function mutate.fresh(plan)
  local fresh = { model = plan.model, tiles = plan.tiles, positions_of = plan.positions_of, claims = plan.claims,
    positions = {}, exchanges = {} }
  for c, positions in ipairs(plan.positions) do
    fresh.positions[c] = { extra = copy(positions.extra), mirror = copy(positions.mirror), reverses = copy(positions.reverses), links = copy(positions.links),
      rewrites = copy(positions.rewrites) }
  end
  for e, planned in ipairs(plan.exchanges) do
    fresh.exchanges[e] = { exchange = planned.exchange, items = planned.items, directions = copy(planned.directions),
      by_dimension = planned.by_dimension, picks = copy(planned.picks), rewritten = planned.rewritten, boundary = copy(planned.boundary),
      shared = planned.shared,
      corners = copy(planned.corners) }
  end
  return fresh
end

-- Sets holder[key] to each of the values in turn.
local function set(holder, key, values, name, visit)
  local was = holder[key]
  local done = { [was] = true }
  for _, value in ipairs(values) do
    if not done[value] then
      done[value] = true
      holder[key] = value
      visit(("%s: %s, was %s"):format(name, value, was))
    end
  end
  holder[key] = was
end

-- One less, one more, and the other sign.
local function near(value)
  return { value - 1, value + 1, -value }
end

local function up_to(first, last)
  local values = {}
  for value = first, last do values[#values + 1] = value end
  return values
end

local function drop_and_double(list, name, visit)
  for i = 1, #list do
    local entry = table.remove(list, i)
    visit(("%s %d dropped"):format(name, i))
    table.insert(list, i, entry)
    table.insert(list, i, entry)
    visit(("%s %d twice"):format(name, i))
    table.remove(list, i)
  end
end

local function each_of_map(map, axes, name, visit)
  for s = 1, axes do
    local m, here = map[s], ("%s, source axis %d"):format(name, s)
    set(m, "axis", up_to(0, axes + 1), here .. ", axis", visit)
    for _, number in ipairs { "sign", "destination_cells", "source_cells", "offset" } do
      set(m, number, near(m[number]), here .. ", " .. number, visit)
    end
    for other = s + 1, axes do
      m.axis, map[other].axis = map[other].axis, m.axis
      visit(("%s: axes swapped with %d"):format(here, other))
      m.axis, map[other].axis = map[other].axis, m.axis
      map[s], map[other] = map[other], map[s]
      visit(("%s: entry swapped with %d"):format(here, other))
      map[s], map[other] = map[other], map[s]
    end
  end
end

local function each_of_link(link, axes, tiles, name, visit)
  set(link, "tile", up_to(0, tiles + 1), name .. ", tile", visit)
  set(link, "source", up_to(0, tiles + 1), name .. ", source", visit)
  set(link, "component", up_to(-1, axes + 1), name .. ", component", visit)
  set(link, "sign", near(link.sign), name .. ", sign", visit)
  for a = 1, axes do set(link.direction, a, near(link.direction[a]), name .. ", direction " .. a, visit) end
  each_of_map(link.map, axes, name, visit)
end

local function each_of_bound(bound, name, visit)
  set(bound, "halves", near(bound.halves), name .. ", halves", visit)
  set(bound, "offset", near(bound.offset), name .. ", offset", visit)
end

local RULES = { "greater", "owner", "mean", "sum" }
local FILLS = { "none", "zero", "copy", "mirror", "antimirror", "hook" }

function mutate.each(plan, visit)
  visit = in_turn(visit)
  local axes = #plan.model.grid.axes
  set(plan, "tiles", near(plan.tiles), "tiles", visit)
  for c, positions in ipairs(plan.positions) do
    for a = 1, axes do
      set(positions.extra, a, near(positions.extra[a]), ("positions %d, extra %d"):format(c, a), visit)
      set(positions.mirror, a, near(positions.mirror[a]), ("positions %d, mirror %d"):format(c, a), visit)
      set(positions.reverses, a, { 1 - positions.reverses[a] }, ("positions %d, reverses %d"):format(c, a), visit)
    end
    for l, link in ipairs(positions.links) do
      each_of_link(link, axes, plan.tiles, ("positions %d, link %d"):format(c, l), visit)
    end
    drop_and_double(positions.links, ("positions %d, link"):format(c), visit)
    for r, rewrite in ipairs(positions.rewrites) do
      local name = ("positions %d, rewrite %d"):format(c, r)
      each_of_link(rewrite.link, axes, plan.tiles, name, visit)
      for a = 1, axes do
        each_of_bound(rewrite.lo[a], ("%s, lo %d"):format(name, a), visit)
        each_of_bound(rewrite.hi[a], ("%s, hi %d"):format(name, a), visit)
      end
    end
    drop_and_double(positions.rewrites, ("positions %d, rewrite"):format(c), visit)
  end
  for e, planned in ipairs(plan.exchanges) do
    local name = ("exchange %d, direction"):format(e)
    for d, direction in ipairs(planned.directions) do
      for a = 1, axes do set(direction, a, near(direction[a]), ("%s %d, axis %d"):format(name, d, a), visit) end
    end
    drop_and_double(planned.directions, name, visit)
    for f, fill in ipairs(planned.corners) do
      for i, links in ipairs(fill.links) do
        local here = ("exchange %d, corners %d, item %d, link"):format(e, f, i)
        for l, link in ipairs(links) do each_of_link(link, axes, plan.tiles, ("%s %d"):format(here, l), visit) end
        drop_and_double(links, here, visit)
      end
    end
    if planned.shared then set(planned, "shared", RULES, ("exchange %d, shared"):format(e), visit) end
    for i, picks in ipairs(planned.picks) do
      for d, picked in ipairs(picks or {}) do
        local here = ("exchange %d, item %d, direction %d, picks"):format(e, i, d)
        for p in ipairs(picked) do set(picked, p, near(picked[p]), here, visit) end
        drop_and_double(picked, here, visit)
      end
    end
    for a = 1, axes do
      for _, side in ipairs { "lo", "hi" } do
        set(planned.boundary[side], a, FILLS, ("exchange %d, %s wall %d"):format(e, side, a), visit)
      end
    end
    set(planned, "by_dimension", { not planned.by_dimension }, ("exchange %d, by dimension"):format(e), visit)
  end
end

-- The same for what a front end declares: joins[…].{tile, source, direction, P, t}.
function mutate.each_join(joins, axes, tiles, visit)
  visit = in_turn(visit)
  for j, join in ipairs(joins) do
    local name = "join " .. j
    set(join, "tile", up_to(0, tiles + 1), name .. ", tile", visit)
    set(join, "source", up_to(0, tiles + 1), name .. ", source", visit)
    for s = 1, axes do
      set(join.direction, s, near(join.direction[s]), name .. ", direction " .. s, visit)
      set(join.P[s], "axis", up_to(0, axes + 1), name .. ", P axis " .. s, visit)
      set(join.P[s], "sign", near(join.P[s].sign), name .. ", P sign " .. s, visit)
      for _, number in ipairs { "destination_cells", "source_cells" } do
        set(join.t[s], number, near(join.t[s][number]), ("%s, t %s %d"):format(name, number, s), visit)
      end
    end
  end
  drop_and_double(joins, "join", visit)
end

return mutate
