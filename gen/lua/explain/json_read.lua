-- JSON as Lua tables: what a run wrote, or a user.  null becomes json.null; numbers are floats where they are written so.

local json = require "explain.json"

local json_read = {}

local DEEPEST = 64

local escapes = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local words = { ["true"] = true, ["false"] = false, null = json.null }

local function fail(text, at, what)
  local line = select(2, text:sub(1, at):gsub("\n", "")) + 1
  error({ sentence = ("line %d: %s"):format(line, what) }, 0)
end

local function skip(text, at)
  return text:find("[^ \n\r\t]", at) or #text + 1
end

-- A code point of \u, with the second half of a pair where it is the first.
local function code_point(text, at)
  local code = tonumber(text:match("^%x%x%x%x", at + 2) or fail(text, at, "\\u without four digits"), 16)
  local low = code >= 0xD800 and code < 0xDC00 and text:match("^\\u(%x%x%x%x)", at + 6)
  if not low then return utf8.char(code), at + 6 end
  return utf8.char(0x10000 + (code - 0xD800) * 0x400 + tonumber(low, 16) - 0xDC00), at + 12
end

local function string_at(text, at)
  local out, here = {}, at + 1
  while true do
    local stop = text:find('["\\%c]', here) or fail(text, at, "a string without its end")
    out[#out + 1] = text:sub(here, stop - 1)
    local mark = text:sub(stop, stop)
    if mark == '"' then return table.concat(out), stop + 1 end
    if mark ~= "\\" then fail(text, stop, "a control character in a string") end
    local letter = text:sub(stop + 1, stop + 1)
    if letter == "u" then
      out[#out + 1], here = code_point(text, stop)
    else
      out[#out + 1] = escapes[letter] or fail(text, stop, ("\\%s in a string"):format(letter))
      here = stop + 2
    end
  end
end

local value_at

-- What stands between brackets, with commas between; entry(at) reads one and returns where it ends.
local function entries(text, at, close, entry)
  local here = skip(text, at + 1)
  if text:sub(here, here) == close then return here + 1 end
  while true do
    here = skip(text, entry(here))
    local mark = text:sub(here, here)
    if mark == close then return here + 1 end
    if mark ~= "," then fail(text, here, ("'%s' where a comma or '%s' belongs"):format(mark, close)) end
    here = skip(text, here + 1)
  end
end

local function list_at(text, at, depth)
  local out = {}
  return out, entries(text, at, "]", function(here)
    local value, stop = value_at(text, here, depth)
    out[#out + 1] = value
    return stop
  end)
end

local function object_at(text, at, depth)
  local out = {}
  return out, entries(text, at, "}", function(here)
    if text:sub(here, here) ~= '"' then fail(text, here, "a name in quotes is missing") end
    local key, stop = string_at(text, here)
    stop = skip(text, stop)
    if text:sub(stop, stop) ~= ":" then fail(text, stop, ("no colon behind '%s'"):format(key)) end
    out[key], stop = value_at(text, skip(text, stop + 1), depth)
    return stop
  end)
end

local function number_at(text, at)
  local word = text:match("^-?%d+%.?%d*[eE]?[+-]?%d*", at)
  local number = word and tonumber(word)
  if not number or math.abs(number) == math.huge then
    local given = text:match("^[^%s,%]}]+", at) or text:sub(at, at)
    fail(text, at, given == "" and "it ends where a value belongs" or ("'%s' is no value"):format(given:sub(1, 20)))
  end
  return number, at + #word
end

function value_at(text, at, depth)
  if depth > DEEPEST then fail(text, at, "lists in lists without an end") end
  local mark = text:sub(at, at)
  if mark == "{" then return object_at(text, at, depth + 1) end
  if mark == "[" then return list_at(text, at, depth + 1) end
  if mark == '"' then return string_at(text, at) end
  local word = text:match("^%l+", at)
  if words[word] ~= nil then return words[word], at + #word end
  return number_at(text, at)
end

-- The value; nil and a sentence where the text is no JSON.
function json_read.parse(text)
  local ok, value = pcall(function()
    local found, stop = value_at(text, skip(text, 1), 0)
    stop = skip(text, stop)
    if stop <= #text then fail(text, stop, ("'%s' behind the end"):format(text:sub(stop, stop))) end
    return { found }
  end)
  if ok then return value[1] end
  if type(value) ~= "table" then error(value, 0) end
  return nil, value.sentence
end

return json_read
