-- Where in a spec's text something stands.
--
-- Lua tells a verb the line that it was called from.  The rest is found here, by reading the text around that line as
-- tokens: the call, its name, and each key and value of its table, also in nested tables.  What was not written in
-- place (a table kept in a variable, an alias of a verb) is located as closely as the text allows.
--
-- A place is { file =, line =, col =, length =, token = }: line and col from 1, col and length in bytes, length within
-- the line; token where the place is that of just a key, a string or number that is a value, or a word that was searched.

local locate = {}

-- ---- tokens -------------------------------------------------------------------------------------------------------

-- The end of a "long" string or comment that opens at `at` with [=*[, or nil if there is none.
local function long_end(text, at)
  local _, open_end, level = text:find("^%[(=*)%[", at)
  if not open_end then return nil end
  return select(2, text:find("]" .. level .. "]", open_end + 1, true)) or #text
end

local function string_end(text, at)
  local quote, i = text:sub(at, at), at + 1
  while i <= #text do
    local c = text:sub(i, i)
    if c == quote then return i end
    if c == "\n" or c == "\r" then return i - 1 end
    i = i + (c == "\\" and 2 or 1)
  end
  return #text
end

local long_symbols = {}
for symbol in (".. == ~= <= >= // :: << >>"):gmatch("%S+") do long_symbols[symbol] = true end

-- Kind and end of the token at `at`.
local function scan(text, at)
  local stop = select(2, text:find("^%-%-", at))
  if stop then
    return "space", long_end(text, stop + 1) or select(2, text:find("^[^\r\n]*", at))
  end
  stop = select(2, text:find("^%s+", at))
  if stop then return "space", stop end
  stop = select(2, text:find("^[%a_][%w_]*", at))
  if stop then return "name", stop end
  if text:find("^[\"']", at) then return "string", string_end(text, at) end
  stop = long_end(text, at)
  if stop then return "string", stop end
  stop = select(2, text:find("^%.?%d[%w_.]*", at))
  if stop then return "number", stop end
  if text:sub(at, at + 2) == "..." then return "symbol", at + 2 end
  return "symbol", long_symbols[text:sub(at, at + 1)] and at + 1 or at
end

-- Counts the line ends in a token as Lua does: \n, \r, \r\n and \n\r are one each.  Returns lines, and where the last one
-- starts.
local function line_ends(source)
  local count, start, at = 0, nil, 1
  while true do
    local i = source:find("[\r\n]", at)
    if not i then return count, start end
    local pair = source:sub(i, i + 1)
    at = i + ((pair == "\r\n" or pair == "\n\r") and 2 or 1)
    count, start = count + 1, at
  end
end

-- The value of a string token without escapes; other strings are not compared with anything.
local function string_value(source)
  local inner = source:match("^[\"'](.*)[\"']$")
  return inner and not inner:find("\\", 1, true) and inner or nil
end

-- All tokens of a text: { kind =, text =, at = its byte, line =, col =, length =, value = of strings }; also, in `on_line`, the index
-- of the first token of each line that has any, and in `entries` what is known of tables (see below).
function locate.tokens(text)
  local tokens, at, line, start = { on_line = {}, entries = {} }, 1, 1, 1
  while at <= #text do
    local kind, stop = scan(text, at)
    local source = text:sub(at, stop)
    if kind ~= "space" then
      tokens[#tokens + 1] = {
        kind = kind, text = source, at = at, line = line, col = at - start + 1, length = #source:match("^[^\r\n]*"),
        value = kind == "string" and string_value(source) or nil,
      }
      tokens.on_line[line] = tokens.on_line[line] or #tokens
    end
    local more, last = line_ends(source)
    line, start, at = line + more, last and at + last - 1 or start, stop + 1
  end
  return tokens
end

-- ---- structure ----------------------------------------------------------------------------------------------------

local opening = { ["{"] = true, ["("] = true, ["["] = true, ["function"] = true, ["if"] = true, ["do"] = true,
  ["repeat"] = true }
local closing = { ["}"] = true, [")"] = true, ["]"] = true, ["end"] = true, ["until"] = true }

local function is(token, text)
  return token ~= nil and token.kind ~= "string" and token.text == text
end

-- Index of the first token from `at` on, outside any nested brackets and blocks, that is one of `stops` or closes
-- what surrounds it; or the number of tokens plus one.
local function skip(tokens, at, stops)
  local depth = 0
  while tokens[at] do
    local token = tokens[at]
    local text = token.kind ~= "string" and token.text or ""
    if depth == 0 and (stops[text] or closing[text]) then return at end
    if opening[text] then depth = depth + 1 end
    if closing[text] then depth = depth - 1 end
    at = at + 1
  end
  return at
end

local separators = { [","] = true, [";"] = true }

-- Key of the entry that starts at `at`, where its value starts, and the token to show; a nil key means the next
-- position, and what is computed is a key that nobody asks for.
local function entry_key(tokens, at)
  local first = tokens[at]
  if first.kind == "name" and is(tokens[at + 1], "=") then
    return first.text, at + 2, first
  end
  if is(first, "[") and is(tokens[at + 2], "]") and is(tokens[at + 3], "=") then
    local literal = tokens[at + 1]
    return literal.value or math.tointeger(tonumber(literal.text)) or literal, at + 4, literal
  end
  return nil, at, first
end

-- The entries of the table constructor whose { is token `open`: { [key] = { key = token, start =, first = of the value,
-- last = } }, and the number of entries without a key.
local function entries(tokens, open)
  local known = tokens.entries[open]
  if known then return known.list, known.count end
  local out, count, at = {}, 0, open + 1
  while tokens[at] and not closing[tokens[at].text] do
    local key, first, key_token = entry_key(tokens, at)
    if key == nil then
      count = count + 1
      key = count
    end
    local stop = skip(tokens, first, separators)
    out[key] = { key = key_token, start = at, first = first, last = math.max(first, stop - 1) }
    at = is(tokens[stop], ",") and stop + 1 or is(tokens[stop], ";") and stop + 1 or stop
  end
  tokens.entries[open] = { list = out, count = count }
  return out, count
end

-- The entries without a key of all tables that a text makes: { first =, last = token, position =, ends = whether it is the last
-- of its table, keys and all }.
function locate.list_entries(tokens)
  local out = {}
  for open in ipairs(tokens) do
    local list, count = {}, 0
    if is(tokens[open], "{") then list, count = entries(tokens, open) end
    for position = 1, count do
      local entry = list[position]
      local following = entry.last + 1
      if tokens[following] and separators[tokens[following].text] then following = following + 1 end
      out[#out + 1] = { first = entry.first, last = entry.last, position = position, ends = is(tokens[following], "}") }
    end
  end
  return out
end

-- ---- calls --------------------------------------------------------------------------------------------------------

-- Is token i the verb of the call?  The second result: with the same name behind it.
local function is_verb(tokens, i, call)
  if tokens[i].kind ~= "name" or tokens[i].text ~= call.verb then return false end
  local following = is(tokens[i + 1], "(") and tokens[i + 2] or tokens[i + 1]
  return true, following ~= nil and following.value ~= nil and following.value == call.name
end

local function verbs_on_line(tokens, call)
  local named, any = {}, {}
  local i = tokens.on_line[call.line]
  while i and tokens[i] and tokens[i].line == call.line do
    local verb, same_name = is_verb(tokens, i, call)
    if verb then any[#any + 1] = i end
    if same_name then named[#named + 1] = i end
    i = i + 1
  end
  return #named > 0 and named or any
end

-- Index of the call's verb among the tokens: on its line, with its name if one of them has it; of several equal ones
-- the ordinal-th.  Later releases of Lua may name the line of the brace, so a few earlier lines are searched if need be.
local function find_verb(tokens, call)
  local list = verbs_on_line(tokens, call)
  if #list > 0 then return list[(call.ordinal - 1) % #list + 1] end
  for back = 1, 3 do
    local earlier = verbs_on_line(tokens, { line = call.line - back, verb = call.verb, name = call.name })
    if #earlier > 0 then return earlier[#earlier] end
  end
end

local function first_on_line(tokens, line)
  return tokens[tokens.on_line[line]] or { line = line, col = 1, length = 1 }
end

-- A site: what was found of a call = { file =, line =, verb =, name = string or nil, ordinal = }.
function locate.site(tokens, call)
  local at = find_verb(tokens, call)
  local site = { file = call.file, tokens = tokens, call = call }
  if not at then
    site.verb = first_on_line(tokens, call.line)
    site.name = site.verb
    return site
  end
  site.verb, site.name = tokens[at], tokens[at]
  local following = at + 1
  if is(tokens[following], "(") then following = following + 1 end
  if tokens[following] and tokens[following].kind == "string" then
    site.name = tokens[following]
    following = following + 1
    if is(tokens[following], ")") then following = following + 1 end
    if is(tokens[following], "(") then following = following + 1 end
  end
  if is(tokens[following], "{") then site.open = following end
  return site
end

local function place(site, first, last)
  local length = first.length
  if last and last.line == first.line then length = last.col + last.length - first.col end
  return { file = site.file, line = first.line, col = first.col, length = length }
end

-- The place of the verb itself, and of the name behind it (the verb, if it has none).
function locate.verb(site)
  return place(site, site.verb)
end

function locate.name(site)
  return place(site, site.name)
end

-- The place of a word on a line, or of what stands first on it.  ".word" is the word behind a point or a colon.
function locate.word(tokens, file, line, word)
  local member = word and word:match("^%.([%a_][%w_]*)$")
  local i = tokens.on_line[line]
  while word and tokens[i] and tokens[i].line == line do
    local behind = is(tokens[i - 1], ".") or is(tokens[i - 1], ":")
    if tokens[i].text == (member or word) and (behind or not member) or tokens[i].value == word then
      local where = place({ file = file }, tokens[i])
      where.token, where.index = tokens[i], i
      return where
    end
    i = i + 1
  end
  return place({ file = file }, first_on_line(tokens, line))
end

-- The entry that a path of keys leads to, or the deepest that is written in place; whether it is the end of the path;
-- and whether it is this very entry, which of what a function returned to the end of a table cannot be said.
local function follow(site, path)
  local open, found, depth, exact = site.open, nil, 0, true
  for i, key in ipairs(path) do
    if not open then break end
    local list, count = entries(site.tokens, open)
    local entry = list[key]
    if not entry and math.type(key) == "integer" and key > count then entry, exact = list[count], false end
    if not entry then break end
    found, depth = entry, i
    open = is(site.tokens[entry.first], "{") and entry.first or nil
  end
  return found, depth == #path, exact and depth == #path
end

-- The place of the value that a path of keys leads to: locate.value(site, "halo", "x", "lo").
function locate.value(site, ...)
  local entry, _, exact = follow(site, { ... })
  if not entry then return locate.name(site) end
  local first = site.tokens[entry.first] or entry.key
  local where = place(site, first, site.tokens[entry.last])
  if exact and entry.first == entry.last and first.kind ~= "name" then where.token = first end
  return where
end

-- The place of the last key of the path.
function locate.key(site, ...)
  local entry, whole, exact = follow(site, { ... })
  if not entry then return locate.name(site) end
  if not whole then return locate.value(site, ...) end
  local where = place(site, entry.key)
  if exact then where.token = entry.key end
  return where
end

-- The site of the table that a key of another one has, for what is inside of it; places are that of the whole table where it is
-- not written there.
function locate.inside(site, key)
  local entry, _, exact = follow(site, { key })
  if not exact then return { file = site.file, tokens = site.tokens, call = site.call, verb = site.verb, name = site.name } end
  local name = site.tokens[entry.first]
  return { file = site.file, tokens = site.tokens, call = site.call, verb = name, name = name,
    open = is(name, "{") and entry.first or nil }
end

-- The first and the last token, key and all, of the entry that a path of keys leads to; nil if it is not written there.
function locate.entry(site, ...)
  local entry, _, exact = follow(site, { ... })
  if exact then return entry.start, entry.last end
end

-- The place of the tokens from first to last.
function locate.span(tokens, file, first, last)
  return place({ file = file }, tokens[first], tokens[last])
end

function locate.separates(token)
  return token.kind == "symbol" and separators[token.text] ~= nil
end

-- Is the call a statement, with its table written in place, that ends the text?
function locate.is_last(site)
  local tokens, line = site.tokens, site.verb.line
  return site.open ~= nil and tokens[tokens.on_line[line]] == site.verb and skip(tokens, site.open + 1, {}) == #tokens
end

return locate
