-- Runs the tests of the Lua modules under a plain Lua interpreter, every test_*.lua beside this file:
--
--   lua5.4 tests/lua/run.lua [NAME …]        all, or test_NAME.lua …
--
-- A test file is a program that fails by an error.  It may name cases: `local case = require "case"` gives a function
-- case(name, f) that runs f, reports its error, and goes on.  Each file starts with freshly loaded modules.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
local modules = here .. "/../../gen/lua"
package.path = ("%s/?.lua;%s/?.lua;%s/../canary/override/lua/?.lua"):format(modules, here, here)

-- ./dev test --coverage wants to know which lines of modules are reached, in this file.
local lines_file = os.getenv "HALOGEN_LINES"
local lines = lines_file and require "lines"

-- Tests read files of the source tree from here.
source_root = here .. "/../.."

local passed, failed = 0, 0

local function try(name, f)
  if lines then lines.resume() end
  local fine, message = xpcall(f, debug.traceback)
  if fine then
    passed = passed + 1
  else
    failed = failed + 1
    print(("FAILED %s: %s"):format(name, message))
  end
  return fine
end

local standard = {}
for name in pairs(package.loaded) do standard[name] = true end

local function run_file(name)
  for loaded in pairs(package.loaded) do
    if not standard[loaded] then package.loaded[loaded] = nil end
  end
  local cases = 0
  package.preload.case = function()
    return function(title, f)
      cases = cases + 1
      try(("%s: %s"):format(name, title), f)
    end
  end
  local fine = try(name, assert(loadfile(("%s/%s.lua"):format(here, name))))
  if fine and cases > 0 then passed = passed - 1 end
end

local function all_tests()
  local names = {}
  local list = assert(io.popen(('ls "%s"'):format(here)))
  for file in list:lines() do
    names[#names + 1] = file:match("^(test_.*)%.lua$")
  end
  list:close()
  return names
end

local chosen = {}
for i, name in ipairs(arg) do chosen[i] = "test_" .. name end
for _, name in ipairs(#chosen > 0 and chosen or all_tests()) do run_file(name) end
print(("%d passed, %d failed"):format(passed, failed))
if lines then lines.write(lines_file) end
os.exit(failed == 0)
