-- Writes the specs of one program, and their tables for the oracle:
--
--   lua5.4 generate.lua SEED FIRST COUNT DIRECTORY
--
-- DIRECTORY/r21.lua, … for the numbers from FIRST on, and DIRECTORY/tables_21.c; with RANDOM_DEVICE in the environment for
-- fields in the memory of a device, and beside them DIRECTORY/devices_21.c and r21_device.c, ….  The same arguments, the
-- same bytes.

local here = arg[0]:match("^(.*)/[^/]*$") or "."
package.path = here .. "/?.lua"

local model = require "model"
local write = require "write"

local function save(path, text)
  local file = assert(io.open(path, "w"))
  assert(file:write(text))
  assert(file:close())
end

model.language.half_adds = os.getenv "RANDOM_HALF" ~= "0"
model.language.device = os.getenv "RANDOM_DEVICE" ~= nil

local seed, first, count = math.tointeger(arg[1]), math.tointeger(arg[2]), math.tointeger(arg[3])
local models = {}
for i = 1, count do
  models[i] = model.random(seed, first + i - 1)
  save(("%s/%s.lua"):format(arg[4], models[i].name), write.spec(models[i]))
end
save(("%s/tables_%d.c"):format(arg[4], first), write.tables(models))
if model.language.device then
  save(("%s/devices_%d.c"):format(arg[4], first), write.devices(models))
  for _, m in ipairs(models) do save(("%s/%s_device.c"):format(arg[4], m.name), write.device(m)) end
end
