-- lua compare.lua HALOGEN SPECS NUMBERS FLAG MACHINE: times that `bench -w hx-shared -o NUMBERS` measured beside those that halogen
-- explain predicts with the machine file, and how many predictions are near enough.  FLAG: how far away the processors usually were
-- (cases.lua); what was measured while they were not is left out.
--
-- Ends with 1 where fewer than 9 of 10 are within 30 %.

local cases = require "cases"

local halogen, specs, numbers, flag, machine = table.unpack(arg)
local NEAR, SHARE = 0.30, 0.9

local function quoted(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- Whether the prediction is near enough.
local function compare(case)
  local found = cases.explain(halogen, specs, case, "--machine " .. quoted(machine))
  local predicted = found.exchange[1].predicted.microseconds
  local off = predicted / case.microseconds - 1
  local is_near = math.abs(off) <= NEAR
  print(("%-22s %12.2f %12.2f %+7.0f %%%s"):format(case.name, case.microseconds, predicted, 100 * off, is_near and "" or "  far"))
  return is_near
end

local near, compared, known = 0, 0, {}
print(("%-22s %12s %12s %9s"):format("n,h,F", "measured us", "predicted us", "off by"))
for _, case in ipairs(cases.read(numbers, flag)) do
  known[case.name] = true
  if case.usual then
    compared = compared + 1
    near = near + (compare(case) and 1 or 0)
  end
end
local all = 0
for _ in pairs(known) do all = all + 1 end
print(("\n%d of %d predictions are within %.0f %%."):format(near, compared, 100 * NEAR))
if compared < all then print(("%d cases were only measured while the processors were not as far away as usual."):format(all - compared)) end
os.exit(near >= SHARE * compared and 0 or 1)
