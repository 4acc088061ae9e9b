-- Notes which lines of the generator's modules are reached, for ./dev test --coverage.
--
-- A hook per line makes the tests of mutants last minutes, and they reach the same lines again and again: where so many lines
-- in a row were known, none is noted until resume() is called.

local lines = {}

local enough = 200000

local of_file, of_function = {}, setmetatable({}, { __mode = "k" })
local known = 0

-- No methods of strings here: a spec that runs has others.
local function file_of(f)
  local name = string.match(debug.getinfo(f, "S").source, "gen/lua/[%w_/]+%.lua$") or ""
  of_file[name] = of_file[name] or {}
  return of_file[name]
end

local function note(_, line)
  local f = debug.getinfo(2, "f").func
  local reached = of_function[f] or file_of(f)
  of_function[f] = reached
  known = reached[line] and known + 1 or 0
  reached[line] = true
  if known > enough then debug.sethook() end
end

function lines.resume()
  known = 0
  debug.sethook(note, "l")
end

-- Appends "@gen/lua/main.lua 1 5 6" and so on to a file, one line per module.
function lines.write(path)
  debug.sethook()
  of_file[""] = nil
  local file = assert(io.open(path, "a"))
  for name, reached in pairs(of_file) do
    file:write("@", name)
    for line in pairs(reached) do file:write(" ", line) end
    file:write("\n")
  end
  file:close()
end

return lines
