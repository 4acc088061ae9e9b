-- Watches the entries without keys of all tables that a spec makes, since Lua drops some in silence: of an entry that has several
-- values, `...` or a call, all but the first, unless it is the last one of its table; and those that are nil.
--
-- Before a text is compiled, each such entry becomes a call, `halogen_entry(number, entry)`, which looks at the values and
-- returns them.  Nothing moves to another line.  Literals stay as they are.

local locate = require "base.locate"

local list_entries = {}

-- What an entry is called inside the text: the environment of the spec has it under this name, and the text keeps it in a
-- local variable, because a spec may have an environment of its own.
list_entries.name = "halogen_entry"

local function is_literal(tokens, entry)
  local first = tokens[entry.first]
  if first.text == "{" or first.text == "function" then return true end
  return entry.first == entry.last and (first.kind == "string" or first.kind == "number")
end

-- The text with calls, and what `watch` has to know: a list of entries, whose numbers begin behind `known`, those of other files.
function list_entries.mark(text, file, known)
  local tokens = locate.tokens(text)
  local before, behind = {}, {}
  for _, entry in ipairs(locate.list_entries(tokens)) do
    if not is_literal(tokens, entry) then
      known[#known + 1] = { where = locate.span(tokens, file, entry.first, entry.last), ends = entry.ends,
        position = entry.position, text = entry.first == entry.last and tokens[entry.first].text or nil }
      before[entry.first] = (before[entry.first] or "") .. ("%s(%d,"):format(list_entries.name, #known)
      behind[entry.last] = (behind[entry.last] or "") .. ")"
    end
  end
  local out, at = {}, 1
  for i, token in ipairs(tokens) do
    local stop = token.at + #token.text
    out[#out + 1] = text:sub(at, token.at - 1) .. (before[i] or "") .. text:sub(token.at, stop - 1) .. (behind[i] or "")
    at = stop
  end
  return table.concat(out) .. text:sub(at)
end

local function nothing(entry, position)
  local known = entry.text and string.find(entry.text, "^%a") and entry.text ~= "nil"
  return { code = "HG1010", where = entry.where, message = string.format("entry %d of this table is nothing", position),
    help = known and string.format("look where %s is set: here it is nothing; what may be missing is put into a list by table.insert",
      entry.text) or "leave it out; what may be missing is put into a list by table.insert" }
end

local function lost(entry, count)
  local what = entry.text == "..." and "..." or "this entry"
  return { code = "HG1011", where = entry.where, message = string.format(
    "%s has %d values here, and a table keeps only the first unless it is its last entry", what, count),
    help = "write it last, behind keys, too, as in { on = grid, ... }; or in parentheses, if only the first is meant" }
end

-- The function that entries are given to.  fail: called with what is wrong, { code =, where =, message =, help = }.
function list_entries.watch(known, fail)
  return function(number, ...)
    local entry, values = known[number], table.pack(...)
    if not entry then return ... end
    if not entry.ends and values.n > 1 then fail(lost(entry, values.n)) end
    for i = 1, entry.ends and values.n or 1 do
      if values[i] == nil then fail(nothing(entry, entry.position + i - 1)) end
    end
    return ...
  end
end

return list_entries
