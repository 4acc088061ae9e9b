-- Fixes: which text they replace, in whatever layout, and where there is none because the text is not what it seems.

local case = require "case"
local specs = require "specs"

-- The fix of the diagnostic with this code, or nil; there must be such a diagnostic.
local function fix_of(text, code)
  local _, reports = specs.read(text)
  for _, d in ipairs(reports) do
    if d.code == code then return d.fix end
  end
  error("no " .. code .. " for " .. text)
end

local function applied(text, fix)
  local at = 1
  for _ = 2, fix.line do at = text:find("\n", at, true) + 1 end
  return text:sub(1, at + fix.col - 2) .. fix.text .. text:sub(at + fix.col - 1 + fix.length)
end

local before = 'local grid = cartesian { axes = "xy" }\nlocal u = field "u" { on = grid, type = "double", halo = 1 }\n'

-- The spec with `from` for its last statement becomes the one with `to`.
local function becomes(code, from, to)
  local fix = fix_of(before .. from, code)
  assert(fix, "no fix for " .. from)
  assert(applied(before .. from, fix) == before .. to, applied(before .. from, fix))
end

local function stays(code, text)
  assert(not fix_of(before .. text, code), text)
end

case("entries go with the comma before them, or behind them", function()
  becomes("HG1502", 'return spec "s" { exchange "e" { u, u } }', 'return spec "s" { exchange "e" { u } }')
  becomes("HG1502", 'return spec "s" { exchange "e" { u; u; width = 1 } }', 'return spec "s" { exchange "e" { u; width = 1 } }')
  becomes("HG1502", 'return spec "s" { exchange "e" {\n  u,\n  u,\n} }', 'return spec "s" { exchange "e" {\n  u,\n  \n} }')
  becomes("HG1502", 'return spec "s" { exchange "e" {\n  u,\n  u, -- twice\n} }',
    'return spec "s" { exchange "e" {\n  u,\n   -- twice\n} }')
  becomes("HG1604", 'local e = exchange "e" { u }\nreturn spec "s" { e, e }', 'local e = exchange "e" { u }\nreturn spec "s" { e }')
end)

case("entries that are not written in place stay, and those over several lines", function()
  stays("HG1502", 'local list = { u, u }\nreturn spec "s" { exchange "e" (list) }')
  stays("HG1502", 'local function both() return u, u end\nreturn spec "s" { exchange "e" { both() } }')
  stays("HG1509", 'return spec "s" { exchange "e" { u, stencil = { { 1, 0 }, {\n1, 0 } } } }')
end)

case("keys and words keep their quotes", function()
  becomes("HG1101", 'return spec "s" { exchange "e" { u, ["widht"] = 1 } }', 'return spec "s" { exchange "e" { u, ["width"] = 1 } }')
  becomes("HG1101", "return spec 's' { exchange 'e' { u, ['widht'] = 1 } }", "return spec 's' { exchange 'e' { u, ['width'] = 1 } }")
  becomes("HG1105", "return spec 's' { exchange 'e' { u, boundary = 'miror' } }",
    "return spec 's' { exchange 'e' { u, boundary = 'mirror' } }")
end)

case("variables and computed keys stay, whatever their names", function()
  stays("HG1105", 'local miror = "miror"\nreturn spec "s" { exchange "e" { u, boundary = miror } }')
  stays("HG1105", 'return spec "s" { exchange "e" { u, boundary = "mi" .. "ror" } }')
  stays("HG1105", 'return spec "s" { exchange "e" { u, boundary = [[miror]] } }')
  stays("HG1101", 'local widht = "widht"\nreturn spec "s" { exchange "e" { u, [widht] = 1 } }')
  stays("HG1301", 'local width = { width = 1 }\nreturn spec "s" { exchange "e" { u, width = width } }')
  stays("HG1301", 'return spec "s" { exchange "e" { u, width = { z = 1 } } }')
end)

case("integers", function()
  becomes("HG1102", 'return spec "s" { exchange "e" { u, width = 1e0 } }', 'return spec "s" { exchange "e" { u, width = 1 } }')
  becomes("HG1102", 'return spec "s" { exchange "e" { u, width = "0x1" } }', 'return spec "s" { exchange "e" { u, width = 1 } }')
  stays("HG1102", 'return spec "s" { exchange "e" { u, width = 1.5 } }')
  stays("HG1102", 'return spec "s" { exchange "e" { u, width = 2 / 2 } }')
  stays("HG1102", 'return spec "s" { exchange "e" { u, width = "one" } }')
end)

case("return", function()
  becomes("HG1007", 'spec "s" {\n  exchange "e" { u }\n}\n', 'return spec "s" {\n  exchange "e" { u }\n}\n')
  stays("HG1007", 'local s = spec "s" { exchange "e" { u } }')
  stays("HG1007", 'spec "s" { exchange "e" { u } }\nlocal more = 1')
  stays("HG1007", 'local e = { exchange "e" { u } }\nspec "s" (e)')
  stays("HG1007", "return 7")
end)
