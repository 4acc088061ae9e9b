-- The verb struct: a type of the user's own, which points of a field are made of.
--
-- Such a type is copied as bytes, so its name, header, size and alignment are all that emitted code needs to know.

local ordered = require "base.ordered"
local read = require "language.read"
local report = require "base.report"

local structs = {}

local keys = { "name", "header", "size", "align" }

local function missing(node, key)
  local name = node.entries.name
  local title = type(name) == "string" and "struct " .. report.quote(name) or "a struct"
  read.missing(node, key, ("no %s is given for %s"):format(key, title), "write " .. read.examples.struct)
end

local function text_of(node, key)
  local value = node.entries[key]
  if type(value) == "string" then return value end
  if value == nil then return missing(node, key) end
  read.wrong_kind(node, { key }, "a string", value, "write " .. read.examples.struct)
end

local function number_of(node, key)
  local value = node.entries[key]
  if value == nil then return missing(node, key) end
  return read.integer(node, { key }, value)
end

-- Node to type; nil after reporting.
local function read_struct(node)
  if not read.has_table(node, read.examples.struct) then return nil end
  read.keys(node, keys, {})
  local said = {
    name = text_of(node, "name"), header = text_of(node, "header"), size = number_of(node, "size"),
    align = number_of(node, "align"),
  }
  if #ordered.keys(said) < #keys then return nil end
  return {
    name = said.name, kind = "struct", size = said.size, alignment = said.align, header = said.header, struct = said,
    where = read.value(node, "name"), node = node,
  }
end

-- The types that the spec describes, in the order of their nodes, and a table that leads from nodes to them.
function structs.read(list)
  local out, by_node = {}, {}
  for _, node in ipairs(list) do
    by_node[node] = read_struct(node)
    out[#out + 1] = by_node[node]
  end
  return out, by_node
end

return structs
