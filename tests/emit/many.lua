-- Many fields, of mixed types, halos and positions, in exchanges that copy, add and fill walls.
local grid = cartesian { axes = "xyz", periodic = "xz" }
local types = { "double", "float", "int", "short", "complex64", "int64_t", "unsigned char", "complex128" }
local ats = { "center", "low", "both", { x = "both" }, { y = "low", z = "high" } }
local all, lists = {}, { {}, {}, {}, {} }
for i = 1, 500 do
  local f = field("f" .. i) {
    on = grid, type = types[i % #types + 1], halo = { x = i % 3 + 1, y = 2, z = { lo = 1, hi = i % 2 + 1 } },
    at = ats[i % #ats + 1],
  }
  all[i] = f
  table.insert(lists[i % 4 + 1], f)
end
lists[3].op = "add"
lists[4].boundary = "mirror"
return spec "many" {
  exchange "everything" (all),
  exchange "one" (lists[1]),
  exchange "two" (lists[2]),
  exchange "three" (lists[3]),
  exchange "four" (lists[4]),
}
