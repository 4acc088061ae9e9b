local function layers(order)
  if order % 2 == 1 then error("order " .. order .. " is odd") end
  return order // 2
end
local halo = layers(3)
