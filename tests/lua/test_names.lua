-- Which names a spec may give, and that no emitted word is left out of the list.

local case = require "case"
local names = require "model.names"
local template = require "base.template"

local function refused(kind, name, why)
  local problem = names.problem(kind, name)
  assert(problem and problem:find(why, 1, true), ("%s: %s"):format(name, problem))
end

case("names that are fine", function()
  for _, name in ipairs { "u", "U2", "a_b", "h", "x1_y2", ("a"):rep(63), "sin", "time", "halo", "mpi_rank", "size",
    "T_MAX" } do
    assert(names.problem("field", name) == nil, name)
  end
  for _, name in ipairs { "ocean", "channel", "box3", "shallow_water", "mpi2d", "wave" } do
    assert(names.problem("spec", name) == nil, name)
  end
  assert(names.problem("exchange", "size_t") == nil)
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
  refused("field", "int16_t", "a type of C")
  refused("field", "hx_part", "starts with hx_")
  refused("field", "UINT64_MAX", "a macro of C")
  refused("field", "INT_LEAST8_MIN", "a macro of C")
  refused("field", "HX_OK", "starts with hx_")
  refused("field", "MPI_COMM_WORLD", "starts with MPI_")
  refused("spec", "string", "a header of C")
  refused("spec", "Math", "a header of C")
  refused("spec", "printf", "a function of C")
  refused("spec", "size", "macros of C")
  refused("spec", "mpi_grid", "starts with mpi_")
  refused("spec", "Halogen", "starts with halogen")
  refused("spec", "halogen_ocean", "starts with halogen")
  refused("spec", "x", "one character")
end)

-- Runs the whole generator on the text of a spec, which must earn no diagnostic but with a code that is expected.
-- Returns the host with its outputs.
local function generate(text, expected)
  local host = require("stand_in").install({ ["test.lua"] = text }, { emit = { c = true, check = true } })
  package.loaded.main = nil
  require "main"
  for _, report in ipairs(host.reports) do assert(report.code == expected, report.message) end
  return host
end

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
  local host = generate [[
    local grid = cartesian { axes = "xyz", periodic = "x" }
    local u, v = fields { "u", "v", on = grid, type = "double", halo = { x = 2, y = 1, z = 6 } }
    local m = field "m" { on = grid, type = "int8_t", halo = 1, order = "zyx" }
    return spec "tested" { exchange "all" { u, v, m }, exchange "one" { m, stencil = "star" } }
  ]]
  local templates = {}
  for i, name in ipairs { "header.h.tmpl", "source.c.tmpl", "check.c.tmpl" } do templates[i] = template.text(name) end
  local function refused_or_used(name)
    local used = names.problem("spec", name) ~= nil
    for _, text in ipairs(templates) do used = used or names.stands_in(text, name) end
    return used
  end
  -- No spec can meet words of the spec above, of its axes, of libraries, and what is numbered: names start with letters.
  local own = { u = true, v = true, m = true }
  local missing = {}
  for word in require("base.ordered").pairs(emitted_words(host)) do
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

-- Every word of the templates outside comments and every part of it, "of" and "fields_of" of "fields_of_", that may name a kind.
local function words_for(kind, identifiers)
  local found, list, claimed = {}, {}, {}
  for _, name in ipairs { "header.h.tmpl", "source.c.tmpl", "check.c.tmpl" } do
    for word in template.text(name):gsub("/%*.-%*/", " "):gmatch("%a[%w_]*") do
      local parts = {}
      for part in word:gmatch("[^_]+") do parts[#parts + 1] = part end
      for first = 1, #parts do
        for last = first, #parts do found[table.concat(parts, "_", first, last)] = true end
      end
    end
  end
  for _, identifier in ipairs(names.of_spec("tested", { "x", "y", "z" })) do claimed[identifier] = true end
  for word in require("base.ordered").pairs(found) do
    local free = not names.problem(kind, word)
    for _, identifier in ipairs(identifiers("tested", word)) do
      free = free and not claimed[identifier]
    end
    for _, identifier in ipairs(free and identifiers("tested", word) or {}) do claimed[identifier] = true end
    if free then list[#list + 1] = word end
  end
  assert(#list > 300, #list)
  return list
end

-- As many as a spec can have, and the rest.
local function each_part(list, visit)
  for first = 1, #list, 900 do visit(table.move(list, first, math.min(first + 899, #list), 1, {})) end
end

-- Compiles the outputs, as C and from C++, with a header of MPI that has just what ours needs.
local function compile(outputs)
  local folder = os.tmpname()
  os.remove(folder)
  assert(os.execute("mkdir " .. folder))
  outputs["mpi.h"] = "typedef struct stub *MPI_Comm, *MPI_Datatype;\n"
  outputs["includer.cpp"] = '#include "tested.h"\n'
  for name, text in pairs(outputs) do
    local file = assert(io.open(folder .. "/" .. name, "w"))
    file:write(text)
    file:close()
  end
  local flags = ("-fsyntax-only -Wall -Wextra -Werror -I%s -I'%s/runtime/include' "):format(folder, source_root)
  local fine = os.execute(("cc -std=c11 %s %s/tested.c"):format(flags, folder))
    and os.execute(("! command -v c++ >/dev/null || c++ -std=c++17 %s %s/includer.cpp"):format(flags, folder))
  os.execute("rm -r " .. folder)
  assert(fine, "emitted code does not compile")
end

case("fields can be called like anything in emitted code", function()
  each_part(words_for("field", names.of_field), function(list)
    compile(generate([[
      local grid = cartesian { axes = "x", periodic = "x" }
      local f1 = field "f1" { on = grid, type = "int16_t", halo = 1 }
      fields { on = grid, type = "double", halo = 1, "]] .. table.concat(list, '", "') .. [[" }
      return spec "tested" { exchange "e1" { f1 } }
    ]], "HG1701").outputs)
  end)
end)

case("so can exchanges", function()
  each_part(words_for("exchange", names.of_exchange), function(list)
    for i, word in ipairs(list) do list[i] = ('exchange "%s" { f1 }'):format(word) end
    compile(generate([[
      local grid = cartesian { axes = "x", periodic = "x" }
      local f1 = field "f1" { on = grid, type = "int16_t", halo = 1 }
      return spec "tested" { ]] .. table.concat(list, ", ") .. [[ }
    ]]).outputs)
  end)
end)

case("so can axes, which are parameters, and whose names stand behind a letter", function()
  for _, axes in ipairs { '"table", "fields", "links"', '"strip", "pair", "to"', '"h", "s", "n"', '"f", "o", "i"',
    '"int", "tested", "c"', '"I", "new", "INT_MAX"', '"size_t", "hx_part", "MPI_Comm"' } do
    compile(generate(([[
      local grid = cartesian { axes = { %s } }
      return spec "tested" { exchange "e1" { field "f1" { on = grid, type = "int16_t", halo = 1, components = 2 } } }
    ]]):format(axes)).outputs)
  end
end)

case("parameters are called as their axes, but where that means something else", function()
  local spec = { ocean = true }
  for _, axis in ipairs { "x", "lat", "level", "part" } do assert(names.parameter_of_axis(axis, spec) == axis) end
  for _, axis in ipairs { "s", "c", "int", "class", "ocean", "size_t" } do
    assert(names.parameter_of_axis(axis, spec) == "i_" .. axis)
  end
end)
