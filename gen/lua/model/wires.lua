-- Formats in which the numbers of a field travel, where an exchange says so: shorter than in memory.
--
--   size      bytes of a number
--   type      of C, in a message
--   digits    binary digits that a number has, the one before the point included: rounding to nearest changes a number by
--             2^-digits of it at most, from `least` on and up to `most`
--   constant  of hx_wire, and its number

local memory = require "model.memory"

local wires = {}

wires.formats = {
  float = { size = 4, type = "float", digits = 24, least = "1.2e-38", most = "3.4e38", constant = "HX_WIRE_FLOAT", number = 1 },
  half = { size = 2, type = "uint16_t", digits = 11, least = "6.1e-5", most = "65504", constant = "HX_WIRE_HALF", number = 2 },
  bfloat16 = { size = 2, type = "uint16_t", digits = 8, least = "1.2e-38", most = "3.39e38", constant = "HX_WIRE_BFLOAT16", number = 3 },
}

-- The real numbers that the values of a type are made of, how many and of how many bytes; nil: no format carries the type.
local REALS = {
  float = { name = "float", count = 1, size = 4 }, double = { name = "double", count = 1, size = 8 },
  hx_complex64 = { name = "float", count = 2, size = 4 }, hx_complex128 = { name = "double", count = 2, size = 8 },
}

function wires.real(field)
  return REALS[field.type]
end

-- Real numbers in what emitted code takes for a point of a field.
function wires.in_a_point(field)
  return REALS[field.type].count * (memory.in_a_point(field) or 1)
end

-- Is a number of the field shorter in this format than in memory?
function wires.carries(field, wire)
  local real = REALS[field.type]
  return real ~= nil and wires.formats[wire].size < real.size
end

-- Bytes of one element of an item's field in a message.
function wires.size(item)
  local real = item.wire and REALS[item.field.type]
  return real and real.count * wires.formats[item.wire].size or item.field.ctype.size
end

return wires
