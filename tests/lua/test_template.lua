-- The template engine: lines of Lua, values in text, and errors that carry template:line.

local case = require "case"
local stand_in = require "stand_in"
local template = require "base.template"

-- What a template gives for a view: a text, or a table of templates by name, among them test.tmpl.
local function render(text, view)
  local texts = type(text) == "table" and text or { ["test.tmpl"] = text }
  stand_in.install({}).template = function(name)
    if texts[name] then return texts[name], "@templates/" .. name end
    return nil, "there is no " .. name
  end
  return template.render("test.tmpl", view or {})
end

local function refused(text, words)
  local fine, message = pcall(render, text, { n = 2 })
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

case("a template includes others", function()
  assert(render { ["test.tmpl"] = '1\n% include "a/b.tmpl"\n3', ["a/b.tmpl"] = "2\n" } == "1\n2\n3\n")
  -- It sees the view and globals, and sets them; locals are given.
  assert(render({ ["test.tmpl"] = '% x = 1\n% include "a"\n$(x) $(n) $(y())', a = "% x = x + n\n% function y() return 7 end" },
    { n = 2 }) == "3 2 7\n")
  assert(render({ ["test.tmpl"] = '% for i = 1, n do\n%   include("a", { i = i })\n% end\n$(x or "none")',
    a = '% x = 2 * i\n$(i) $(n) $(x)\n% include "b"', b = "b$(x)" }, { n = 2 }) == "1 2 2\nb2\n2 2 4\nb4\nnone\n")
end)

case("errors of an included template name it, and others the line that includes it", function()
  local including = '1\n% include("a", {})'
  refused({ ["test.tmpl"] = including, a = "\n\n$(none)" }, "templates/a:3: piece 1 of this line is nil")
  refused({ ["test.tmpl"] = including, a = "\n$(n" }, "templates/a:2: $( without its )")
  refused({ ["test.tmpl"] = including, a = "\n% for for" }, "templates/a:2:")
  refused({ ["test.tmpl"] = including, a = "\n% error 'own'" }, "templates/a:2: own")
  refused({ ["test.tmpl"] = including }, "templates/test.tmpl:2: there is no a")
  refused({ ["test.tmpl"] = including, a = '% include "b"' }, "templates/a:1: there is no b")
  refused({ ["test.tmpl"] = including, a = '\n% include "test.tmpl"' }, "templates/a:2: 'test.tmpl' includes itself")
end)

case("the text of a template has all that it includes, once", function()
  render { ["test.tmpl"] = '% include "a"\none\n%   include("b", {})', a = '% include "b"\ntwo', b = "three" }
  local text = template.text("test.tmpl")
  assert(text:find("one", 1, true) and text:find("two", 1, true) and select(2, text:gsub("three", "")) == 1, text)
end)
