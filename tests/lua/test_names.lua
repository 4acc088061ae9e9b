-- Which names a spec may give, and that no emitted word is left out of the list.

local case = require "case"
local names = require "names"

local function refused(kind, name, why)
  local problem = names.problem(kind, name)
  assert(problem and problem:find(why, 1, true), ("%s: %s"):format(name, problem))
end

case("names that are fine", function()
  for _, name in ipairs { "u", "U2", "a_b", "h", "x1_y2", ("a"):rep(63), "sin", "time", "halo", "size_t" } do
    assert(names.problem("field", name) == nil, name)
  end
  for _, name in ipairs { "ocean", "channel", "box3", "shallow_water", "mpi2d", "wave" } do
    assert(names.problem("spec", name) == nil, name)
  end
end)

case("names that are not", function()
  refused("field", "", "is empty")
  refused("field", "1a", "start with a letter")
  refused("field", "_a", "start with a letter")
  refused("field", "a-b", "no letter, digit or underscore")
  refused("field", "a b\n*/", "no letter, digit or underscore")
  refused("field", "é", "no letter, digit or underscore")
  refused("field", "../a", "no letter, digit or underscore")
  refused("field", "a__b", "underscore")
  refused("field", "a_", "underscore")
  refused("field", ("a"):rep(64), "64 characters")
  refused("field", "double", "a word of C")
  refused("field", "new", "a word of C++")
  refused("field", "threadIdx", "a word of CUDA")
  refused("exchange", "linux", "a macro of C")
  refused("spec", "string", "a header of C")
  refused("spec", "Math", "a header of C")
  refused("spec", "printf", "a function of C")
  refused("spec", "size", "macros of C")
  refused("spec", "mpi_grid", "starts with mpi")
  refused("spec", "x", "one character")
end)

-- The words of emitted code outside comments and strings, without those that start with the name of the spec.
local function emitted_words(host)
  local words = {}
  for _, text in pairs(host.outputs) do
    text = text:gsub("/%*.-%*/", " "):gsub('\\"', ""):gsub('"[^"\n]*"', " "):gsub("\n#[^\n]*", "\n"):gsub("%f[%w]0x%x+", " ")
    -- Members of structs, behind a point or an arrow, are in nobody's way.
    for word in text:gsub("%f[.>][.>][%a_][%w_]*", " "):gmatch("[%a_][%w_]*") do
      if not word:lower():find("^tested") then words[word] = true end
    end
  end
  return words
end

case("a spec cannot be called like anything in emitted code", function()
  local stand_in = require "stand_in"
  local host = stand_in.install({ ["test.lua"] = [[
    local grid = cartesian { axes = "xyz", periodic = "x" }
    local u, v = fields { "u", "v", on = grid, type = "double", halo = { x = 2, y = 1, z = 6 } }
    local m = field "m" { on = grid, type = "int8_t", halo = 1, order = "zyx" }
    return spec "tested" { exchange "all" { u, v, m }, exchange "one" { m, stencil = "star" } }
  ]] }, { emit = { c = true, check = true } })
  local templates = {}
  for i, name in ipairs { "header.h.tmpl", "source.c.tmpl", "check.c.tmpl" } do templates[i] = host.template(name) end
  local function refused_or_used(name)
    local used = names.problem("spec", name) ~= nil
    for _, text in ipairs(templates) do used = used or names.stands_in(text, name) end
    return used
  end
  require "main"
  assert(#host.reports == 0, host.reports[1] and host.reports[1].message)
  -- No spec can meet words of the spec above, of its axes, of libraries, and what is numbered: names start with letters.
  local own = { u = true, v = true, m = true }
  local missing = {}
  for word in require("ordered").pairs(emitted_words(host)) do
    local axis = word:find("^[ns][xyz]$") or word:find("_[ns][xyz]$")
    local library = word:find("^[Hh][Xx]_") or word:find("^MPI_")
    local first = word:match("^(%a+)_") or word
    local numbered = word:find("^%a+_%d+$")
    if not (own[word] or axis or library or numbered) then
      if not refused_or_used(first) then missing[#missing + 1] = word end
    end
  end
  assert(#missing == 0, "a spec could be called: " .. table.concat(missing, " "))
end)
