-- Connected tiles: specs as text, through rules, plan and proof, against grids that are laid out in space.
--
-- The oracle places each tile in space by an orientation of its own; who feeds a ghost point is then whoever owns the
-- place.  It knows neither joins nor links.

local case = require "case"
local cut = require "cut"
local dump = require "emit.dump"
local grids = require "grids"
local mutate = require "mutate"
local plan = require "plan.plan"
local prove = require "proof.prove"
local specs = require "specs"

local AXES = { "x", "y", "z" }

local function plan_of(text)
  local m, reports = specs.read(text)
  assert(m, reports[1] and reports[1].message)
  local p
  reports = grids.diagnostics(function()
    p = plan.build(m)
    prove.run(p)
  end)
  assert(#reports == 0, reports[1] and reports[1].message)
  return p
end

-- ---- tiles in space ---------------------------------------------------------------------------------------------------

-- A tile is { place = {…}, size = {…}, turn = { { axis = its own, sign = }, … } }, all lists by axis of space: the cells
-- place[a] … place[a] + size[a] - 1 of space are its own, and along axis a of space its axis turn[a].axis runs.

local function each_turn(axes, visit)
  local turn, taken = {}, {}
  local function along(a)
    if a > axes then return visit { table.unpack(turn) } end
    for axis = 1, axes do
      for sign = taken[axis] and 3 or -1, 1, 2 do
        taken[axis], turn[a] = true, { axis = axis, sign = sign }
        along(a + 1)
        taken[axis] = false
      end
    end
  end
  along(1)
end

local function all_turns(axes)
  local list = {}
  each_turn(axes, function(turn) list[#list + 1] = turn end)
  return list
end

local function cells_of(tile)
  local cells = {}
  for a, t in ipairs(tile.turn) do cells[t.axis] = tile.size[a] end
  return cells
end

-- From an index of a tile's cells to space, and back.
local function to_space(tile, index)
  local at = {}
  for a, t in ipairs(tile.turn) do
    at[a] = tile.place[a] + (t.sign > 0 and index[t.axis] or tile.size[a] - 1 - index[t.axis])
  end
  return at
end

local function from_space(tile, at)
  local index, inside = {}, true
  for a, t in ipairs(tile.turn) do
    local i = at[a] - tile.place[a]
    inside = inside and i >= 0 and i < tile.size[a]
    index[t.axis] = t.sign > 0 and i or tile.size[a] - 1 - i
  end
  return inside and index
end

-- The side of a tile that faces along axis a of space, "+x".
local function side_of(tile, a, sense)
  local t = tile.turn[a]
  return (t.sign * sense > 0 and "+" or "-") .. AXES[t.axis]
end

-- The entry of `connect` for a tile and the next one along axis a.
local function connect(names, tiles, i, j, a)
  local along = {}
  for b, t in ipairs(tiles[i].turn) do
    local u = tiles[j].turn[b]
    if b ~= a then along[#along + 1] = ('%s = "%s%s"'):format(AXES[t.axis], t.sign * u.sign > 0 and "+" or "-", AXES[u.axis]) end
  end
  return ('{ "%s", "%s", "%s", "%s", along = { %s } }'):format(names[i], side_of(tiles[i], a, 1), names[j],
    side_of(tiles[j], a, -1), table.concat(along, ", "))
end

local function name_list(count)
  local names = {}
  for i = 1, count do names[i] = "t" .. i end
  return names
end

local function spec_text(axes, names, connections, width)
  return ([[
local grid = tiles { axes = "%s", names = { "%s" }, connect = { %s } }
local h = field "h" { on = grid, type = "double", halo = %d }
return spec "test" { exchange "e" { h } }
]]):format(table.concat(AXES, "", 1, axes), table.concat(names, '", "'), table.concat(connections, ",\n  "), width)
end

-- Compares every ghost point with who owns its place.  space: the extent of a periodic space, 0 where it ends.
local function compare(p, tiles, space)
  local cuts = {}
  for t, tile in ipairs(tiles) do
    cuts[t - 1] = {}
    for a, n in ipairs(cells_of(tile)) do cuts[t - 1][a] = { 0, n } end
  end
  local fed = 0
  cut.each(cut.parse(dump.links(p)), cuts, function(ghost, source, why)
    local at = to_space(tiles[ghost.tile + 1], ghost.point)
    for a, extent in ipairs(space or {}) do
      if extent > 0 then at[a] = at[a] % extent end
    end
    local owner, index
    for t, tile in ipairs(tiles) do
      local here = from_space(tile, at)
      if here then owner, index = t, here end
    end
    assert((owner ~= nil) == (source ~= nil), why or "a point outside comes from somewhere")
    if not owner then return end
    fed = fed + 1
    assert(source.tile == owner - 1 and table.concat(source.point, ",") == table.concat(index, ","),
      ("tile %d, point (%s)"):format(ghost.tile, table.concat(ghost.point, ",")))
  end)
  assert(fed > 0)
end

-- ---- orientations -----------------------------------------------------------------------------------------------------

-- Two tiles, the second in every orientation, joined at every side of the first; in 3-D at one of them in turn.
local function test_pairs()
  for axes = 1, 3 do
    local names = name_list(2)
    for number, turn in ipairs(all_turns(axes)) do
      for a = axes < 3 and 1 or number % 3 + 1, axes < 3 and axes or number % 3 + 1 do
        for _, sense in ipairs { 1, -1 } do
          local first = { place = {}, size = {}, turn = all_turns(axes)[2 ^ axes | 0] }
          local second = { place = {}, size = {}, turn = turn }
          for b = 1, axes do
            first.place[b], first.size[b] = 0, b + 1
            second.size[b] = b == a and 5 or b + 1
            second.place[b] = b ~= a and 0 or sense > 0 and first.size[b] or -second.size[b]
          end
          local tiles = { first, second }
          local entry = sense > 0 and connect(names, tiles, 1, 2, a) or connect(names, tiles, 2, 1, a)
          compare(plan_of(spec_text(axes, names, { entry }, 2)), tiles)
        end
      end
    end
  end
end

-- Boxes of tiles, each turned as it likes, which meet at edges and corners; space periodic along its first axis or not.
local function test_boxes_of_tiles()
  for axes = 2, 3 do
    local turns = all_turns(axes)
    for round = 1, 8 do
      local tiles, periodic = {}, round % 2 == 0
      local function add(place, size)
        local n = #tiles
        tiles[n + 1] = { place = place, size = size, turn = turns[(round * 5 + n * (round + 6)) % #turns + 1] }
      end
      for i = 0, 1 do
        for j = 0, 1 do
          for k = 0, axes - 2 do
            add({ 3 * i, 2 * j, axes == 3 and 4 * k or nil }, { 3 + i, 2 + j, axes == 3 and 4 - k or nil })
          end
        end
      end
      local names, entries, number = name_list(#tiles), {}, 0
      for i, tile in ipairs(tiles) do
        for j, other in ipairs(tiles) do
          for a = 1, axes do
            local meet = true
            for b = 1, axes do
              meet = meet and (a == b and (other.place[a] == tile.place[a] + tile.size[a]
                or periodic and a == 1 and other.place[a] == 0 and tile.place[a] > 0) or a ~= b and other.place[b] == tile.place[b])
            end
            if meet then
              number = number + 1
              entries[number] = connect(names, tiles, i, j, a)
            end
          end
        end
      end
      compare(plan_of(spec_text(axes, names, entries, 2)), tiles, periodic and { 7, 0, 0 } or nil)
    end
  end
end

-- ---- corners ----------------------------------------------------------------------------------------------------------

local function links_by_direction(p)
  local found = {}
  for _, link in ipairs(p.positions[1].links) do
    found[link.tile .. ":" .. table.concat(link.direction, ",")] = link.source
  end
  return found
end

-- So many tiles around one corner, which is the low corner of each.
local function around_a_corner(tiles)
  local names, entries = name_list(tiles), {}
  for t = 1, tiles do entries[t] = ('{ "t%d", "-x", "t%d", "-y", along = { y = "x" } }'):format(t, t % tiles + 1) end
  return links_by_direction(plan_of(spec_text(2, names, entries, 1)))
end

local function test_corners()
  for tiles = 1, 6 do
    local found = around_a_corner(tiles)
    for t = 1, tiles do
      local wanted = nil
      if tiles == 4 then wanted = (t + 1) % 4 + 1 end
      if tiles == 1 or tiles == 2 then wanted = t end -- one goes round and comes back to where one was, turned
      assert(found[t .. ":-1,-1"] == wanted, ("%d tiles: %s"):format(tiles, found[t .. ":-1,-1"]))
    end
  end
end

-- Three tiles in an L: none reaches around its inner corner, whoever asks.
local function test_inner_corner()
  local found = links_by_direction(plan_of(spec_text(2, name_list(3), { '{ "t1", "+x", "t2", "-x" }',
    '{ "t1", "+y", "t3", "-y" }' }, 1)))
  assert(found["2:-1,1"] == nil and found["3:1,-1"] == nil and found["1:1,1"] == nil and found["1:1,0"] == 2)
end

-- ---- the cubed sphere -------------------------------------------------------------------------------------------------

-- What a halo holds, rows from high j to low j, "." for what is left as it was; tiles of 3 x 3 cells, values 100 (tile + 1)
-- + 10 i + j.  Typed in from a description of what such models do.
local SPHERE = { [0] = [[
    .   .  312 311 310  .   .
    .   .  302 301 300  .   .
   501 502 102 112 122 202 212
   511 512 101 111 121 201 211
   521 522 100 110 120 200 210
    .   .  602 612 622  .   .
    .   .  601 611 621  .   . ]], [[
    .   .   .   .   .   .   .
    .   .  300 310 320  .   .
    .  122 202 212 222 400  .
    .  121 201 211 221 410  .
    .  120 200 210 220 420  .
    .   .  622 621 620  .   .
    .   .   .   .   .   .   . ]] }

local function test_sphere()
  local p = plan_of([[
local grid = cubed_sphere { axes = "xy" }
local h = field "h" { on = grid, type = "double", halo = 2 }
return spec "test" { exchange "e" { h } }]])
  local held = {}
  local cuts = {}
  for t = 0, 5 do cuts[t] = { { 0, 3 }, { 0, 3 } } end
  cut.each(cut.parse(dump.links(p)), cuts, function(ghost, source)
    if source then
      held[table.concat({ ghost.tile, ghost.point[1], ghost.point[2] }, " ")] =
        ("%d"):format(100 * (source.tile + 1) + 10 * source.point[1] + source.point[2])
    end
  end)
  for tile = 0, 1 do
    local depth, j = 2 - tile, 4
    for row in SPHERE[tile]:gmatch("[^\n]+") do
      local i = -2
      for word in row:gmatch("%S+") do
        local inside = i >= 0 and i < 3 and j >= 0 and j < 3
        local near = i >= -depth and i < 3 + depth and j >= -depth and j < 3 + depth
        if near and not inside then assert((held[tile .. " " .. i .. " " .. j] or ".") == word, tile .. " " .. i .. " " .. j) end
        i = i + 1
      end
      j = j - 1
    end
  end
end

-- A scalar staggered along one axis would come to lie on other positions beyond a turned side.
local function test_staggered_scalar()
  local function reports_of(at)
    local m = specs.model(([[
local grid = cubed_sphere { axes = "xyz" }
local h = field "h" { on = grid, type = "double", halo = { x = 1, y = 1 }, at = %s }
return spec "test" { exchange "e" { h } }]]):format(at))
    return grids.diagnostics(function() plan.build(m) end)
  end
  assert(reports_of('{ x = "both" }')[1].code == "HG2002" and reports_of('"low"')[1].code == "HG2002")
  assert(#reports_of('{ x = "both", y = "both" }') == 0 and #reports_of('{ z = "both" }') == 0)
end

-- Shared points of which nobody can say what they should agree with; on faces across one axis each, and as single fields,
-- they can.
local function test_vague_sharing()
  local function code_of(grid, u, v, vector)
    local m = specs.model(([[
local grid = %s
local u = field "u" { on = grid, type = "double", at = %s }
local v = field "v" { on = grid, type = "double", at = %s }
%s
return spec "test" { exchange "e" { u, v, only = "shared" } }]]):format(grid, u, v, vector or ""))
    local reports = grids.diagnostics(function() plan.build(m) end)
    return reports[1] and reports[1].code
  end
  local sphere, wind = 'cubed_sphere { axes = "xy" }', 'local w = vector "w" { u, v }'
  assert(code_of(sphere, '"both"', '"both"', wind) == "HG2006")
  assert(not code_of(sphere, '"both"', '"both"') and not code_of(sphere, '{ x = "both" }', '{ y = "both" }', wind))
  local folded = [[tiles { axes = "xyz", names = { "a" },
    connect = { { "a", "+x", "a", "+x", along = { %s } } } }]]
  assert(code_of(folded:format('y = "z", z = "y"'), '"both"', '"both"') == "HG2007")
  assert(not code_of(folded:format('y = "-y", z = "-z"'), '"both"', '"both"'))
end

-- Minima are taken of vectors only where none of the sides that the exchange crosses changes a sign.
local function test_extremes_of_vectors()
  local function code_of(grid, rest, kind)
    local m = specs.model(([[
local grid = %s
local u, v = fields { "u", "v", on = grid, type = "double", halo = 1 }
local w = vector "w" { u, v%s }
return spec "test" { exchange "e" { u, v, op = "min"%s }, exchange "all" { u, v } }]]):format(grid, kind and (", kind = %q"):format(kind)
      or "", rest or ""))
    local reports = grids.diagnostics(function() plan.build(m) end)
    return reports[1] and reports[1].code
  end
  local sphere, folded = 'cubed_sphere { axes = "xy" }', 'fold { axes = "xy", side = "+y", pivot = "corner" }'
  local straight = 'tiles { axes = "xy", names = { "a", "b" }, connect = { { "a", "+x", "b", "-x" } } }'
  assert(code_of(sphere) == "HG2009" and code_of(folded) == "HG2009")
  assert(not code_of(sphere, nil, "unsigned") and not code_of(folded, nil, "unsigned"))
  assert(not code_of(folded, ", stencil = { { 1, 0 }, { -1, 0 } }") and code_of(folded, ", stencil = { { 0, 1 } }") == "HG2009")
  assert(not code_of(straight) and not code_of('cartesian { axes = "xy", periodic = "x" }'))
end

local function test_extremes_of_shared_vectors()
  local m = specs.model [[
local grid = fold { axes = "xy", side = "+y", pivot = "corner" }
local u = field "u" { on = grid, type = "double", at = { x = "both" } }
local v = field "v" { on = grid, type = "double", at = { y = "both" } }
local w = vector "w" { u, v }
return spec "test" { exchange "e" { u, v, only = "shared", op = "max" } }]]
  local reports = grids.diagnostics(function() plan.build(m) end)
  assert(#reports == 2 and reports[1].code == "HG2009" and reports[2].code == "HG2009", #reports)
end

-- Of a tile that meets itself the owner is at its low side.
local function test_words_of_sharing()
  local p = plan_of [[
local grid = tiles { axes = "x", names = { "ring" }, connect = { { "ring", "+x", "ring", "-x" } } }
local u = field "u" { on = grid, type = "double", at = "both" }
return spec "test" { exchange "e" { u, only = "shared", agree = "owner" } }]]
  assert(dump.model(p):find("\n  only        shared points, owner\n", 1, true))
  local said = dump.plan(p)
  assert(said:find("on its side below x, with tile 1 (x + m_x): tile 1 decides, here\n", 1, true)
    and said:find("on its side above x, with tile 1 (x - n_x): tile 1 decides, there\n", 1, true), said)
end

-- ---- mutation ---------------------------------------------------------------------------------------------------------

local SPHERE_OF_WINDS = [[
local grid = cubed_sphere { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, at = { y = "both" } }
local v = field "v" { on = grid, type = "double", halo = 1, at = { x = "both" } }
local wind = vector "wind" { u, v }
return spec "test" { exchange "e" { u, v } }]]

local SPHERE_OF_FACES = [[
local grid = cubed_sphere { axes = "xy" }
local q = field "q" { on = grid, type = "double", at = "both" }
local u = field "u" { on = grid, type = "double", at = { y = "both" } }
local v = field "v" { on = grid, type = "double", at = { x = "both" } }
local wind = vector "wind" { u, v }
return spec "test" { exchange "e" { q, u, v, only = "shared" }, exchange "m" { q, only = "shared", agree = "mean" } }]]

local SPHERE_OF_CORNERS = [[
local grid = cubed_sphere { axes = "xy" }
local p = field "p" { on = grid, type = "double", halo = 2 }
local u = field "u" { on = grid, type = "double", halo = 1, at = { y = "both" } }
local v = field "v" { on = grid, type = "double", halo = 1, at = { x = "both" } }
local c = field "c" { on = grid, type = "double", halo = 1, at = { x = "both" } }
local d = field "d" { on = grid, type = "double", halo = 1, at = { y = "both" } }
local wind, flow = vector "wind" { u, v }, vector "flow" { c, d }
return spec "test" { exchange "e" { p, u, v, c, d, corners = "x" } }]]

local TWO_BY_TWO = spec_text(2, name_list(4), { '{ "t1", "+x", "t2", "+y", along = { y = "x" } }', '{ "t1", "+y", "t3", "-y" }',
  '{ "t2", "+x", "t4", "-x" }', '{ "t3", "+x", "t4", "+y", along = { y = "x" } }' }, 1)

-- Links of the first two tiles: on the sphere the others are like these.
local MOST = 8
-- Corners of the first tile: of each kind one.
local MOST_CORNERS = 2

-- Two components of two specs cross 4 sides of these each without a turn: "the field itself" and "the component along this
-- axis" are the same.
local EQUIVALENT = 16

local function test_mutants()
  local mutants, survived = 0, 0
  for _, text in ipairs { SPHERE_OF_WINDS, SPHERE_OF_FACES, SPHERE_OF_CORNERS, TWO_BY_TWO } do
    local p = mutate.fresh(plan_of(text))
    mutate.each(p, function(what)
      local of_corners = what:find("corners", 1, true)
      if (text == SPHERE_OF_CORNERS) ~= (of_corners ~= nil) then return end -- the others are those of SPHERE_OF_WINDS
      if (tonumber(what:match("link (%d+)")) or 0) > (of_corners and MOST_CORNERS or MOST) then return end
      mutants = mutants + 1
      if #grids.diagnostics(function() prove.run(p) end) > 0 then return end
      assert(what:find("component: [12], was 0$"), "survives: " .. what)
      survived = survived + 1
    end)
  end
  assert(mutate.counts(survived, EQUIVALENT), survived)
  print(("%d mutants of connected tiles, %d equivalent, all others refused"):format(mutants, survived))
end

-- A strip that mirrors who goes once around it, and a side that is folded onto itself.
local function test_mirrors()
  local p = plan_of [[
    local grid = tiles {
      axes = "xy", names = { "strip" },
      connect = { { "strip", "+x", "strip", "-x", along = { y = "-y" } }, { "strip", "+y", "strip", "+y", along = { x = "-x" } } },
    }
    local a, b, c, d = fields { "a", "b", "c", "d", on = grid, type = "double", halo = 1 }
    local spin, width = vector "spin" { a, b, kind = "pseudovector" }, vector "width" { c, d, kind = "unsigned" }
    return spec "test" { exchange "e" { a, b, c, d, stencil = "star" } }
  ]]
  local text = dump.model(p)
  assert(text:find("  connected   tile 1 +x, tile 1 -x: y along -y\n", 1, true), text)
  assert(text:find("  connected   tile 1 +y, tile 1 +y: x along -x\n", 1, true), text)
end

-- The joins but for those across one corner, there and back.
local function without_a_corner(joins)
  local left, tile, source = {}, nil, nil
  for _, join in ipairs(joins) do
    local corner = join.direction[1] ~= 0 and join.direction[2] ~= 0
    if corner and not tile then tile, source = join.tile, join.source end
    local gone = corner and (join.tile == tile and join.source == source or join.tile == source and join.source == tile)
    if not gone then left[#left + 1] = join end
  end
  return left
end

local function test_missing_corner()
  local front_end = require "grids.tiles"
  local p, was = plan_of(TWO_BY_TWO), front_end.joins
  front_end.joins = function(grid) return without_a_corner(was(grid)) end
  local reports = grids.diagnostics(function() prove.run(p) end)
  front_end.joins = was
  assert(reports[1].message:find("is joined to nothing (tile:position), but across its sides one comes to ", 1, true),
    reports[1].message)
end

-- Also joins across corners, which follow from the sides.
local function test_mutants_of_joins()
  local front_end = require "grids.tiles"
  local p = plan_of(TWO_BY_TWO)
  local joins, was = front_end.joins(p.model.grid), front_end.joins
  front_end.joins = function() return joins end
  mutate.each_join(joins, 2, 4, function(what)
    local reports = grids.diagnostics(function() prove.run(p) end)
    assert(#reports > 0, "survives: " .. what)
  end)
  front_end.joins = was
end

case("two tiles in all orientations", test_pairs)
case("boxes of tiles", test_boxes_of_tiles)
case("tiles around a corner", test_corners)
case("an inner corner", test_inner_corner)
case("cubed sphere", test_sphere)
case("scalars staggered along one axis", test_staggered_scalar)
case("vague sharing", test_vague_sharing)
case("minima of vectors", test_extremes_of_vectors)
case("maxima of shared vectors", test_extremes_of_shared_vectors)
-- Points of a field that lie otherwise along the two axes miss those beside the corner when they are turned about it.
local function test_corners_of_staggered_fields()
  local m = specs.model([[
local grid = cubed_sphere { axes = "xy" }
local u = field "u" { on = grid, type = "double", halo = 1, at = { x = "both" } }
return spec "test" { exchange "e" { u, corners = "x" } }]])
  local reports = grids.diagnostics(function() plan.build(m) end)
  assert(#reports == 2 and reports[2].code == "HG2008", #reports)
end

-- What the prover says about corners that are filled from elsewhere.
local function test_words_of_corners()
  local text = spec_text(2, name_list(3), { '{ "t1", "+x", "t2", "-x" }', '{ "t1", "+y", "t3", "-y" }',
    '{ "t2", "+y", "t3", "+x", along = { x = "y" } }' }, 1):gsub("{ h }", '{ h, corners = "x" }')
  local function expect(words, change)
    local p = mutate.fresh(plan_of(text))
    change(p.exchanges[1].corners[1].links)
    local report = grids.diagnostics(function() prove.run(p) end)[1]
    assert(report.code == "HG2023" and report.message:find('exchange "e", corners along x: field ' .. words, 1, true), report.message)
  end
  expect('"h", corner (1,1) of tile 1 with 1 cells, point (1, 1) along x and y comes from (2, 0)',
    function(links) links[1][1].map[1].offset = 1 end)
  expect('"h", corner (1,1) of tile 1 comes from component 0 with sign -1 of tile 1; it should be 0 with sign 1 of tile 1',
    function(links) links[1][1].sign = -1 end)
  expect('"h" has 4 links for corners, and should have 3', function(links)
    links[1][4] = setmetatable({ tile = 4 }, { __index = links[1][1] })
  end)
end

case("mutants", test_mutants)
case("corners of staggered fields", test_corners_of_staggered_fields)
case("words of corners", test_words_of_corners)
case("mirrors", test_mirrors)
case("words of sharing", test_words_of_sharing)
case("a missing corner", test_missing_corner)
case("mutants of joins", test_mutants_of_joins)
