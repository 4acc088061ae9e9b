-- What device code there is for the fields of a spec.

local case = require "case"
local cuda = require "emit.cuda"
local plan = require "plan.plan"
local specs = require "specs"

-- The kind of tiles that field u of these exchanges has, or nil.  Of the twist x meets z, and u turns its sign.
local function tile_of(exchanges)
  local view = cuda.view(plan.build(specs.model(([[
local grid = tiles { axes = "xyz", order = "xyz", names = { "t" }, connect = { { "t", "+y", "t", "-y", along = { x = "z", z = "-x" } } } }
local u, v, w = fields { "u", "v", "w", on = grid, type = "double", halo = { y = 8 }, memory = "cuda" }
local wind = vector "wind" { u, v, w }
return spec "test" { %s }
]]):format(exchanges))))
  local number = tonumber(view.fields[1].text:match("^{[^,]*, [^,]*, ([^,]*),"))
  local kind = view.kinds[number + 1]
  return kind and kind.name, number
end

local deep = 'exchange "deep" { u, v, w }'
local thin = 'exchange "thin" { u, v, w, width = { y = 2 } }'
local back = 'exchange "back" { u, v, w, op = "add" }'

case("what is moved deep enough is turned in tiles, which know signs where values change theirs", function()
  assert(tile_of(deep) == "tile_real_8" and tile_of(thin) == nil)
end)

case("sums turn nothing in tiles", function()
  assert(tile_of(back) == nil and tile_of(back .. ", " .. thin) == nil)
end)

case("a field has one kind of tiles for all exchanges", function()
  assert(tile_of(back .. ", " .. deep) == "tile_real_8" and tile_of(deep .. ", " .. thin) == "tile_real_8")
end)
