-- Lua tables as JSON, laid out to be read: what fits a line stands on one.
--
-- A table whose keys are 1 to n is a list, and so is an empty one; others are objects, with their names in order.  A value of
-- json.null is written as null.

local ordered = require "base.ordered"

local json = { null = {} }

local WIDTH = 100

local short = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r" }

-- Names of files may have bytes that are not UTF-8.  Each becomes U+FFFD, as in diagnostics, and in what libhx writes.
local function in_utf8(text)
  local out, at = {}, 1
  local count, bad = utf8.len(text)
  while not count do
    out[#out + 1] = text:sub(at, bad - 1) .. "\\ufffd"
    at = bad + 1
    count, bad = utf8.len(text, at)
  end
  return table.concat(out) .. text:sub(at)
end

local function quoted(text)
  local plain = text:gsub('[%c"\\]', function(c) return short[c] or ("\\u%04x"):format(c:byte()) end)
  return '"' .. in_utf8(plain) .. '"'
end

local function number(value)
  if math.type(value) == "integer" then return ("%d"):format(value) end
  if value ~= value or value == math.huge or value == -math.huge then error("JSON has no number " .. tostring(value)) end
  local text = ("%.15g"):format(value)
  return tonumber(text) == value and text or ("%.17g"):format(value)
end

local function scalar(value)
  if value == json.null then return "null" end
  if type(value) == "string" then return quoted(value) end
  if type(value) == "number" then return number(value) end
  if type(value) == "boolean" then return tostring(value) end
  if type(value) ~= "table" then error("JSON has no " .. type(value)) end
end

local function is_list(value)
  return #value > 0 or ordered.is_empty(value)
end

local write

-- The entries of a table as texts, and the brackets around them.
local function entries_of(value, indent)
  local out = {}
  if is_list(value) then
    for i, entry in ipairs(value) do out[i] = write(entry, indent) end
    return out, "[", "]"
  end
  for i, name in ipairs(ordered.names(value)) do out[i] = quoted(name) .. ": " .. write(value[name], indent) end
  return out, "{", "}"
end

function write(value, indent)
  local text = scalar(value)
  if text then return text end
  local inner = indent .. "  "
  local entries, open, close = entries_of(value, inner)
  local length, broken = #indent, false
  for _, entry in ipairs(entries) do
    length = length + #entry + 2
    broken = broken or entry:find("\n", 1, true)
  end
  if not broken and length <= WIDTH then return open .. table.concat(entries, ", ") .. close end
  return open .. "\n" .. inner .. table.concat(entries, ",\n" .. inner) .. "\n" .. indent .. close
end

function json.text(value)
  return write(value, "") .. "\n"
end

return json
