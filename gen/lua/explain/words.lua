-- Sentences and numbers as people read them.

local words = {}

function words.plural(count, word)
  return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end

-- "x", "x and y", "x, y and z"
function words.enumerate(list)
  if #list < 2 then return list[1] or "" end
  return table.concat(list, ", ", 1, #list - 1) .. " and " .. list[#list]
end

-- "96 x 96 x 48"
function words.product(list)
  return table.concat(list, " x ")
end

local UNITS = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" }

-- Exact up to four digits, then with four significant ones.
function words.bytes(bytes)
  if bytes < 10000 then return ("%d B"):format(bytes) end
  local value, unit = bytes, 0
  repeat
    value, unit = value / 1024, unit + 1
  until value < 1024 or unit == #UNITS
  return (value < 10 and "%.3f %s" or value < 100 and "%.2f %s" or "%.1f %s"):format(value, UNITS[unit])
end

-- Microseconds with three significant digits, or more.
function words.time(microseconds)
  local value, unit = microseconds, "us"
  if value >= 999.5 then value, unit = value / 1000, "ms" end
  if value >= 999.5 then value, unit = value / 1000, "s" end
  return (value < 9.995 and "%.2f %s" or value < 99.95 and "%.1f %s" or "%.0f %s"):format(value, unit)
end

function words.percent(share)
  return ("%.1f %%"):format(100 * share)
end

-- What prove_link.lua, prove_fold.lua and prove.lua have shown of an exchange, and how.
function words.proof(tables, exchange, bound)
  local what = exchange.shared ~= "not" and "each shared point meets all that lie where it lies"
    or exchange.operation ~= "copy" and "each ghost point goes to exactly one owned point"
    or "each ghost point comes from exactly one owned point"
  local smallest, extents = tables.kind == "cartesian" and "1" or "the width", {}
  for a, most in ipairs(bound) do
    extents[a] = ("%s to %d %salong %s"):format(smallest, most, a == 1 and "cells " or "", tables.axis[a])
  end
  return ("proved for every extent: %s; tried with %s; longer blocks follow, since from the width on indices are affine in extents"):format(
    what, words.enumerate(extents))
end

return words
