-- Lines that bench writes with -o, and what halogen explain is asked to tell the same case.

local cases = {}

local SPECS = {
  ["1,1"] = "bench_h1f1", ["3,1"] = "bench_h3f1", ["2,4"] = "bench_h2f4", ["3,8"] = "bench_h3f8",
  ["1,1,float"] = "bench_h1f1_float", ["3,8,float"] = "bench_h3f8_float", ["3,1,width1"] = "bench_h3f1_width1",
  ["mixed"] = "bench_mixed", ["1,1,blocks"] = "bench_h1f1", ["3,8,blocks"] = "bench_h3f8", ["3,8,together"] = "bench_h3c8",
  ["2,4,together"] = "bench_h2c4",
}

-- Blocks along each axis: one a rank, or four, which lie across the axes that the ranks do not divide.
local function parts_of(case)
  local parts = {}
  for n in case.split:gmatch("%d+") do parts[#parts + 1] = math.tointeger(n) end
  for a, n in ipairs(parts) do
    if case.kind:find("blocks") and n == 1 then parts[a] = 2 end
  end
  return parts
end

-- { n =, kind =, split =, variant =, microseconds =, flag_ns =, name =, spec =, options = of halogen explain }.
local function case_of(line)
  local case = {}
  for key, value in line:gmatch("([%w_]+)=(%S+)") do case[key] = value end
  local parts, cells = parts_of(case), {}
  for a, n in ipairs(parts) do cells[a] = n * math.tointeger(case.n) end
  case.microseconds, case.flag_ns = tonumber(case.microseconds), tonumber(case.flag_ns)
  case.name = ("%s,%s %s"):format(case.n, case.kind, case.split)
  case.spec = SPECS[case.kind]
  case.options = ("--ranks %d --cells %s --parts %s"):format(case.split == "1x1x1" and 1 or 2, table.concat(cells, ","),
    table.concat(parts, ","))
  return case
end

-- Of an even number the lower one of the two: what disturbs a measurement makes it longer.
local function median(list)
  table.sort(list)
  return list[(#list + 1) // 2]
end

-- A host moves the processors of a virtual machine now and then.  Two that share a core are several times as near as others: then
-- messages take another time, and all else about the same.  `flag_ns` tells how far away they were.
local AS_NEAR = 1.5

-- How far away the processors were most of the time, in nanoseconds.
function cases.usual_flag(...)
  local flags = {}
  for _, file in ipairs { ... } do
    for line in assert(io.open(file)):lines() do flags[#flags + 1] = tonumber(line:match("flag_ns=(%S+)")) end
  end
  return median(flags)
end

-- Of a file of bench, to which it may have written several times: each case with the median of its times, once for those that were
-- measured while processors were about as far away as `flag`, and once for others, which are not `usual`.
function cases.read(file, flag)
  local out, times = {}, {}
  for line in assert(io.open(file)):lines() do
    local case = case_of(line)
    local far = case.flag_ns / flag
    case.usual = far <= AS_NEAR and far >= 1 / AS_NEAR
    local key = case.name .. tostring(case.usual)
    if not times[key] then out[#out + 1], times[key] = case, {} end
    table.insert(times[key], case.microseconds)
  end
  for _, case in ipairs(out) do case.microseconds = median(times[case.name .. tostring(case.usual)]) end
  return out
end

-- What halogen explain tells of it, as a table.  Blocks go to ranks in the order of their numbers: so that each rank has those of its
-- side, whichever axis the ranks divide, they are numbered along the first axis first where the last one is divided.
function cases.explain(halogen, specs, case, more)
  local numbered = case.split == "1x1x2" and "blocks = \"first-fastest\", " or ""
  local command = ("sed 's/cartesian { /&%s/' '%s/%s.lua' | '%s' explain - --format json %s %s"):format(numbered, specs, case.spec,
    halogen, case.options, more or "")
  local pipe = assert(io.popen(command))
  local text = pipe:read("a")
  if not pipe:close() then error("this did not work: " .. command, 0) end
  return assert(require("explain.json_read").parse(text))
end

return cases
