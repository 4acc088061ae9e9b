-- Points on faces in a box, for interior.c: the layers that exchanges read differ, so most exchanges have one field.
local grid = cartesian { axes = "xy", periodic = "x" }
local function on(at, halo) return { on = grid, type = "double", halo = halo, at = at } end
local q, r = field "q" (on("both", 2)), field "r" (on({ x = "both" }, { x = { lo = 0, hi = 3 }, y = { lo = 1, hi = 0 } }))
local l, h = field "l" (on("low", 1)), field "h" (on("high", 1))
return spec "faces" {
  exchange "both" { q, width = 1 },
  exchange "star" { q, stencil = "star" },
  exchange "unequal" { r },
  exchange "back" { q, op = "add" },
  exchange "back_unequal" { r, op = "add", ghosts = "keep" },
  exchange "least" { q, op = "min", width = { x = 1 } },
  exchange "mirror_both" { q, boundary = "mirror", width = 1 },
  exchange "mirror_low" { l, boundary = "mirror" },
  exchange "mirror_high" { h, boundary = { y = { hi = "antimirror" } } },
  exchange "agree" { q, only = "shared", agree = "sum" },
}
