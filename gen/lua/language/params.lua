-- Parameters of a spec: numbers and words that whoever generates may choose, by -D NAME=VALUE.
--
--   param "radius" { default = 2, type = "integer", min = 1, max = 8, text = "layers of each halo" }
--
-- gives the value: what -D says, else the default.  type is "integer", "number", "boolean" or "string"; where it is not given
-- that of the default.  min and max are for numbers, values for strings: a list of those that there are.
--
-- A parameter is { name =, type =, default =, min =, max =, values =, text =, value =, file =, line = }.  Like all that runs while a
-- spec runs this calls string.find(s, …), not s:find(…).

local nodes = require "language.nodes"
local ordered = require "base.ordered"
local report = require "base.report"
local verbs = require "language.verbs"

local params = {}

local description = verbs.param

-- What -D says, { [name] = text }, and the names in the order of the command line.
function params.given(list)
  local given = { names = {}, texts = {} }
  for _, text in ipairs(list or {}) do
    local name, value = string.match(text, "^([^=]*)=(.*)$")
    given.names[#given.names + 1], given.texts[name] = name, value
  end
  return given
end

-- What an integer or a number is as text: 2, 0.5.
local function number_text(value)
  return math.type(value) == "integer" and string.format("%d", value) or string.format("%.17g", value)
end

local function shown(value)
  if type(value) == "number" then return number_text(value) end
  return type(value) == "string" and report.quote(value) or tostring(value)
end
params.shown = shown

-- What values there are: `an integer, 1 to 8`.
function params.range(param)
  local text = nodes.article(param.type)
  if param.min and param.max then return ("%s, %s to %s"):format(text, shown(param.min), shown(param.max)) end
  if param.min then return ("%s, at least %s"):format(text, shown(param.min)) end
  if param.max then return ("%s, at most %s"):format(text, shown(param.max)) end
  if param.type == "boolean" then return "true or false" end
  if not param.values then return param.type == "string" and text .. ", at most 60 letters, digits, spaces and _ . + -" or text end
  local list = {}
  for i, value in ipairs(param.values) do list[i] = shown(value) end
  return ("%s, one of %s"):format(text, table.concat(list, ", "))
end

local function has_type(value, wanted)
  if wanted == "integer" then return math.type(value) == "integer" and value ~= math.mininteger end
  return type(value) == wanted and (wanted ~= "number" or value == value and math.abs(value) < math.huge)
end

local function is_in_range(param, value)
  if param.min and value < param.min or param.max and value > param.max then return false end
  if not param.values then return true end
  for _, allowed in ipairs(param.values) do
    if value == allowed then return true end
  end
  return false
end

-- Strings go into constants of C as they are.
local function is_plain(text)
  return string.find(text, "^[%w_.+ -]*$") ~= nil and #text <= 60
end

local function fail(name, message, help)
  nodes.fail("HG1012", string.format("parameter %s %s", report.quote(name), message), help or "write " .. description.example, name)
end

local function check_limits(param)
  local name, numeric = param.name, param.type == "integer" or param.type == "number"
  for _, key in ipairs { "min", "max" } do
    if param[key] ~= nil and not (numeric and has_type(param[key], param.type)) then
      fail(name, ("has %s = %s, and is %s"):format(key, nodes.describe(param[key]), nodes.article(param.type)))
    end
  end
  if param.values ~= nil and not (nodes.is_table(param.values) and param.type == "string") then
    fail(name, "has values, which is a list of strings, for a string")
  end
  for _, value in ipairs(param.values or {}) do
    if type(value) ~= "string" or not is_plain(value) then fail(name, "has a value that is no plain string: " .. nodes.describe(value)) end
  end
end

-- The parameter that a spec declares; ends the spec where it does so wrongly.
local function declared(name, entries)
  local param = { name = name }
  for _, key in ipairs((ordered.keys(entries))) do
    if not description.at[key] then
      fail(name, "has an unknown key " .. report.quote(tostring(key)), "keys: " .. table.concat(description.names, ", "))
    end
    param[key] = entries[key]
  end
  local default = param.default
  local kind = math.type(default) == "integer" and "integer" or type(default)
  if param.type == nil then param.type = kind end
  local known, types = false, description.at.type.list
  for _, word in ipairs(types) do known = known or param.type == word end
  if default == nil then fail(name, "has no default") end
  if not known then fail(name, "has no type of these: " .. table.concat(types, ", ")) end
  if not has_type(default, param.type) then
    fail(name, ("is %s, and its default is %s"):format(nodes.article(param.type), nodes.describe(default)))
  end
  if param.type == "number" then param.default = default + 0.0 end
  check_limits(param)
  if not is_in_range(param, default) or type(default) == "string" and not is_plain(default) then
    fail(name, ("cannot have its default %s: it is %s"):format(shown(default), params.range(param)))
  end
  if param.text ~= nil and (type(param.text) ~= "string" or not string.find(param.text, "^[%w %p]+$") or string.find(param.text, "*/", 1, true)
    or string.find(param.text, "/*", 1, true)) then
    fail(name, "has a text that is no line of plain characters")
  end
  return param
end

-- The value that a text of the command line stands for, or nil.
local function value_of(param, text)
  local value = text
  if param.type == "boolean" then
    value = nil
    if text == "true" then value = true elseif text == "false" then value = false end
  elseif param.type ~= "string" then
    local digits = string.find(text, "^[+-]?%d[%d.eE+-]*$") or string.find(text, "^[+-]?%.%d[%deE+-]*$")
    value = digits and tonumber((string.gsub(text, "^%+", ""))) or nil
    if param.type == "number" and value then value = value + 0.0 end
    if param.type == "integer" and math.type(value) ~= "integer" then value = nil end
  end
  if value == nil or not has_type(value, param.type) or type(value) == "string" and not is_plain(value) then return nil end
  if is_in_range(param, value) then return value end
end

-- The verb `param` of a run, which has params = {}, problems = {} and given; place() is the file and line that calls.
function params.verb(run, place)
  return function(name, extra)
    if type(name) ~= "string" or not string.find(name, "^%a[%w_]*$") or #name > 31 or string.find(name, "__", 1, true) or string.find(name, "_$") then
      nodes.fail("HG1012", "the name of a parameter is at most 31 letters, digits and single underscores between them, a letter first",
        "write " .. description.example, "param")
    end
    for _, other in ipairs(run.params) do
      if string.lower(other.name) == string.lower(name) then
        fail(name, "is declared twice", string.format("declare it once, and use its value; the first is on line %d", other.line))
      end
    end
    if extra ~= nil then fail(name, "takes its table without parentheses and comma") end
    return function(entries)
      if not nodes.is_table(entries) then fail(name, "has no table, but " .. nodes.describe(entries)) end
      local param = declared(name, entries)
      param.file, param.line = place()
      param.value = param.default
      local text = run.given.texts[name]
      if text then
        param.value = value_of(param, text)
        if param.value == nil then
          run.problems[#run.problems + 1] = { code = "HG1014", file = param.file, line = param.line, word = name,
            message = string.format("-D %s=%s: parameter %s cannot be %s", name, text, name, report.quote(text)),
            help = string.format("it is %s; the default is %s", params.range(param), shown(param.default)) }
          param.value = param.default
        end
      end
      run.params[#run.params + 1] = param
      return param.value
    end
  end
end

-- What -D says of parameters that the spec has not, or twice.
function params.strangers(run)
  local known, seen, list = {}, {}, {}
  for i, param in ipairs(run.params) do known[param.name], list[i] = true, param.name end
  local all = #list > 0 and "the spec has " .. table.concat(list, ", ") or 'the spec has none; one is made by ' .. description.example
  for _, name in ipairs(run.given.names) do
    local wrong = not known[name] and "the spec has no parameter " .. report.quote(name)
      or seen[name] and ("-D gives parameter %s twice"):format(report.quote(name))
    if wrong then
      local near = not known[name] and report.nearest(name, list)
      run.problems[#run.problems + 1] = { code = "HG1013", message = wrong,
        help = (near and "did you mean " .. near .. "? " or "") .. all, file = run.file }
    end
    seen[name] = true
  end
end

-- The list that `halogen params SPEC` prints.
function params.listed(list)
  local out = {}
  for _, param in ipairs(list) do
    out[#out + 1] = ("%s: %s; default %s%s%s\n"):format(param.name, params.range(param), shown(param.default),
      param.value ~= param.default and ", here " .. shown(param.value) or "", param.text and "; " .. param.text or "")
  end
  return #out > 0 and table.concat(out) or "the spec has no parameters\n"
end

-- As a constant of C: a number, 1 or 0, or a string.
function params.in_c(value)
  if type(value) == "boolean" then return value and "1" or "0" end
  if type(value) == "string" then return '"' .. value .. '"' end
  local text = number_text(value)
  if math.type(value) == "float" and not string.find(text, "[.e]") then text = text .. ".0" end
  return value < 0 and "(" .. text .. ")" or text
end

return params
