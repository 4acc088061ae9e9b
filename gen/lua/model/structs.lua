-- The verb struct: a type of the user's own, which points of a field are made of.
--
-- Such a type is copied as bytes, so its name, header, size and alignment are all that emitted code needs to know.

local ordered = require "base.ordered"
local read = require "language.read"
local report = require "base.report"
local verbs = require "language.verbs"

local structs = {}

local function missing(node, key)
  local name = node.entries.name
  local title = type(name) == "string" and "struct " .. report.quote(name) or "a struct"
  read.missing(node, key, ("no %s is given for %s"):format(key, title), "write " .. verbs.struct.example)
end

local function text_of(node, key)
  if node.entries[key] == nil then return missing(node, key) end
  return read.typed(node, key, "write " .. verbs.struct.example)
end

local function number_of(node, key)
  if node.entries[key] == nil then return missing(node, key) end
  return read.typed(node, key)
end

-- Node to type; nil after reporting.
local function read_struct(node)
  if not read.entries(node, verbs.struct) then return nil end
  local said = {
    name = text_of(node, "name"), header = text_of(node, "header"), size = number_of(node, "size"),
    align = number_of(node, "align"),
  }
  if #ordered.keys(said) < #verbs.struct.keys then return nil end
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
