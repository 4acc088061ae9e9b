-- Formats in which the numbers of a field travel, where an exchange says so: shorter than in memory.
--
--   size      bytes of a number
--   type      of C, in a message
--   digits    binary digits that a number has, the one before the point included: rounding to nearest changes a number by
--             2^-digits of it at most, from `least` on and up to `most`
--   constant  of hx_wire, and its number
--   whole     true: for integers, which travel as they are or not at all; `most` is the greatest that fits, and -most the least
--
-- wires.names has them in the order of hx_wire.

local memory = require "model.memory"

local wires = {}

wires.formats = {
  float = { size = 4, type = "float", digits = 24, least = "1.2e-38", most = "3.4e38", constant = "HX_WIRE_FLOAT", number = 1 },
  half = { size = 2, type = "uint16_t", digits = 11, least = "6.1e-5", most = "65504", constant = "HX_WIRE_HALF", number = 2 },
  bfloat16 = { size = 2, type = "uint16_t", digits = 8, least = "1.2e-38", most = "3.39e38", constant = "HX_WIRE_BFLOAT16", number = 3 },
  int8 = { size = 1, type = "int8_t", whole = true, most = 127, constant = "HX_WIRE_INT8", number = 4 },
  int16 = { size = 2, type = "int16_t", whole = true, most = 32767, constant = "HX_WIRE_INT16", number = 5 },
  int32 = { size = 4, type = "int32_t", whole = true, most = 2147483647, constant = "HX_WIRE_INT32", number = 6 },
}

wires.names = { "float", "half", "bfloat16", "int8", "int16", "int32" }

-- The real numbers that the values of a type are made of, how many and of how many bytes.
local REALS = {
  float = { name = "float", count = 1, size = 4 }, double = { name = "double", count = 1, size = 8 },
  hx_complex64 = { name = "float", count = 2, size = 4 }, hx_complex128 = { name = "double", count = 2, size = 8 },
}

-- Of what numbers values are made: { name = in C, count =, size =, whole = true for integers, unsigned = of those without a sign };
-- nil: no format carries the type.
function wires.numbers(field)
  if field.ctype.kind ~= "integer" then return REALS[field.type] end
  return { name = field.type, count = 1, size = field.ctype.size, whole = true,
    unsigned = field.type:find("^u") ~= nil or field.type == "size_t" }
end

-- Numbers in what emitted code takes for a point of a field.
function wires.in_a_point(field)
  return wires.numbers(field).count * (memory.in_a_point(field) or 1)
end

-- Is a number of the field shorter in this format than in memory?
function wires.carries(field, wire)
  local number, format = wires.numbers(field), wires.formats[wire]
  return number ~= nil and number.whole == format.whole and format.size < number.size
end

-- Bytes of one element of an item's field in a message.
function wires.size(item)
  local number = item.wire and wires.numbers(item.field)
  return number and number.count * wires.formats[item.wire].size or item.field.ctype.size
end

return wires
