-- Diagnostics: collected while a stage runs, sent together at its end, sorted by place.
--
--   report.error(code, where, message, help, notes, fix)     the spec is wrong
--   report.unknown(code, where, message, word, candidates)   the same, where a word is none of a list
--   report.warning(code, where, message, help, notes)        the spec is odd
--   report.flush()                                           sends them; true if there was an error
--
-- where: { file =, line =, col =, length = } or nil; help: nil or what to do about it; notes: nil or a list of
-- { where =, message = } that point at other places; fix: nil or what fixes.lua returns.  Messages start in lower case
-- and have no period at the end.

local fixes = require "base.fixes"
local ordered = require "base.ordered"

local report = {}

local pending = {}

local function add(diagnostic)
  diagnostic.where = diagnostic.where or {}
  pending[#pending + 1] = diagnostic
end

function report.error(code, where, message, help, notes, fix)
  add { severity = "error", code = code, where = where, message = message, help = help, notes = notes, fix = fix }
end

function report.unknown(code, where, message, word, candidates)
  report.error(code, where, message, report.did_you_mean(word, candidates), nil,
    fixes.respell(where, word, report.nearest(word, candidates)))
end

function report.warning(code, where, message, help, notes)
  add { severity = "warning", code = code, where = where, message = message, help = help, notes = notes }
end

-- Diagnostics without a place come first.
local function key(d)
  return { d.where.file or "", d.where.line or 0, d.where.col or 0, d.code, d.message }
end

local function by_place(a, b)
  local ka, kb = key(a), key(b)
  for i = 1, #ka do
    if ka[i] ~= kb[i] then return ka[i] < kb[i] end
  end
  return false
end

local function send(d)
  local notes = {}
  for i, note in ipairs(d.notes or {}) do
    local w = note.where or {}
    notes[i] = { file = w.file, line = w.line, col = w.col, length = w.length, message = note.message }
  end
  local w = d.where
  host.report {
    severity = d.severity, code = d.code, file = w.file, line = w.line, col = w.col, length = w.length,
    message = d.message, help = d.help, notes = notes, fix = d.fix,
  }
end

-- Of several reports that say the same of one place the first is sent.
function report.flush()
  local failed, last = false, nil
  for _, d in ipairs(ordered.sort(pending, by_place)) do
    failed = failed or d.severity == "error"
    if not last or by_place(last, d) then send(d) end
    last = d
  end
  pending = {}
  return failed
end

-- Text from a spec, fit for a message: in quotes, on one line, not too long, nothing that a terminal would obey.
function report.quote(text)
  local shown = #text > 60 and string.sub(text, 1, 57) .. "..." or text
  shown = string.gsub(shown, "[%c\x7f\"\\]", function(c)
    return (c == '"' or c == "\\") and "\\" .. c or string.format("\\x%02x", string.byte(c))
  end)
  return '"' .. shown .. '"'
end

-- Number of single letters to insert, delete, replace or swap with their neighbor to turn one word into the other.
local function distance(a, b)
  local rows = { [0] = {} }
  for j = 0, #b do rows[0][j] = j end
  for i = 1, #a do
    rows[i] = { [0] = i }
    for j = 1, #b do
      local letter, other = string.byte(a, i), string.byte(b, j)
      local best = math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (letter == other and 0 or 1))
      if i > 1 and j > 1 and letter == string.byte(b, j - 1) and string.byte(a, i - 1) == other then
        best = math.min(best, rows[i - 2][j - 2] + 1)
      end
      rows[i][j] = best
    end
  end
  return rows[#a][#b]
end

-- The candidate that somebody who wrote `word` probably meant, or nil.
function report.nearest(word, candidates)
  if #word > 64 then return nil end
  local best, least = nil, #word // 3 + 1
  for _, candidate in ipairs(candidates) do
    local d = distance(string.lower(word), string.lower(candidate))
    if d < least then
      best, least = candidate, d
    end
  end
  return best
end

-- A help text: `did you mean "halo"?`, or `one of "a", "b"` where nothing is near.
function report.did_you_mean(word, candidates)
  local near = report.nearest(word, candidates)
  if near then
    return ("did you mean %s?"):format(report.quote(near))
  end
  local list = {}
  for i, candidate in ipairs(candidates) do
    list[i] = report.quote(candidate)
  end
  return "one of " .. table.concat(list, ", ")
end

return report
