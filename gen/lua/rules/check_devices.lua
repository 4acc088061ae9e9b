-- Rules of fields in the memory of devices: what their code cannot do, or cannot do yet.  See check.lua.

local memory = require "model.memory"
local read = require "language.read"
local report = require "base.report"

local check_devices = {}

local quote = report.quote

-- The subject of a sentence about what a field's table says; fields made by one call share it, and get one report.
local function lies(field)
  return field.node.member and "these fields lie" or ("field %s lies"):format(quote(field.name))
end

-- The place that puts a field on a device, as a note.
local function there(field)
  return { { where = read.value(field.node, "memory"), message = "it lies there, as said here" } }
end

function check_devices.devices_know_the_types(m)
  for _, field in ipairs(m.fields) do
    if memory.on_device(field) and field.type == "long double" then
      report.error("HG1422", read.value(field.node, "type"), lies(field) .. " in the memory of a device, where there is no long double",
        'write type = "double", or leave the field in the memory of the host', there(field))
    end
  end
end

function check_devices.vectors_lie_in_one_memory(m)
  for _, vector in ipairs(m.vectors) do
    local first = vector.fields[1]
    for _, field in ipairs(vector.fields) do
      if memory.on_device(field) ~= memory.on_device(first) then
        local host, device = memory.on_device(first) and field or first, memory.on_device(first) and first or field
        report.error("HG1423", vector.where, ("vector %s has its component %s in the memory of the host, and %s in that of a device")
          :format(quote(vector.name), quote(host.name), quote(device.name)),
          "give them one memory: where the grid turns, points move between components", there(device))
        break
      end
    end
  end
end

return check_devices
