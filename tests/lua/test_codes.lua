-- The index of diagnostics: complete, in order, in one style; and what `halogen diagnostic` makes of it.

local case = require "case"
local codes = require "base.codes"
local diagnostic = require "base.diagnostic"
local report = require "base.report"
local stand_in = require "stand_in"

case("codes ascend, so that none means two things; titles differ", function()
  local titles, last = {}, ""
  for _, entry in ipairs(codes) do
    assert(entry.code:find("^HG%d%d%d%d$") and entry.code > last, entry.code)
    assert(not titles[entry.title], entry.title)
    titles[entry.title], last = true, entry.code
  end
end)

case("every entry has a title, a cause and a cure", function()
  local known = { code = true, title = true, cause = true, cure = true, write = true }
  for _, entry in ipairs(codes) do
    assert(#entry.title > 0 and #entry.title <= 60 and not entry.title:find("%.$"), entry.code)
    assert(entry.title:find("^%l") or entry.title:find("^HG"), entry.code)
    for _, text in ipairs { entry.cause, entry.cure } do
      assert(text:find("^%S") and text:find("%.$") and not text:find("\t"), entry.code)
    end
    for key in pairs(entry) do assert(known[key], entry.code .. " has " .. key) end
  end
end)

-- A line to write is a command, or Lua: statements, a value, or entries of a table.
case("what to write is Lua, or a command", function()
  for _, entry in ipairs(codes) do
    local line = entry.write
    local fine = not line or line:find("halogen ", 1, true) or load(line) or load("return " .. line)
      or load("return {" .. line .. "}")
    assert(fine, entry.code .. ": " .. tostring(line))
  end
end)

local function explained(code)
  local host = stand_in.install {}
  diagnostic.run(code)
  local failed = report.flush()
  return host.printed[1], failed and host.reports[1]
end

case("an entry is printed in lines that fit a terminal, a list in order", function()
  for i, entry in ipairs(codes) do
    local text = explained(entry.code)
    assert(text:find(entry.code .. ": " .. entry.title .. "\n\nCause\n  ", 1, true) == 1, entry.code)
    assert(text:gsub("%s+", " "):find(entry.cause:gsub("%s+", " "), 1, true), entry.code)
    assert(text:gsub("%s+", " "):find(entry.cure:gsub("%s+", " "), 1, true), entry.code)
    assert(not entry.write or text:find("\n      " .. entry.write .. "\n", 1, true), entry.code)
    for line in text:gmatch("[^\n]+") do assert(#line <= 80, line) end
  end
  local _, lines = explained(""):gsub("HG%d%d%d%d  %l", "")
  assert(lines == #codes)
  assert(explained("hg1101") == explained("HG1101"))
end)

case("a code that there is not", function()
  local text, diagnostic = explained("HG1O01")
  assert(not text and diagnostic.code == "HG0010" and diagnostic.help == 'did you mean "HG1001"?')
  text, diagnostic = explained("why")
  assert(not text and diagnostic.message == 'there is no diagnostic "why"' and diagnostic.help == "halogen diagnostic lists them")
end)
