-- Lists as initializers of C.

local initializers = {}

function initializers.braces(list)
  return "{" .. table.concat(list, ", ") .. "}"
end

-- Axis numbers as C counts them.
function initializers.from_zero(list)
  local out = {}
  for i, value in ipairs(list) do out[i] = value - 1 end
  return out
end

return initializers
