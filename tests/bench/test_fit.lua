-- lua test_fit.lua HALOGEN SPECS WORK: from times that a machine would have, fit_machine.lua finds a machine with the same times, and
-- compare.lua says so; times that are twice as long it calls far.

local cases = require "cases"

local halogen, specs, work = table.unpack(arg)
local here = arg[0]:match "^(.*)/"
local failures = 0

local MACHINE = [[
halogen-machine 1
exchange latency_us=0.5
self latency_us=0.02 run_ns=2 gigabytes_per_second=8
shared latency_us=0.7 run_ns=3 gigabytes_per_second=4
]]

local function write(name, text)
  local file = assert(io.open(work .. "/" .. name, "w"))
  file:write(text)
  file:close()
  return work .. "/" .. name
end

-- Lines as bench writes them, without times.
local function lines_of(sizes)
  local out = {}
  for _, kind in ipairs { "1,1", "2,4" } do
    for _, n in ipairs(sizes) do
      for _, split in ipairs { "2x1x1", "1x1x2", "1x1x1" } do
        out[#out + 1] = ("n=%d kind=%s split=%s variant=hx-shared flag_ns=100"):format(n, kind, split)
      end
    end
  end
  return out
end

-- The same with the times of the machine, times `factor`.
local function measured(name, sizes, machine, factor)
  local lines = lines_of(sizes)
  for i, line in ipairs(lines) do
    local file = write("line", line .. " microseconds=1\n")
    local told = cases.explain(halogen, specs, cases.read(file, 100)[1], "--machine " .. machine)
    lines[i] = ("%s microseconds=%.4f\n"):format(line, factor * told.exchange[1].predicted.microseconds)
  end
  return write(name, table.concat(lines))
end

local function run(script, ...)
  local command = { "'" .. (arg[-1] or "lua") .. "'", here .. "/" .. script, halogen, specs, ... }
  return os.execute(table.concat(command, " ") .. " >" .. work .. "/printed") or false
end

local function check(right, words)
  if right then return end
  failures = failures + 1
  print("FAIL " .. words)
  for line in io.lines(work .. "/printed") do print("  " .. line) end
end

local machine, fitted = write("given.machine", MACHINE), work .. "/fitted.machine"
check(run("fit_machine.lua", measured("machine.txt", { 6, 12, 30, 80 }, machine, 1), "100", fitted, "'made up'"), "fit_machine.lua ends")
local others = measured("cases.txt", { 9, 40 }, machine, 1)
check(run("compare.lua", others, "100", fitted), "the machine that was found has the times of the one that was given")
check(not run("compare.lua", measured("slow.txt", { 9 }, machine, 2), "100", fitted), "times twice as long are far")
-- What was measured with processors elsewhere says nothing of the usual ones.
local disturbed = io.open(others):read("a"):gsub("flag_ns=100 microseconds=", "flag_ns=400 microseconds=9")
check(run("compare.lua", write("both.txt", io.open(others):read("a") .. disturbed), "100", fitted), "measurements elsewhere are left out")
os.exit(failures == 0)
