-- Random numbers: SplitMix64, so that a seed means the same on every machine and with every Lua 5.4.

local dice = {}

local function mix(x)
  x = (x ~ (x >> 30)) * 0xbf58476d1ce4e5b9
  x = (x ~ (x >> 27)) * 0x94d049bb133111eb
  return x ~ (x >> 31)
end

-- A die for a seed and a number; dice of different numbers are strangers.
function dice.new(seed, number)
  local state = mix(mix(seed) + number)
  local die = {}

  -- An integer, first … last.
  function die.range(first, last)
    state = state + 0x9e3779b97f4a7c15
    return first + (mix(state) >> 2) % (last - first + 1)
  end

  -- True `part` times in `whole`.
  function die.chance(part, whole)
    return die.range(1, whole) <= part
  end

  function die.pick(list)
    return list[die.range(1, #list)]
  end

  -- One of { { weight, value }, … }.
  function die.weighted(list)
    local sum = 0
    for _, entry in ipairs(list) do sum = sum + entry[1] end
    local at = die.range(1, sum)
    for _, entry in ipairs(list) do
      at = at - entry[1]
      if at <= 0 then return entry[2] end
    end
  end

  -- 1 … count in random order.
  function die.permutation(count)
    local list = {}
    for i = 1, count do table.insert(list, die.range(1, i), i) end
    return list
  end

  return die
end

return dice
