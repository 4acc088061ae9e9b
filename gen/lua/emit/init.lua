-- `halogen init NAME`: a spec, a program, a build file, and a file for editors, to start from.

local report = require "base.report"
local template = require "base.template"

local init = {}

-- How many tiles the grid has; none of an index list.
local TILES = { cartesian = 1, ["cubed-sphere"] = 6, fold = 1, tiles = 2 }

-- What --emit takes for a language, the endings of what is written then, and of the program.
local LANGUAGES = {
  c = { emit = "c", endings = { ".h", ".c" }, program = "main.c" },
  cxx = { emit = "c,cxx", endings = { ".h", ".hpp", ".c" }, program = "main.cc" },
  fortran = { emit = "c,fortran", endings = { ".h", ".c", "_module.f90", "_fortran.c" }, program = "main.f90" },
  python = { emit = "c,python", endings = { ".h", ".c", "_python.c", ".py" }, program = "main.py" },
}

-- The build file, the folder of what is built, and within it that of what is emitted.
local BUILDS = {
  make = { file = "Makefile", folder = ".", emitted = "generated" },
  cmake = { file = "CMakeLists.txt", folder = "build", emitted = "halogen/%s" },
  meson = { file = "meson.build", folder = "build", emitted = "." },
}

-- Names that a build tool keeps for targets and folders of its own.
local RESERVED = {
  make = "Makefile generated modules",
  cmake = "all clean help install preinstall package edit_cache rebuild_cache list_install_components ALL_BUILD ZERO_CHECK INSTALL "
    .. "RUN_TESTS CMakeFiles Makefile",
  meson = "all clean test install uninstall dist distcheck benchmark coverage reconfigure PHONY",
}

local function with_name(name, endings, format)
  local out = {}
  for i, ending in ipairs(endings) do out[i] = format:format(name .. ending) end
  return out
end

-- A path as the inside of a text of JSON.
local function as_json(path)
  return path and path:gsub('["\\%c]', function(byte) return ("\\u%04x"):format(byte:byte()) end)
end

local function view_of(question, name)
  local language, build = LANGUAGES[question.language], BUILDS[question.build]
  return {
    name = name, NAME = name:upper(), grid = question.grid, tiles = TILES[question.grid],
    build = question.build, language = question.language, annotations = as_json(question.annotations), dollar = "$",
    emit = language.emit,
    make_files = table.concat(with_name("%", language.endings, "generated/%s"), " "),
    meson_files = table.concat(with_name(name, language.endings, "'%s'"), ", "),
    build_folder = build.folder, emitted_folder = build.emitted:format(name),
  }
end

-- A path as a word of the shell.
local function as_word(path)
  return path and (path:find("^[%w%._/+-]+$") and path or "'" .. path:gsub("'", "'\\''") .. "'")
end

-- Words of a program, without comments and texts.
local function words_of(text)
  local words = {}
  for _, pattern in ipairs { "/%*.-%*/", '""".-"""', "//[^\n]*", '"[^"\n]*"', "'[^'\n]*'", "![^\n=][^\n]*", "#[^\n]*" } do
    text = text:gsub(pattern, " ")
  end
  for word in text:gmatch("[%a_][%w_]*") do words[word:lower()] = true end
  return words
end

-- Whether the program has the name for something of its own.
local function is_taken(question, program)
  return words_of(template.render(program, view_of(question, "name_of_the_spec")))[question.name:lower()]
end

local function is_reserved(question)
  return (" " .. RESERVED[question.build] .. " "):find(" " .. question.name .. " ", 1, true)
end

-- More than emitted names may have (rules/check_names.lua); names of files have a limit, too.
local MOST_LETTERS = 63

function init.run(question)
  local kind = question.grid == "list" and "list" or "boxes"
  local language, build = LANGUAGES[question.language], BUILDS[question.build]
  local program = ("init/%s.%s.tmpl"):format(kind, language.program:match("%.(.*)"))
  if not question.name:find("^%a[%w_]*$") then
    return report.error("HG0010", nil, ("%s cannot be the name of a spec"):format(report.quote(question.name)),
      "take letters, digits and _, a letter first")
  elseif #question.name > MOST_LETTERS then
    return report.error("HG0010", nil, ("the name of a spec cannot have %d characters"):format(#question.name), "take a shorter one")
  elseif is_reserved(question) then
    return report.error("HG0010", nil, ("%s keeps the name '%s' for itself"):format(question.build, question.name),
      "choose another name, or another --build")
  elseif is_taken(question, program) then
    return report.error("HG0010", nil, ("the program has '%s' for something else"):format(question.name), "choose another name")
  end
  local view = view_of(question, question.name)
  local files = {
    { question.name .. ".lua", "init/spec.lua.tmpl" },
    { language.program, program },
    { build.file, ("init/%s.tmpl"):format(build.file) },
    { "luarc.json", "init/luarc.json.tmpl" }, -- which the parent gives its dot
  }
  for _, file in ipairs(files) do host.output(file[1], template.render(file[2], view)) end
  view.written = ("%s.lua, %s, %s and .luarc.json"):format(question.name, language.program, build.file)
  view.folder = as_word(question.output)
  host.print(template.render("init/next.txt.tmpl", view))
end

return init
