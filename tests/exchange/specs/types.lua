-- Every integer and floating type of C, one field each, all of them in one message.
local grid = cartesian { axes = "xy", periodic = "x" }

local types = {
  "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "unsigned long",
  "long long", "unsigned long long", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t",
  "uint64_t", "intptr_t", "uintptr_t", "intmax_t", "uintmax_t", "size_t", "ptrdiff_t", "float", "double", "long double",
}

local all, few = {}, { stencil = "star", width = 1 }
for i, type in ipairs(types) do
  local halo = { x = { lo = i % 3, hi = 1 + i % 2 }, y = { lo = 1, hi = i % 2 } }
  all[i] = field("type_" .. i) { on = grid, type = type, halo = halo, order = i % 2 == 0 and "xy" or "yx" }
  if i % 6 == 5 then
    few[#few + 1] = all[i]
  end
end

return spec "types" {
  exchange "all" (all),
  exchange "some_star" (few),
}
