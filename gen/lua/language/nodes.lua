-- What the verbs of a spec make: nodes, and the opaque handles by which a spec refers to them.
--
-- A node is { kind = "field", name =, call = { file =, line =, verb =, name =, ordinal = }, entries = its table or nil }.
-- Verbs only record: what the tables hold is looked at when the whole spec has run, so that every mistake is found in
-- one run.  A handle is an empty table that a spec can pass around and nothing else.

local report = require "base.report"

local nodes = {}

local node_of = setmetatable({}, { __mode = "k" })

-- Errors that the spec itself causes while it runs; spec.lua adds the place.  word: what to point at on the line; meant:
-- what that probably should be.
local Failure = {}

function nodes.fail(code, message, help, word, meant)
  error(setmetatable({ code = code, message = message, help = help, word = word, meant = meant }, Failure), 0)
end

function nodes.is_failure(value)
  return getmetatable(value) == Failure
end

-- `a field`, `an exchange`
function nodes.article(word)
  return (string.find(word, "^[aeiou]") and "an " or "a ") .. word
end

local function complete(handle, entries)
  local node = node_of[handle]
  if node.complete then
    local title = string.format("this %s has its table already", node.kind)
    if type(node.entries) ~= "table" then
      nodes.fail("HG1009", string.format("%s, %s", title, nodes.describe(node.entries)), "write all inside one table")
    end
    nodes.fail("HG1009", title, string.format("call %s again for another one", node.call.verb))
  end
  node.entries, node.complete = entries, true
  return handle
end

local metatables = {}

local function metatable(kind)
  local function closed(_, key)
    nodes.fail("HG1009", nodes.article(kind) .. " cannot be looked into or changed",
      "keep what you need more than once in a local variable", "." .. tostring(key))
  end
  metatables[kind] = metatables[kind]
    or { __name = kind, __metatable = false, __index = closed, __newindex = closed, __call = complete }
  return metatables[kind]
end

-- A handle for the node; a node without entries gets them when its handle is called.
function nodes.handle(node)
  node.complete = node.entries ~= nil
  local handle = setmetatable({}, metatable(node.kind))
  node_of[handle] = node
  return handle
end

-- The node behind a value, or nil.
function nodes.of(value)
  return type(value) == "table" and node_of[value] or nil
end

-- Is the value a table that the spec made?  Handles are none, and neither are libraries, in which nothing can be looked up.
function nodes.is_table(value)
  return type(value) == "table" and getmetatable(value) == nil
end

-- What a value is, for messages: `the string "2"`, `a table`, `a field`.
function nodes.describe(value)
  local node = nodes.of(value)
  if node then
    local kind = nodes.article(node.kind)
    return node.complete and kind or kind .. " without its table"
  elseif type(value) == "string" then
    return "the string " .. report.quote(value)
  elseif value ~= value then
    return "NaN"
  elseif type(value) == "number" then
    return "the number " .. tostring(value)
  elseif type(value) == "boolean" then
    return tostring(value)
  elseif value == nil then
    return "nothing"
  elseif type(value) == "table" and not nodes.is_table(value) then
    return "a library"
  end
  return nodes.article(type(value))
end

return nodes
