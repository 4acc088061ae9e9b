-- Collecting, sorting and sending of diagnostics, and suggestions.

local case = require "case"
local report = require "base.report"
local stand_in = require "stand_in"

local function at(line, col)
  return { file = "a.lua", line = line, col = col, length = 1 }
end

case("sent by place, each once", function()
  local host = stand_in.install {}
  report.error("HG1", at(7, 2), "third")
  report.warning("HG2", at(2, 9), "second")
  report.error("HG1", at(2, 3), "first", "help", { { where = at(1, 1), message = "note" } })
  report.error("HG1", at(7, 2), "third")
  assert(report.flush())
  local messages = {}
  for i, d in ipairs(host.reports) do messages[i] = d.message end
  assert(table.concat(messages, " ") == "first second third")
  assert(host.reports[1].notes[1].line == 1 and host.reports[1].help == "help" and host.reports[2].severity == "warning")
end)

case("warnings do not fail, and nothing is sent twice", function()
  local host = stand_in.install {}
  report.warning("HG2", nil, "no place")
  assert(not report.flush())
  assert(not report.flush())
  assert(#host.reports == 1 and host.reports[1].line == nil)
end)

case("nearest", function()
  local words = { "halo", "type", "order", "on" }
  assert(report.nearest("hallo", words) == "halo")
  assert(report.nearest("tpye", words) == "type")
  assert(report.nearest("Order", words) == "order")
  assert(report.nearest("x", { "y" }) == nil)
  assert(report.nearest("width", words) == nil)
  assert(report.did_you_mean("oder", words) == 'did you mean "order"?')
  assert(report.did_you_mean("q", { "a", "b" }) == 'one of "a", "b"')
end)

case("quoted text cannot break out of its line", function()
  assert(report.quote('a"b\\c\n\27[31m') == [["a\"b\\c\x0a\x1b[31m"]])
  assert(#report.quote(("x"):rep(1000)) == 62)
end)
