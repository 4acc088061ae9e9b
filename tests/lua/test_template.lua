-- The template engine: lines of Lua, values in text, and errors that carry template:line.

local case = require "case"
local stand_in = require "stand_in"
local template = require "base.template"

-- What a template of this text gives for a view.
local function render(text, view)
  stand_in.install({}).template = function(name)
    if text then return text, "@templates/" .. name end
    return nil, "there is no " .. name
  end
  return template.render("test.tmpl", view or {})
end

local function refused(text, words)
  local fine, message = pcall(render, text)
  assert(not fine and tostring(message):find(words, 1, true), tostring(message))
end

case("values, loops, and lines as they stand", function()
  assert(render("% for i = 1, n do\na$(i)b$(i * 2)\n% end\n\nlast", { n = 2 }) == "a1b2\na2b4\n\nlast\n")
end)

case("further lines of a value are indented to where it stands", function()
  assert(render("  x $(v);\n", { v = "1\n2" }) == "  x 1\n    2;\n")
end)

case("errors say where", function()
  refused("one\n$(1", "templates/test.tmpl:2: $( without its )")
  refused("one\n\n$(none)", "templates/test.tmpl:3: piece 1 of this line is nil")
  refused("% for for", "templates/test.tmpl:1:")
  refused("% error 'own'", "templates/test.tmpl:1: own")
  refused(nil, "there is no test.tmpl")
end)
