-- lua fit_machine.lua HALOGEN SPECS NUMBERS FLAG FILE WORDS: writes the machine file FILE from what `bench -m -w hx-shared -o NUMBERS`
-- measured.  FLAG: how far away the processors usually were (cases.lua).  With DETAILS in its environment it prints how well cases fit.
--
-- The model of gen/lua/explain/predict.lua is a sum of products: how often something is done, times what it costs.  How often, halogen
-- explain tells; the costs are those, none below 0, by which the sum of squares of relative differences is least.

local cases = require "cases"

local halogen, specs, numbers, flag, file, words = table.unpack(arg)

-- KiB of arrays, for which lines are written.  Between two of them a cost is interpolated.
local SIZES = { 16, 128, 1024, 4096, 16384, 65536 }

-- ---- how often ------------------------------------------------------------------------------------------------------------

-- Adds to `row` what a cost for a size counts, divided among the two sizes around it.
local function add_at(row, name, kib, count, where)
  local last = #SIZES
  if kib <= SIZES[1] then kib = SIZES[1] end
  if kib >= SIZES[last] then kib = SIZES[last] end
  local i = 1
  while i < last - 1 and kib > SIZES[i + 1] do i = i + 1 end
  local share = math.log(kib / SIZES[i]) / math.log(SIZES[i + 1] / SIZES[i])
  local low, high = name .. i .. (where or ""), name .. i + 1 .. (where or "")
  row[low], row[high] = (row[low] or 0) + count * (1 - share), (row[high] or 0) + count * share
end

local told = {} -- by name of the case

-- By name of a cost, how often a case has it.  Messages between processors that were not as far away as usual have costs of their own.
local function row_of(case)
  told[case.name] = told[case.name] or cases.explain(halogen, specs, case)
  local found, where = told[case.name], case.usual and "" or " elsewhere"
  local exchange, kib, row = found.exchange[1], found.rank.memory.bytes / 1024, { exchange = 1 }
  row.link = #exchange.link
  for _, link in ipairs(exchange.link) do
    local within = link.kind == "within"
    add_at(row, "run", kib, (within and 2 or 1) * link.runs)
    add_at(row, "byte", kib, link.bytes)
    if not within then add_at(row, "box", kib, math.min(link.runs, link.bytes / 64), where) end
  end
  for _, peer in ipairs(exchange.peer) do
    for _, message in ipairs(peer.receives) do
      row["latency" .. where] = (row["latency" .. where] or 0) + 1 -- there is one peer, so a message a phase
      add_at(row, "transfer", kib, message.bytes, where)
    end
  end
  return row
end

-- ---- costs ----------------------------------------------------------------------------------------------------------------

local function names_of(rows)
  local seen, names = {}, {}
  for _, row in ipairs(rows) do
    for name in pairs(row) do
      if not seen[name] then names[#names + 1] = name end
      seen[name] = true
    end
  end
  table.sort(names)
  return names
end

-- The best value of one cost where the others stay, and its change; left: for each row, what the costs do not explain.
local function improve(rows, name, cost, left)
  local upper, lower = 0.0, 0.0
  for r, row in ipairs(rows) do
    local x = row[name] or 0.0
    upper, lower = upper + x * left[r], lower + x * x
  end
  local better = lower > 0 and math.max(0.0, cost + upper / lower) or cost
  for r, row in ipairs(rows) do left[r] = left[r] - (row[name] or 0.0) * (better - cost) end
  return better
end

-- Least squares without negative costs, one cost after the other until nothing changes any more.
local NOTHING = 1e-7 -- microseconds

local function fit(rows, times)
  local scaled, left, costs = {}, {}, {}
  for r, row in ipairs(rows) do
    scaled[r], left[r] = {}, 1.0
    for name, count in pairs(row) do scaled[r][name] = count / times[r] end
  end
  local names = names_of(rows)
  for _ = 1, 5000 do
    for _, name in ipairs(names) do costs[name] = improve(scaled, name, costs[name] or 0.0, left) end
  end
  for _, name in ipairs(names) do costs[name] = costs[name] < NOTHING and 0.0 or costs[name] end
  return costs, left
end

-- ---- the file -------------------------------------------------------------------------------------------------------------

-- Gigabytes per second of microseconds for a byte; a byte that costs nothing moves fast.
local function rate(cost)
  return math.min(1000, 1e-3 / math.max(cost, 1e-6))
end

local function write(costs)
  local out = assert(io.open(file, "w"))
  out:write("halogen-machine 1\n# ", words, "\n")
  out:write(("exchange latency_us=%.4g\n"):format(costs.exchange))
  for i, kib in ipairs(SIZES) do
    out:write(("self kib=%d latency_us=%.4g run_ns=%.4g gigabytes_per_second=%.4g\n"):format(kib, costs.link, 1e3 * costs["run" .. i],
      rate(costs["byte" .. i])))
  end
  for i, kib in ipairs(SIZES) do
    out:write(("shared kib=%d latency_us=%.4g run_ns=%.4g gigabytes_per_second=%.4g\n"):format(kib, costs.latency, 1e3 * costs["box" .. i],
      rate(costs["transfer" .. i])))
  end
  out:close()
end

local measured, rows, times, strange = cases.read(numbers, flag), {}, {}, 0
for i, case in ipairs(measured) do
  rows[i], times[i] = row_of(case), case.microseconds
  strange = strange + (case.usual and 0 or 1)
end
local costs, left = fit(rows, times)
write(costs)
print(("%d times of cases; the other processor sees a flag after %.0f ns, but for %d of these times"):format(#measured, flag, strange))
if os.getenv "DETAILS" then
  for i, case in ipairs(measured) do
    print(("%-20s %10.2f us, off by %+.0f %%%s"):format(case.name, case.microseconds, -100 * left[i], case.usual and "" or ", elsewhere"))
  end
end
