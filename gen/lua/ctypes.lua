-- The C types of field elements.
--
-- Sizes and alignments are those of LP64 machines (Linux on x86-64, AArch64, …).  They decide only in which order
-- the fields of an exchange lie in a message, widest first; emitted code uses sizeof.

local ctypes = {}

-- name, size (and alignment), kind, header that declares it
local rows = {
  { "char", 1, "integer" },
  { "signed char", 1, "integer" },
  { "unsigned char", 1, "integer" },
  { "short", 2, "integer" },
  { "unsigned short", 2, "integer" },
  { "int", 4, "integer" },
  { "unsigned int", 4, "integer" },
  { "long", 8, "integer" },
  { "unsigned long", 8, "integer" },
  { "long long", 8, "integer" },
  { "unsigned long long", 8, "integer" },
  { "int8_t", 1, "integer", "stdint.h" },
  { "uint8_t", 1, "integer", "stdint.h" },
  { "int16_t", 2, "integer", "stdint.h" },
  { "uint16_t", 2, "integer", "stdint.h" },
  { "int32_t", 4, "integer", "stdint.h" },
  { "uint32_t", 4, "integer", "stdint.h" },
  { "int64_t", 8, "integer", "stdint.h" },
  { "uint64_t", 8, "integer", "stdint.h" },
  { "intptr_t", 8, "integer", "stdint.h" },
  { "uintptr_t", 8, "integer", "stdint.h" },
  { "intmax_t", 8, "integer", "stdint.h" },
  { "uintmax_t", 8, "integer", "stdint.h" },
  { "size_t", 8, "integer", "stddef.h" },
  { "ptrdiff_t", 8, "integer", "stddef.h" },
  { "float", 4, "float" },
  { "double", 8, "float" },
  { "long double", 16, "float" },
}

-- Other spellings, and what to write.
ctypes.spelling = {
  ["unsigned"] = "unsigned int",
  ["signed"] = "int",
  ["signed int"] = "int",
  ["short int"] = "short",
  ["unsigned short int"] = "unsigned short",
  ["long int"] = "long",
  ["unsigned long int"] = "unsigned long",
  ["long long int"] = "long long",
  ["unsigned long long int"] = "unsigned long long",
  ["real"] = "float",
  ["real4"] = "float",
  ["real8"] = "double",
  ["float32"] = "float",
  ["float64"] = "double",
  ["double precision"] = "double",
  ["integer"] = "int",
  ["int8"] = "int8_t",
  ["int16"] = "int16_t",
  ["int32"] = "int32_t",
  ["int64"] = "int64_t",
  ["uint8"] = "uint8_t",
  ["uint16"] = "uint16_t",
  ["uint32"] = "uint32_t",
  ["uint64"] = "uint64_t",
}

local bool = '"uint8_t" and "signed char" have its size'
local half = '"uint16_t" has its size'
local complex = "make one field of the real parts and one of the imaginary parts"

-- Types that a later version is to have, and what to do without them.
ctypes.later = {
  ["bool"] = bool, ["_Bool"] = bool,
  ["half"] = half, ["hx_half"] = half, ["_Float16"] = half,
  ["float _Complex"] = complex, ["double _Complex"] = complex, ["complex"] = complex,
  ["hx_complex64"] = complex, ["hx_complex128"] = complex,
}

ctypes.names = {}

local by_name = {}
for i, row in ipairs(rows) do
  ctypes.names[i] = row[1]
  by_name[row[1]] = { name = row[1], size = row[2], alignment = row[2], kind = row[3], header = row[4] }
end

-- { name =, size =, alignment =, kind = "integer" or "float", header = nil or the header that declares it }, or nil.
function ctypes.find(name)
  return by_name[name]
end

return ctypes
