-- The types of field elements that every spec can name; structs.lua has those that a spec describes.
--
-- Sizes and alignments are those of LP64 machines (Linux on x86-64, AArch64, …).  They decide only in which order
-- the fields of an exchange lie in a message, widest first; emitted code uses sizeof.

local ctypes = {}

-- name in specs, size, kind, header that declares it, and, where they differ: alignment, name in C
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
  { "bool", 1, "bool", "stdbool.h" },
  { "half", 2, "half", "hx/hx.h", 2, "hx_half" },
  { "complex64", 8, "complex", "hx/hx.h", 4, "hx_complex64" },
  { "complex128", 16, "complex", "hx/hx.h", 8, "hx_complex128" },
}

-- Second names of types, as good as the first.
local also = { ["float complex"] = "complex64", ["double complex"] = "complex128" }
ctypes.second_names = { "float complex", "double complex" }

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
  ["real(4)"] = "float",
  ["real(8)"] = "double",
  ["real*4"] = "float",
  ["real*8"] = "double",
  ["real(real32)"] = "float",
  ["real(real64)"] = "double",
  ["real(c_float)"] = "float",
  ["real(c_double)"] = "double",
  ["integer(4)"] = "int32_t",
  ["integer(8)"] = "int64_t",
  ["complex(4)"] = "complex64",
  ["complex(8)"] = "complex128",
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
  ["_Bool"] = "bool",
  ["hx_half"] = "half",
  ["_Float16"] = "half",
  ["float16"] = "half",
  ["complex"] = "complex64",
  ["float _Complex"] = "complex64",
  ["double _Complex"] = "complex128",
  ["hx_complex64"] = "complex64",
  ["hx_complex128"] = "complex128",
}

ctypes.names = {}

local by_name, by_c_name = {}, {}
for i, row in ipairs(rows) do
  local name, size, kind, header, alignment, c_name = table.unpack(row, 1, 6)
  ctypes.names[i] = name
  by_name[name] = { name = c_name or name, said = name, size = size, alignment = alignment or size, kind = kind,
    header = header }
  by_c_name[c_name or name] = true
end

-- { name = in C, said = in specs, size =, alignment =, kind = "integer", "float", "complex", "bool" or "half", header =
-- nil or the header that declares it }, or nil.  Points of kinds bool, half and struct are copied and never computed with.
function ctypes.find(name)
  return by_name[also[name] or name]
end

-- Is this the name of one of these types in C?
function ctypes.is_c_name(name)
  return by_c_name[name] == true
end

-- The type of a field as the spec says it.
function ctypes.title(field)
  return field.ctype.said or field.type
end

-- Whether values of a type have a mean.
function ctypes.has_mean(ctype)
  return ctype.kind == "float" or ctype.kind == "complex"
end

-- Whether values of a type can be added; half only where the compiler computes with it, which emitted code asserts.
function ctypes.can_add(ctype)
  return ctypes.can_negate(ctype) or ctype.kind == "half"
end

-- Whether of two values of a type one is the lesser; half as above.
function ctypes.has_order(ctype)
  return ctype.kind == "integer" or ctype.kind == "float" or ctype.kind == "bool" or ctype.kind == "half"
end

-- Whether values of a type have an opposite; others are only copied.
function ctypes.can_negate(ctype)
  return ctype.kind == "integer" or ctype.kind == "float" or ctype.kind == "complex"
end

return ctypes
