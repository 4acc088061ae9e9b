-- The tables of keys of docs/spec-language.md: for each verb a line `keys of VERB`, and the lines of its table behind.

local language = require "language"

-- The verb that had a key first, by key.
local first = {}

local function row(key, text, default)
  return ("| %s | %s | %s |"):format(key, text, default):gsub("  +", " ")
end

local function key_row(key)
  local words = language.words(key)
  local text = key.text .. (key.below and ", see below" or "") .. (words ~= "" and "; " .. words or "")
  return row("`" .. key.key .. "`", text, language.default(key))
end

-- Keys that an earlier verb has, too, share a row that names it.
local function table_of(verb)
  local lines = { "keys of " .. verb.verb, "| key | value | default |", "|---|---|---|" }
  local shared, earlier = {}, nil
  if verb.list then
    lines[#lines + 1] = row(verb.list.title, verb.list.text .. (verb.list.below and ", see below" or ""), verb.list.must and "must be given" or "")
  end
  for _, key in ipairs(verb.keys) do
    if first[key] then
      shared[#shared + 1], earlier = "`" .. key.key .. "`", first[key]
    else
      lines[#lines + 1], first[key] = key_row(key), verb.verb
    end
  end
  if earlier then lines[#lines + 1] = row(table.concat(shared, " "), ("as for `%s`"):format(earlier), "") end
  return table.concat(lines, "\n")
end

local parts = {}
for _, verb in ipairs(language.verbs) do
  if #verb.keys > 0 then parts[#parts + 1] = table_of(verb) end
end
return table.concat(parts, "\n") .. "\n"
