-- The template engine.
--
-- A template is a file in the target language with two additions:
--   * a line whose first character is % is Lua;
--   * $(expression) stands for the value of a Lua expression, anywhere in any other line.
-- Every template line becomes exactly one line of a Lua chunk named after the template, so Lua's own messages
-- carry `template:line`.  A value that is nil is an error, not an empty string; later lines of a value with
-- several lines are indented to where the value stands.

local template = {}

-- The pieces of a text line, as Lua source: quoted literals and bracketed expressions.
local function pieces(line, where)
  local out, at = {}, 1
  while true do
    local open = line:find("$(", at, true)
    if not open then break end
    local stop = select(2, line:find("^%b()", open + 1))
    if not stop then
      error(("%s: $( without its )"):format(where), 0)
    end
    if open > at then
      out[#out + 1] = ("%q"):format(line:sub(at, open - 1))
    end
    out[#out + 1] = line:sub(open + 1, stop)
    at = stop + 1
  end
  if at <= #line then
    out[#out + 1] = ("%q"):format(line:sub(at))
  end
  return out
end

-- Lua source with as many lines as the template.
local function translate(text, chunkname)
  local out, number = {}, 0
  for line in (text:gsub("\n?$", "\n", 1)):gmatch("(.-)\n") do
    number = number + 1
    if line:sub(1, 1) == "%" then
      out[number] = line:sub(2)
    else
      local list = pieces(line, ("%s:%d"):format(chunkname:sub(2), number))
      out[number] = ("put(%d, %s)"):format(#list, #list > 0 and table.concat(list, ", ") or "nil")
    end
  end
  return table.concat(out, "\n") .. "\n"
end

-- Returns `put`, which appends one line made of `count` pieces, and the list that it appends to.
local function collector()
  local lines = {}
  local function put(count, ...)
    local line = ""
    for i = 1, count do
      local piece = select(i, ...)
      if piece == nil then
        error(("piece %d of this line is nil"):format(i), 2)
      end
      local margin = line:match("[^\n]*$"):gsub("%S", " ")
      line = line .. tostring(piece):gsub("\n", "\n" .. margin)
    end
    lines[#lines + 1] = line
  end
  return put, lines
end

-- The text that the template `name` gives for a view: a table whose entries the template sees as variables.
function template.render(name, view)
  local text, chunkname = host.template(name)
  if not text then
    error(chunkname, 0)
  end
  local put, lines = collector()
  local env = setmetatable({ put = put }, {
    __index = function(_, key)
      local value = view[key]
      if value == nil then value = _G[key] end
      return value
    end,
  })
  local render, message = host.compile(translate(text, chunkname), chunkname, env)
  if not render then
    error(message, 0)
  end
  render()
  return table.concat(lines, "\n") .. "\n"
end

return template
