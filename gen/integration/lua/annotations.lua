-- What halogen knows of its verbs, for editors: annotations as the Lua language server (LuaLS) reads them.

local ctypes = require "model.ctypes"
local language = require "language"
local verb = require "language.verb"

local out = {}

local function put(text, ...)
  out[#out + 1] = select("#", ...) > 0 and text:format(...) or text
end

put([[
---@meta halogen
-- What a spec for halogen %s can say: completion, types and hover texts for editors with the Lua language server.
-- Made by halogen from the tables by which it reads specs.  No program runs this file.
]], host.options.version)

-- ---- types --------------------------------------------------------------------------------------------------------

put [[
---What `cartesian`, `tiles`, `cubed_sphere`, `fold` and `index_list` return.
---@class halogen.grid

---What `field` returns, and `fields` for each name.
---@class halogen.field

---What `vector` returns.
---@class halogen.vector

---What `struct` returns.
---@class halogen.struct

---What `exchange` returns.
---@class halogen.exchange

---What `step` returns.
---@class halogen.step

---What `cycle` returns.
---@class halogen.cycle

---What `spec` returns, and a file must.
---@class halogen.spec

---Layers per side of an axis.
---@class halogen.layers
---@field lo? integer # On the low side. Default: 0.
---@field hi? integer # On the high side. Default: 0.

---What fills ghost points, per side of an axis.
---@class halogen.fills
---@field lo? halogen.exchange_boundary # Beyond the low wall. Default: `"none"`.
---@field hi? halogen.exchange_boundary # Beyond the high wall. Default: `"none"`.

---How many numbers a point holds, and where they lie.
---@class halogen.components
---@field [1] integer # How many.
---@field [2]? halogen.field_components_inner # Where. Default: `"innermost"`.
---@field after? string # The axis behind which they lie.

---A tile and its side, and a second tile and its side.
---@class halogen.connection
---@field [1] string # A tile.
---@field [2] string # Its side: `"+x"` where x ends, `"-x"` where x begins.
---@field [3] string # The other tile, or the same.
---@field [4] string # Its side.
---@field along? table<string, string> # For axes along the first side: along which axis of the second tile each runs, `"-x"` for against it.
]]

local function put_alias(name, words)
  put("---@alias halogen.%s", name)
  for _, word in ipairs(words) do
    put('---| "%s"%s', word[1], word[2] and " # " .. language.sentence(word[2]) or "")
  end
  put ""
end

local element_types = {}
for _, names in ipairs { ctypes.names, ctypes.second_names } do
  for _, name in ipairs(names) do table.insert(element_types, { name }) end
end
put_alias("type", element_types)

-- ---- keys ---------------------------------------------------------------------------------------------------------

-- The names of what has been printed: of keys aliases of their words, of lists of keys classes.
local aliases, classes = {}, {}

local function alias_of(key, name)
  if not aliases[key] then
    put_alias(name, key.words)
    aliases[key] = "halogen." .. name
  end
  return aliases[key]
end

-- The type of a key, its aliases printed.
local function type_of(verb_name, key)
  local name = ("%s_%s"):format(verb_name, key.key)
  local words = key.words and alias_of(key, name)
  local inner = key.inner and alias_of(key.inner, name .. "_inner")
  return (verb.types[key.type].annotation:gsub("WORD", words or ""):gsub("INNER", inner or ""))
end

local function hover(key)
  local default = language.default(key)
  return language.sentence(key.text) .. (key.must and " Must be given." or default ~= "" and (" Default: %s."):format(default) or "")
end

local put_class
function put_class(v)
  local types = {}
  if v.list and v.list.inner then put_class(v.list.inner) end
  for i, key in ipairs(v.keys) do types[i] = type_of(v.verb, key) end
  put("---The table of `%s`.\n---@class halogen.%s_table", v.verb, v.verb)
  if v.list then
    local kind = v.list.kind == "string" and "string" or "halogen." .. v.list.kind
    local more = v.list.inner and classes[v.list.inner] or v.list.also and "halogen." .. v.list.also
    put("---@field [integer] %s%s # %s", kind, more and " | " .. more or "", language.sentence(v.list.text))
  end
  for i, key in ipairs(v.keys) do put("---@field %s%s %s # %s", key.key, key.must and "" or "?", types[i], hover(key)) end
  put ""
  classes[v] = ("halogen.%s_table"):format(v.verb)
end

-- ---- verbs --------------------------------------------------------------------------------------------------------

local call = {}

call["table"] = function(v, returned)
  put("---@param keys %s\n---@return %s\nfunction %s(keys) end\n", classes[v], returned .. (v.verb == "fields" and " ..." or ""), v.verb)
end

call["named"] = function(v, returned)
  put("---@param name string\n---@return fun(keys: %s): %s\nfunction %s(name) end\n", classes[v], returned, v.verb)
end

call["file"] = function(v, returned)
  put("---@param file string\n---@return %s ...\nfunction %s(file) end\n", returned, v.verb)
end

for _, v in ipairs(language.verbs) do
  if v.call ~= "file" then put_class(v) end
  put("---%s\n---\n---```lua\n---%s\n---```", v.text, v.example)
  call[v.call](v, v.kind == "values" and "any" or "halogen." .. v.kind)
end

return table.concat(out, "\n")
