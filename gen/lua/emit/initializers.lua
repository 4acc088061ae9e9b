-- Lists as initializers of C.

local initializers = {}

function initializers.braces(list)
  return "{" .. table.concat(list, ", ") .. "}"
end

function initializers.braced(lists)
  local out = {}
  for i, list in ipairs(lists) do out[i] = initializers.braces(list) end
  return out
end

-- Axis numbers as C counts them.
function initializers.from_zero(list)
  local out = {}
  for i, value in ipairs(list) do out[i] = value - 1 end
  return out
end

return initializers
