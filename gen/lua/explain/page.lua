-- The page of `halogen explain … --html FILE`: one HTML file with all that it needs, and nothing from a network.
--
-- Its script is made of small modules of JavaScript (templates/explain).  Each becomes a function here, whose exports
-- are the properties of `modules["FOLDER/NAME"]`; so no names meet, and the modules can be run by themselves in tests.

local json = require "explain.json"
local template = require "base.template"

local page = { MOST_BLOCKS = 1024 } -- as templates/explain/model/answer.js has it

-- Each after those that it imports.
page.scripts = {
  "model/box", "model/process_grid", "model/layout", "model/corners", "model/cut", "model/shared_points", "model/schedule", "model/segments",
  "model/answer", "model/net", "model/run", "model/runs", "model/predict", "model/cycles",
  "view/svg", "view/words", "view/cell", "view/block", "view/exploded", "view/feeders", "view/neighbors", "view/map", "view/globe",
  "view/joints", "view/graph", "view/message_sheet", "view/message_bar", "view/message_rows", "view/message", "view/matrix", "view/bars",
  "view/measured", "view/predicted", "view/cycles", "view/statistics",
  "page/state", "page/place", "page/controls", "page/save", "page/summary", "page/told", "page/block", "page/neighbors", "page/globe",
  "page/map", "page/message", "page/traffic", "page/times", "page/choose", "page/listen", "page/main",
}

local function file(name)
  return (assert(host.template(name)):gsub("\n$", ""))
end

-- In model/answer, `import { a, b } from "./box.js";` becomes `const { a, b } = modules["model/box"];`.
local function script(name)
  local folder = name:match "^[^/]+"
  local text = file(("explain/%s.js"):format(name))
  local exports = {}
  text = ("\n" .. text):gsub('\nimport (%b{}) from "%.(%.?)/([%w_/]+)%.js";', function(names, up, path)
    return ('\nconst %s = modules["%s"];'):format(names, up == "" and folder .. "/" .. path or path)
  end)
  text = text:gsub("\nexport (%l+) ([%w_]+)", function(kind, what)
    exports[#exports + 1] = what
    return ("\n%s %s"):format(kind, what)
  end)
  return ('modules["%s"] = (() => {%s\nreturn { %s };\n})();'):format(name, text, table.concat(exports, ", "))
end

local function escaped(text)
  return (text:gsub("[&<>\"]", { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }))
end

-- ---- words ----------------------------------------------------------------------------------------------------------

local KINDS = {
  cartesian = "a Cartesian grid",
  cubed_sphere = "the cubed sphere",
  fold = "a grid that is folded",
  tiles = "tiles that are connected",
  index_list = "a list of points",
}

local MAPS = {
  cartesian = "The grid as it is divided. Arrows lead from those that feed the block across a face.",
  cubed_sphere = "The six tiles unfolded. Arrows lead from those that feed the block across a face.",
  fold = "The grid as it is divided. The purple side is folded: arcs join the halves that lie on each other, about the pivots.",
  tiles = "The tiles laid side by side where they meet. Arrows lead from those that feed the block across a face.",
}

-- Classes of cells, and what they are.  Paths of devices are told of where a field lies on one, corners where an exchange fills some.
local LEGEND = {
  { class = "interior", words = "owned" },
  { class = "rim", words = "owned, at the rim" },
  { class = "ghost self", words = "ghost, within the rank" },
  { class = "ghost shared", words = "ghost, by shared memory" },
  { class = "ghost device", words = "ghost, from device to device", on_device = true },
  { class = "ghost network", words = "ghost, by the network" },
  { class = "wall filled", words = "behind a wall, filled: 0 zero, = copy, M mirror, ƒ hook" },
  { class = "wall empty", words = "behind a wall, not filled" },
  { class = "corner", words = "at a corner without a tile, filled when asked", of_corners = true },
  { class = "none", words = "left alone" },
}

local function legend(tables)
  local on_device, of_corners = false, false
  for _, field in ipairs(tables.field) do on_device = on_device or field.on_device == 1 end
  for _, exchange in ipairs(tables.exchange) do of_corners = of_corners or #exchange.corner_fill > 0 end
  local out = {}
  for _, entry in ipairs(LEGEND) do
    if (on_device or not entry.on_device) and (of_corners or not entry.of_corners) then out[#out + 1] = entry end
  end
  return out
end

local function about(tables)
  local names = {}
  for i, field in ipairs(tables.field) do names[i] = field.name end
  return ("%s on %s with the axes %s. Made by halogen from %s."):format(
    #names == 1 and "Field " .. names[1] or "Fields " .. table.concat(names, ", "), KINDS[tables.kind] or tables.kind,
    table.concat(tables.axis, ", "), tables.file)
end

-- The page.  tables: of explain/tables.lua; question: { cells = per tile, parts = per tile or nil, ranks, perNode, rank,
-- byDimension, machine or nil }, or nil for a list of points; run: what a run wrote, or nil.
function page.render(tables, question, run)
  local data = json.text { spec = tables, question = question, run = run }
  return template.render("explain/page.html.tmpl", {
    title = escaped(tables.name),
    version = host.options.version,
    origin = escaped(tables.file),
    hash = tables.hash,
    subtitle = escaped(KINDS[tables.kind] or tables.kind),
    about = escaped(about(tables)),
    map_words = MAPS[tables.kind] or MAPS.cartesian,
    machine = escaped(question and question.machine and question.machine.file or "no machine"),
    legend = legend(tables),
    data = data:gsub("<", "\\u003c"):gsub("\n$", ""),
    scripts = page.scripts,
    script = script,
    file = file,
  })
end

return page
