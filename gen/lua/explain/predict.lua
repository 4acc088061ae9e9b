-- How long an exchange takes on a machine.  docs/explain.md says what is added up; templates/explain/model/predict.js does the same
-- on the page.
--
-- All times are microseconds.  An exchange is asked about as a list of messages, those of gen/explain/messages.h with a `path`
-- each, and `uplinks`, how many of those of the machine lie on its way; and `at`: { kib = of the rank's arrays, ranks_of_node = that share
-- its memory, on_device = whether the fields lie there, crossing = of each uplink, by phase, the most bytes that go one way }.

local predict = {}

predict.PARTS = { "latency", "pack", "send", "copy", "wait", "unpack" }

-- Which paths, and in which order messages ask for them.
local PATHS = { "shared", "network", "device" }

-- ---- costs ----------------------------------------------------------------------------------------------------------------

-- Of one line: nanoseconds for a byte, where so many ranks share the memory.
local function byte_ns(line, ranks)
  local shared = line.node_gigabytes_per_second and ranks / line.node_gigabytes_per_second or 0.0
  return math.max(1 / line.gigabytes_per_second, shared)
end

-- Two neighboring lines around a size, and how far it lies from the first to the second.
local function around(lines, kib)
  local last = #lines
  if last == 1 or kib <= lines[1].kib then return lines[1], lines[1], 0.0 end
  if kib >= lines[last].kib then return lines[last], lines[last], 0.0 end
  local i = 1
  while kib > lines[i + 1].kib do i = i + 1 end
  return lines[i], lines[i + 1], math.log(kib / lines[i].kib) / math.log(lines[i + 1].kib / lines[i].kib)
end

-- Of lines for several sizes: the cost(line) at a size.
local function cost_at(lines, kib, cost)
  local low, high, share = around(lines, kib)
  return cost(low) + share * (cost(high) - cost(low))
end

-- What a link, a run and a byte cost within the rank, in microseconds.
local function self_costs(machine, at)
  if at.on_device then return { link = 0.0, run = 0.0, byte = 1e-3 / machine.device.gigabytes_per_second } end
  return {
    link = cost_at(machine.self, at.kib, function(line) return line.latency_us end),
    run = 1e-3 * cost_at(machine.self, at.kib, function(line) return line.run_ns or 0.0 end),
    byte = 1e-3 * cost_at(machine.self, at.kib, function(line) return byte_ns(line, at.ranks_of_node) end),
  }
end

-- What a message, a run and a byte cost on a path to other ranks.
local function path_costs(lines, at)
  return {
    latency = cost_at(lines, at.kib, function(line) return line.latency_us end),
    run = 1e-3 * cost_at(lines, at.kib, function(line) return line.run_ns or 0.0 end),
    byte = 1e-3 * cost_at(lines, at.kib, function(line) return 1 / line.gigabytes_per_second end),
  }
end

-- Of all paths that the machine has.  From device to device the kernel that packs has moved the bytes.
local function costs_of(machine, at)
  local costs = { self = self_costs(machine, at) }
  if machine.shared then costs.shared = path_costs(machine.shared, at) end
  if machine.network then costs.network = path_costs({ machine.network }, at) end
  if machine.device then costs.device = { latency = machine.device.latency_us, run = 0.0, byte = 0.0 } end
  return costs
end

-- ---- a phase --------------------------------------------------------------------------------------------------------------

-- Links, runs and bytes of all messages of a kind, and by path how many messages and bytes.
local function sum_of(messages, phase, kind)
  local sum = { links = 0, runs = 0, bytes = 0, near_shared = 0, count = {}, bytes_by = {}, longest = {}, uplinks = 0 }
  for _, message in ipairs(messages) do
    if message.phase == phase and message.kind == kind then
      sum.links, sum.runs, sum.bytes = sum.links + message.links, sum.runs + message.runs, sum.bytes + message.bytes
      if message.path == "shared" then sum.near_shared = sum.near_shared + message.near end
      if message.path then
        sum.uplinks = math.max(sum.uplinks, message.uplinks or 0)
        sum.count[message.path] = (sum.count[message.path] or 0) + 1
        sum.bytes_by[message.path] = (sum.bytes_by[message.path] or 0) + message.bytes
        sum.longest[message.path] = math.max(sum.longest[message.path] or 0, message.bytes)
      end
    end
  end
  return sum
end

-- Of points that are packed, unpacked or copied; ends: of each link, how many lie in the rank.  A device takes one kernel for all.
local function touch(at, costs, sum, ends)
  if sum.links == 0 then return 0.0 end
  if at.on_device then return costs.device.latency + costs.self.byte * sum.bytes end
  return costs.self.link * sum.links + costs.self.run * ends * sum.runs + costs.self.byte * sum.bytes
end

local LINE = 64 -- bytes that come from another processor at once

-- The same of messages.  A box that ranks share has to come from the other processor, line by line where runs are short; a processor
-- foresees the lines of a long one.
local function touch_messages(at, costs, sum)
  return touch(at, costs, sum, 1) + (sum.near_shared > 0 and costs.shared.run * sum.near_shared / LINE or 0.0)
end

-- What a long message takes before its bytes travel: there its sender asks for room, and back comes the answer.
local ASKED = 2

-- By the network, through the uplinks of nodes and switches.  Ranks share these, and wait for each other, so the uplink with the most
-- bytes counts.
local function through_network(machine, at, costs, received, phase)
  local latency, longest = costs.network.latency, costs.network.byte * received.bytes_by.network
  for i = 1, received.uplinks do
    local line = machine.uplink[i]
    latency = latency + (line.latency_us or 0.0)
    longest = math.max(longest, 1e-3 * at.crossing[i][phase + 1] / line.gigabytes_per_second)
  end
  local eager_kib = machine.network.eager_kib
  local is_asked = eager_kib and received.longest.network > 1024 * eager_kib
  return (is_asked and 1 + ASKED or 1) * latency + longest
end

-- From the last send until everything has come.
local function transfer(machine, at, costs, received, phase)
  local longest = 0.0
  for _, path in ipairs(PATHS) do
    if received.count[path] then
      longest = math.max(longest, path == "network" and through_network(machine, at, costs, received, phase)
        or costs[path].latency + costs[path].byte * received.bytes_by[path])
    end
  end
  return longest
end

local function add_phase(machine, messages, at, costs, phase, out)
  local sent, received = sum_of(messages, phase, "sent"), sum_of(messages, phase, "received")
  local copy = touch(at, costs, sum_of(messages, phase, "within"), 2)
  out.pack = out.pack + touch_messages(at, costs, sent)
  out.send = out.send + (machine.network and machine.network.send_us or 0.0) * (sent.count.network or 0)
  out.copy = out.copy + copy
  out.wait = out.wait + math.max(0.0, transfer(machine, at, costs, received, phase) - copy)
  out.unpack = out.unpack + touch_messages(at, costs, received)
end

-- ---- an exchange ----------------------------------------------------------------------------------------------------------

-- The first path that messages take and the machine has no figures for; nil where it has all.
function predict.lacks(machine, messages, at)
  if at.on_device and not machine.device then return "device" end
  for _, message in ipairs(messages) do
    if message.path and not machine[message.path] then return message.path end
  end
end

-- { microseconds = of all, and each of predict.PARTS }.
function predict.exchange(machine, messages, at)
  local costs, phases = costs_of(machine, at), 0
  local out = { latency = machine.exchange and machine.exchange.latency_us or 0.0, pack = 0.0, send = 0.0, copy = 0.0, wait = 0.0, unpack = 0.0 }
  for _, message in ipairs(messages) do phases = math.max(phases, message.phase + 1) end
  for phase = 0, phases - 1 do add_phase(machine, messages, at, costs, phase, out) end
  out.microseconds = 0.0
  for _, part in ipairs(predict.PARTS) do out.microseconds = out.microseconds + out[part] end
  return out
end

return predict
