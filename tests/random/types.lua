-- Types of points: how a spec spells them, what values of theirs the test makes (values.h), and what they can do.
--
--   spec     as in a spec; c: as in C, where it is spelled otherwise
--   struct   what the verb `struct` is told instead
--   adds     whether an exchange may add; negates: whether the type has opposites
--   orders   whether one of two values is the lesser; signed: whether an integer has a sign, in C

local types = {}

local function integer(spec)
  types[#types + 1] = { spec = spec, kind = "VALUE_INTEGER", adds = true, negates = true, orders = true,
    signed = ("(%s)-1 < (%s)1"):format(spec, spec) }
end

for _, spec in ipairs { "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long",
  "unsigned long", "long long", "unsigned long long", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t",
  "int64_t", "uint64_t", "intptr_t", "uintptr_t", "intmax_t", "uintmax_t", "size_t", "ptrdiff_t" } do
  integer(spec)
end

local function other(spec, kind, adds, negates, c)
  types[#types + 1] = { spec = spec, kind = kind, adds = adds, negates = negates, orders = adds and not spec:find("^complex"), c = c }
end

local complex = os.getenv "RANDOM_COMPLEX" ~= "0"

-- The common ones more often.
for _ = 1, 8 do
  other("double", "VALUE_DOUBLE", true, true)
  other("float", "VALUE_FLOAT", true, true)
end
for _ = 1, 3 do
  other("long double", "VALUE_LONG_DOUBLE", true, true)
  if complex then
    other("complex64", "VALUE_COMPLEX64", true, true, "hx_complex64")
    other("complex128", "VALUE_COMPLEX128", true, true, "hx_complex128")
  end
  other("bool", "VALUE_BOOL", false, false)
  other("half", "VALUE_HALF", true, false, "hx_half")
end

for _, struct in ipairs { { "random_cell", 24, 8 }, { "random_tag", 3, 1 }, { "random_block", 48, 16 } } do
  types[#types + 1] = { c = struct[1], kind = "VALUE_BYTES", adds = false, negates = false,
    struct = { name = struct[1], header = "random_types.h", size = struct[2], align = struct[3] } }
end

return types
