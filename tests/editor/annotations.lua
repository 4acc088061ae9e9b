-- Reads a file of annotations for the Lua language server as that server does, and says whether values fit their types.  It
-- knows nothing of halogen.

local annotations = {}

-- ---- types --------------------------------------------------------------------------------------------------------
--
-- A type is { kind = "name", name = }, { kind = "literal", text = }, { kind = "list", of = }, { kind = "map", key =, value = },
-- { kind = "union", types … } or { kind = "function", params = {types}, returned = }.

local tokens_of = { "^%s+", '^"[^"]*"', "^[%a_][%w_.]*", "^%[%]", "^%.%.%.", "^[|<>,:()]" }

local function tokenize(text)
  local tokens, at = {}, 1
  while at <= #text do
    local token
    for _, pattern in ipairs(tokens_of) do
      token = token or text:match(pattern, at)
    end
    if not token then error(("cannot read the type %s at %s"):format(text, text:sub(at))) end
    if not token:find("^%s") then tokens[#tokens + 1] = token end
    at = at + #token
  end
  return tokens
end

local parse_union

local function expect(tokens, wanted)
  local token = table.remove(tokens, 1)
  if token ~= wanted then error(("%s expected, not %s"):format(wanted, tostring(token))) end
end

local function parse_function(tokens)
  local params = {}
  expect(tokens, "(")
  while tokens[1] ~= ")" do
    table.remove(tokens, 1)
    expect(tokens, ":")
    params[#params + 1] = parse_union(tokens)
    if tokens[1] == "," then table.remove(tokens, 1) end
  end
  expect(tokens, ")")
  expect(tokens, ":")
  return { kind = "function", params = params, returned = parse_union(tokens) }
end

local function parse_one(tokens)
  local token = table.remove(tokens, 1) or error "a type is missing"
  local out
  if token:find '^"' then
    out = { kind = "literal", text = token:sub(2, -2) }
  elseif token == "table" then
    expect(tokens, "<")
    local key = parse_union(tokens)
    expect(tokens, ",")
    out = { kind = "map", key = key, value = parse_union(tokens) }
    expect(tokens, ">")
  elseif token == "fun" then
    out = parse_function(tokens)
  else
    out = { kind = "name", name = token }
  end
  while tokens[1] == "[]" do
    table.remove(tokens, 1)
    out = { kind = "list", of = out }
  end
  return out
end

function parse_union(tokens)
  local union = { kind = "union", parse_one(tokens) }
  while tokens[1] == "|" do
    table.remove(tokens, 1)
    union[#union + 1] = parse_one(tokens)
  end
  return #union == 1 and union[1] or union
end

-- The type that a text says, and whether `...` follows it.
local function parse_type(text)
  local tokens = tokenize(text)
  local out = parse_union(tokens)
  local many = tokens[1] == "..."
  if many then table.remove(tokens, 1) end
  if tokens[1] then error(("%s follows the type %s"):format(tokens[1], text)) end
  return out, many
end

-- ---- files --------------------------------------------------------------------------------------------------------

local function split_comment(text)
  local before, comment = text:match("^(.-)%s+#%s(.*)$")
  return before or text, comment
end

local function define(all, name, what)
  if all.names[name] then error(name .. " is defined twice") end
  all.names[name] = what
  return what
end

local read_tag = {
  meta = function() end,
  class = function(all, text)
    all.class = define(all, text, { kind = "class", name = text, fields = {}, order = {} })
  end,
  field = function(all, text)
    local rest, comment = split_comment(text)
    local index, optional, type_text = rest:match("^%[([%w]+)%](%??) (.*)$")
    local name = index and (math.tointeger(index) or index)
    if not name then name, optional, type_text = rest:match("^([%a_][%w_]*)(%??) (.*)$") end
    if not name or not comment then error("cannot read the field " .. text) end
    if all.class.fields[name] then error(("%s has the field %s twice"):format(all.class.name, name)) end
    all.class.fields[name] = { optional = optional == "?", type = parse_type(type_text), comment = comment }
    table.insert(all.class.order, name)
  end,
  alias = function(all, text)
    all.alias = define(all, text, { kind = "alias", name = text, words = {} })
  end,
  param = function(all, text)
    local name, type_text = text:match("^([%a_][%w_]*) (.*)$")
    table.insert(all.params, { name = name, type = parse_type(type_text) })
  end,
  ["return"] = function(all, text)
    all.returned, all.many = parse_type(text)
  end,
}

local function read_line(all, line)
  local tag, text = line:match("^%-%-%-@(%a+)%s*(.*)$")
  local word, name, args = line:match('^%-%-%-| "([^"]*)"'), line:match("^function ([%a_][%w_]*)(%b()) end$")
  if tag then
    if not read_tag[tag] then error("unknown tag " .. tag) end
    read_tag[tag](all, text)
  elseif word then
    table.insert(all.alias.words, word)
  elseif name then
    local names = {}
    for i, param in ipairs(all.params) do names[i] = param.name end
    if args ~= "(" .. table.concat(names, ", ") .. ")" then error(name .. ": parameters are not those of its comment") end
    if all.functions[name] then error(name .. " is declared twice") end
    all.functions[name] = { params = all.params, returned = all.returned, many = all.many, comment = all.comment }
    all.params, all.returned, all.many, all.comment = {}, nil, nil, nil
  elseif line:find "^%-%-%-" then
    all.comment = (all.comment or "") .. line:sub(4) .. "\n"
  elseif line == "" then
    all.class, all.alias, all.comment = nil, nil, nil
  elseif not line:find "^%-%- " then
    error "cannot read this line"
  end
end

-- { names = { [name] = class or alias }, functions = { [name] = { params =, returned =, many =, comment = } } }
function annotations.read(path)
  local all, number = { names = {}, functions = {}, params = {} }, 0
  for line in io.lines(path) do
    number = number + 1
    local fine, message = pcall(read_line, all, line)
    if not fine then error(("%s:%d: %s"):format(path, number, message), 0) end
  end
  return all
end

-- ---- values -------------------------------------------------------------------------------------------------------

local built_in = {
  any = function() return true end,
  string = function(value) return type(value) == "string" end,
  number = function(value) return type(value) == "number" end,
  integer = function(value) return math.type(value) == "integer" end,
  boolean = function(value) return type(value) == "boolean" end,
}

-- Calls visit(name) for each name in a type.
function annotations.each_name(t, visit)
  if t.kind == "name" then
    if not built_in[t.name] then visit(t.name) end
  elseif t.kind == "union" then
    for _, one in ipairs(t) do annotations.each_name(one, visit) end
  elseif t.kind == "list" then
    annotations.each_name(t.of, visit)
  elseif t.kind == "map" then
    annotations.each_name(t.key, visit)
    annotations.each_name(t.value, visit)
  elseif t.kind == "function" then
    for _, param in ipairs(t.params) do annotations.each_name(param, visit) end
    annotations.each_name(t.returned, visit)
  end
end

local Handle = {}

-- What a verb returns: a value that has a class and nothing else.
function annotations.handle(class)
  return setmetatable({ class = class }, Handle)
end

local function shown(value)
  if getmetatable(value) == Handle then return value.class end
  return type(value) == "string" and ("%q"):format(value) or type(value) == "number" and tostring(value) or type(value)
end

local misfit

-- What is wrong with a table as one of a class, or nil.
local function misfit_of_class(all, class, value)
  if getmetatable(value) == Handle then
    return value.class ~= class.name and ("%s, not %s"):format(shown(value), class.name) or nil
  end
  if #class.order == 0 or type(value) ~= "table" then return ("%s, not %s"):format(shown(value), class.name) end
  for key, entry in pairs(value) do
    local field = class.fields[key] or math.type(key) == "integer" and class.fields.integer
    if not field then return ("%s has no %s"):format(class.name, tostring(key)) end
    local wrong = misfit(all, field.type, entry)
    if wrong then return ("%s of %s: %s"):format(tostring(key), class.name, wrong) end
  end
  for _, key in ipairs(class.order) do
    if key ~= "integer" and not class.fields[key].optional and value[key] == nil then
      return ("%s lacks %s"):format(class.name, key)
    end
  end
end

-- What is wrong with a value of a type, or nil.
function misfit(all, t, value)
  if t.kind == "union" then
    local last
    for _, one in ipairs(t) do
      last = misfit(all, one, value)
      if not last then return nil end
    end
    return last
  elseif t.kind == "literal" then
    return value ~= t.text and ("%s, not %q"):format(shown(value), t.text) or nil
  elseif t.kind == "list" or t.kind == "map" then
    if type(value) ~= "table" or getmetatable(value) == Handle then return shown(value) .. ", not a table" end
    for key, entry in pairs(value) do
      local wrong
      if t.kind == "map" then wrong = misfit(all, t.key, key) elseif math.type(key) ~= "integer" then wrong = "a key, in a list" end
      wrong = wrong or misfit(all, t.kind == "map" and t.value or t.of, entry)
      if wrong then return wrong end
    end
    return nil
  elseif built_in[t.name] then
    return not built_in[t.name](value) and ("%s, not %s"):format(shown(value), t.name) or nil
  end
  local named = all.names[t.name]
  if named.kind == "class" then return misfit_of_class(all, named, value) end
  for _, word in ipairs(named.words) do
    if value == word then return nil end
  end
  return ("%s is none of %s"):format(shown(value), named.name)
end
annotations.misfit = misfit

return annotations
