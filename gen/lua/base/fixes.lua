-- Fixes: what to write in place of some text of a spec, where that is known for sure, for editors and other programs.
--
-- A fix is { file =, line =, col =, length =, text = }: `text` comes in place of so many bytes, all on one line.  The
-- diagnostic that it belongs to is gone then.  Every function returns nil where the text is not written in place, or is
-- anything else than expected.

local locate = require "base.locate"

local fixes = {}

local function replace(where, text)
  return { file = where.file, line = where.line, col = where.col, length = where.length, text = text }
end

-- The key, name or string `old`, of which `where` is the place (see locate.lua), becomes `new`.
function fixes.respell(where, old, new)
  local token = where.token
  local written = token and (token.kind == "name" and token.text or token.value)
  if not new or written ~= old then return nil end
  if token.kind == "name" then return new:find("^[%a_][%w_]*$") and replace(where, new) or nil end
  local quote = token.text:sub(1, 1)
  return replace(where, quote .. new .. quote)
end

-- The number, or the string of digits, `value` becomes an integer.
function fixes.integer(where, value)
  local token, integer = where.token, math.tointeger(tonumber(value))
  local written = token and (token.kind == "number" and tonumber(token.text) or token.value)
  return integer and written == value and replace(where, ("%d"):format(integer)) or nil
end

-- The entry that a path of keys leads to goes away, with a comma: the one before it, so that a list keeps its shape, or
-- the one behind it.
function fixes.remove(site, ...)
  local first, last = locate.entry(site, ...)
  if not first then return nil end
  local tokens = site.tokens
  local from, to, before, behind = tokens[first], tokens[last], tokens[first - 1], tokens[last + 1]
  local stop = to.col + to.length
  if before.line == from.line and locate.separates(before) then
    from = before
  elseif behind and behind.line == to.line and locate.separates(behind) then
    local following = tokens[last + 2]
    stop = following and following.line == to.line and following.col or behind.col + 1
  end
  if from.line ~= to.line or to.text:find("\n", 1, true) then return nil end
  return { file = site.file, line = from.line, col = from.col, length = stop - from.col, text = "" }
end

-- `return` comes before a call that is the last statement of its file.
function fixes.returned(site)
  if not locate.is_last(site) then return nil end
  local verb = locate.verb(site)
  return { file = verb.file, line = verb.line, col = verb.col, length = 0, text = "return " }
end

-- `local` comes before an assignment to the name at a place, outside of any block as far as its margin tells.
function fixes.declared(tokens, where)
  local following = where.token and where.col == 1 and tokens[where.index + 1]
  if not following or following.text ~= "=" then return nil end
  return { file = where.file, line = where.line, col = 1, length = 0, text = "local " }
end

return fixes
