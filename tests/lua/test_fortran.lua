-- What emitted Fortran says of arrays: bounds where there are halos, padding, faces, components, and axes of a fixed length.

local case = require "case"
local emit = require "emit.emit"
local plan = require "plan.plan"
local specs = require "specs"

-- The bounds of the field f of a spec.
local function bounds(grid, field)
  local model = specs.model(([[
local grid = %s
local f = field "f" { on = grid, type = "double", %s }
return spec "test" { exchange "e" { f, stencil = "star" } }
]]):format(grid, field))
  return emit.view(plan.build(model)).fortran.fields[1].bounds
end

case("arrays have the bounds that a program allocates", function()
  local box, column = 'cartesian { axes = "xyz" }', 'cartesian { axes = "xyz", decomposed = "xy", cells = { z = 20 }, order = "zxy" }'
  for _, entry in ipairs {
    { box, "halo = 2", "-1:nx+2, -1:ny+2, -1:nz+2" },
    { box, "halo = { x = { lo = 3 } }", "-2:nx, ny, nz" },
    { box, 'halo = { x = 1 }, at = { x = "both", y = "both" }', "0:nx+2, ny+1, nz" },
    { box, "halo = 1, padding = { x = 3 }", "0:nx+4, 0:ny+1, 0:nz+1" },
    { box, "halo = 1, components = 5", "5, 0:nx+1, 0:ny+1, 0:nz+1" },
    { box, 'halo = 1, components = { 5, "outermost" }', "0:nx+1, 0:ny+1, 0:nz+1, 5" },
    { box, 'halo = 1, halo_at = "behind"', ":" },
    { column, 'halo = { x = 1, y = 1 }, at = { z = "both" }', "21, 0:nx+1, 0:ny+1" },
  } do
    local found = bounds(entry[1], entry[2])
    assert(found == entry[3], ("%s: %s, not %s"):format(entry[2], found, entry[3]))
  end
end)
