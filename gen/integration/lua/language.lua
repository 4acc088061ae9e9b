-- The verbs of specs in the order of the documents, and what is said of their keys in words.

local features = require "features"
local verbs = require "language.verbs"

local language = { verbs = {} }

for _, name in ipairs(features.front_ends) do table.insert(language.verbs, (require(name))) end
for _, verb in ipairs(verbs.all) do table.insert(language.verbs, verb) end

local function literal(value)
  return type(value) == "string" and ('`"%s"`'):format(value) or tostring(value)
end

-- What holds where a key is not given, in Markdown.
function language.default(key)
  if key.must then return "must be given" end
  return key.default ~= nil and literal(key.default) or key.otherwise or ""
end

-- The words of a key with their texts: `"box"`: faces, edges and corners; `"star"`: faces only.
function language.words(key)
  local out = {}
  for i, word in ipairs(key.words or {}) do
    out[i] = literal(word[1]) .. (word[2] and ": " .. word[2] or "")
  end
  return table.concat(out, "; ")
end

-- A text as a sentence.
function language.sentence(text)
  return (text:gsub("^%l", string.upper)) .. (text:find("%.$") and "" or ".")
end

return language
