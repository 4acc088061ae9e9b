-- The template engine.
--
-- A template is a file in the target language with two additions:
--   * a line whose first character is % is Lua;
--   * $(expression) stands for the value of a Lua expression, anywhere in any other line.
-- Every template line becomes exactly one line of a Lua chunk named after the template, so Lua's own messages
-- carry `template:line`.  A value that is nil is an error, not an empty string; later lines of a value with
-- several lines are indented to where the value stands.
--
-- `% include "source/api.c.tmpl"` puts another template in place of the line.  It sees the view and the globals of the one that
-- includes it, and may set globals for it, but not its locals: these are given, as in include("box.c.tmpl", { family = family }),
-- and then globals that are set are the included template's own.

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

-- The Lua source of a template and the name of its chunk; level: whose fault it is if there is none, as error() has it.
local function source_of(name, level)
  local text, chunkname = host.template(name)
  if not text then
    error(chunkname, level > 0 and level + 1 or 0)
  end
  return translate(text, chunkname), chunkname
end

-- A function that runs a template in a table of variables.
local function runner(put)
  local sources, running = {}, {}
  local run

  -- What a template sees: its own globals, `put` and `include`, and what lies behind.
  local function environment(own, behind)
    own.put = put
    function own.include(name, with)
      run(name, with and environment(with, own) or own, 3)
    end
    return setmetatable(own, { __index = behind })
  end

  function run(name, env, level)
    if running[name] then
      error(("'%s' includes itself"):format(name), level)
    end
    if not sources[name] then
      sources[name] = table.pack(source_of(name, level))
    end
    local render, message = host.compile(sources[name][1], sources[name][2], env)
    if not render then
      error(message, 0)
    end
    running[name] = true
    render()
    running[name] = false
  end
  return run, environment
end

-- The text that the template `name` gives for a view: a table whose entries the template sees as variables.
function template.render(name, view)
  local put, lines = collector()
  local run, environment = runner(put)
  run(name, environment({}, function(_, key)
    local value = view[key]
    if value == nil then value = _G[key] end
    return value
  end), 0)
  return table.concat(lines, "\n") .. "\n"
end

-- A template as it is written, and all that it includes.
function template.text(name)
  local texts, seen = {}, {}
  local function add(part)
    if seen[part] then return end
    seen[part] = true
    local text, message = host.template(part)
    texts[#texts + 1] = text or error(message, 0)
    for included in ("\n" .. text):gmatch('\n%% *include *%(?"([^"]+)"') do add(included) end
  end
  add(name)
  return table.concat(texts, "\n")
end

return template
