-- Three axes, elements of every width, odd and even halos: rows that begin at any place between two multiples of 16 bytes.
local grid = cartesian { axes = "xyz", fastest = "x", periodic = "xyz" }
local function on(type, halo) return { on = grid, type = type, halo = halo } end
local bytes, shorts, floats = field "bytes" (on("uint8_t", 1)), field "shorts" (on("int16_t", 2)), field "floats" (on("float", 3))
local odd, even = field "odd" (on("double", 3)), field "even" (on("double", 2))
local longs = field "longs" (on("int64_t", { x = { lo = 4, hi = 1 }, y = 1 }))

return spec "wide" {
  exchange "all" { bytes, shorts, floats, odd, even, longs },
  exchange "star" { bytes, even, odd, stencil = "star", width = 1 },
  exchange "back" { bytes, floats, odd, longs, op = "add" },
  exchange "least" { bytes, floats, odd, longs, op = "min" },
  exchange "most" { bytes, floats, odd, longs, op = "max" },
}
