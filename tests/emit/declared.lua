-- Which of the names on standard input, lines `KIND NAME`, could be the name of a KIND ("spec" or "field") all the same.
-- usage: declared.lua MODULES        where the generator's modules are

package.path = arg[1] .. "/?.lua"
local names = require "model.names"

local count, free = 0, {}
for line in io.lines() do
  local kind, name = line:match("^(%a+) (%S+)$")
  count = count + 1
  if not names.problem(kind, name) then free[#free + 1] = line end
end
for _, line in ipairs(free) do print("FAIL the headers declare it: " .. line) end
print(("%d passed, %d failed"):format(count - #free, #free))
os.exit(#free == 0 and count > 1000)
