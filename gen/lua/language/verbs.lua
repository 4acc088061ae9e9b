-- The verbs of the language, but those that make grids: these are described beside their geometry, in grids/…_grid.lua.
-- verb.lua says what the entries mean.

local verb = require "language.verb"

local verbs = {}

local positions = {
  { "center", "in the middle of the cell" },
  { "low", "on the face below the cell" },
  { "high", "on the face above the cell" },
  { "both", "on all faces, one more than there are cells" },
}

local keys_of_fields = {
  { key = "on", type = "grid", must = true, text = "its grid" },
  { key = "type", type = "element", must = true,
    text = "what a point holds: a type of C, as C spells it, or what `struct` returned", below = true },
  -- The prover works through every extent of a tile up to twice the width and two more: no deeper halos.
  { key = "halo", type = "layers", default = 0, least = 0, most = 64,
    text = "layers that are allocated around a block, LIMITS: a number, `{ x = 2, z = 1 }`, or per side "
      .. "`{ x = { lo = 2, hi = 1 } }`; 0 where nothing is said" },
  { key = "halo_at", type = "word", default = "around", called = "place of a halo", below = true, text = "where the halo lies",
    words = { { "around", "owned points and halo are one box" }, { "behind", "the halo lies behind the owned points" } } },
  { key = "at", type = "words_by_axis", default = "center", called = "position",
    text = "where its points lie along an axis: a word for all axes, or `{ x = \"low\", y = \"both\" }`", words = positions,
    inner = { words = positions, called = "position" } },
  { key = "order", type = "axes", otherwise = "the grid's",
    text = "its own order in memory: all axes, the fastest first" },
  -- At most a page, in elements of one byte.
  { key = "padding", type = "counts", default = 0, least = 0, most = 4096,
    text = "points allocated beyond the halo on the high side of an axis, so that rows or planes start where they should: "
      .. "`{ x = 2, y = 1 }`, LIMITS" },
  { key = "components", type = "components", otherwise = "one, no axis of its own", least = 1, most = 1000,
    text = "how many numbers a point holds, LIMITS, and where they lie: `5` or `{ 5, \"innermost\" }` side by side; "
      .. "`{ 5, \"outermost\" }` one behind the other; `{ 5, after = \"x\" }` behind axis x, before the next slower one",
    inner = { called = "place of components",
      words = { { "innermost", "side by side" }, { "outermost", "one behind the other" } } } },
  { key = "directions", type = "directions", otherwise = "all components from everywhere",
    text = "one per component, `{ { 0, 0 }, { 1, 0 }, … }`, entries -1, 0 and 1, the axes in the grid's order; `components` "
      .. "may then be left out" },
  { key = "memory", type = "word", default = "host", called = "memory", text = "where its arrays lie",
    words = { { "host", "in the memory of the host" }, { "cuda", "in the memory of a GPU" } } },
}

verbs.field = verb.new {
  verb = "field", call = "named", kind = "field",
  text = "Makes one field: an array of points on a grid, for each block of it, with a halo around.",
  example = 'field "p" { on = grid, type = "double", halo = 1 }',
  keys = keys_of_fields,
}

verbs.fields = verb.new {
  verb = "fields", call = "table", kind = "field",
  text = "Makes several fields alike, and returns one value for each name. Write `...` and calls last in the table.",
  example = 'fields { "u", "v", on = grid, type = "double", halo = 1 }',
  list = { title = "names", kind = "string", must = true, text = "one or more, without keys" },
  keys = keys_of_fields,
}

verbs.vector = verb.new {
  verb = "vector", call = "named", kind = "vector",
  text = "Says that fields are components of a vector. Where the grid turns, components follow the axes.",
  example = 'vector "wind" { u, v }',
  list = { title = "components", kind = "field", must = true,
    text = "one field per axis, without keys, in the grid's order; the last axes may be left out" },
  keys = {
    { key = "kind", type = "word", default = "vector", called = "kind of vector", below = true, text = "what happens to signs",
      words = { { "vector", "an arrow" }, { "pseudovector", "a spin" }, { "unsigned", "belongs to axes, and has no sense along them" } } },
  },
  elsewhere = {},
}

for _, key in ipairs { "on", "type", "halo", "components" } do
  verbs.vector.elsewhere[key] = "a vector joins fields, u and v as in vector \"wind\" { u, v }: give it to each of them.  One array of several numbers a "
    .. "point is a field with components"
end

verbs.struct = verb.new {
  verb = "struct", call = "table", kind = "struct",
  text = "Makes a type of your own, whose values are copied whole.",
  example = 'struct { name = "cell", header = "cell.h", size = 24, align = 8 }',
  keys = {
    { key = "name", type = "string", must = true, text = "name of the type in C, a typedef" },
    { key = "header", type = "string", must = true,
      text = "header that declares it, a relative path: emitted code has `#include \"particles.h\"`" },
    { key = "size", type = "integer", must = true, least = 1, most = 65536, text = "its `sizeof`, LIMITS" },
    { key = "align", type = "integer", must = true, text = "its `_Alignof`: 1, 2, 4, 8 or 16" },
  },
}

-- Keys that an exchange has for all of its fields, and a table inside of it for some of them.
local width = { key = "width", type = "layers", otherwise = "the halo of each field",
  text = "layers that are filled, written like `halo`; nowhere more than a field's halo" }
local wire = { key = "wire", type = "word", otherwise = "as they are in memory", called = "format", below = true,
  text = "how numbers travel, if shorter than they are",
  words = { { "float", "24 binary digits, 4 bytes" }, { "half", "11 binary digits, 2 bytes" }, { "bfloat16", "8 binary digits, 2 bytes" },
    { "int8", "integers, 1 byte" }, { "int16", "2 bytes" }, { "int32", "4 bytes" } } }
local wrong = { key = "error", type = "number", otherwise = "what `wire` brings", below = true,
  text = "how much rounding for the wire may change a number, relative to it, as in `1e-6`" }

verbs.exchange = verb.new {
  verb = "exchange", call = "named", kind = "exchange",
  text = "Names fields that travel together, in one message to each peer. It becomes functions that start and finish.",
  example = 'exchange "pressure" { p }',
  list = { title = "fields", kind = "field", must = true, below = true,
    text = "one or more, without keys, each once; fields with keys of their own are in a table, `{ u, v, width = 2 }`",
    inner = verb.new {
      verb = "exchange_fields", text = "Fields of an exchange, with keys that hold for them in place of those of the exchange.",
      example = "{ u, v, width = 2 }",
      list = { title = "fields", kind = "field", must = true, text = "one or more, without keys" },
      keys = { width, wire, wrong }, elsewhere = {},
    },
  },
  keys = {
    width,
    wire,
    wrong,
    { key = "sums", type = "word", otherwise = "sums of numbers as they are", called = "kind of sums",
      text = "what `op = \"add\"` adds where it has a `wire`",
      words = { { "rounded", "numbers that were rounded on the way" } } },
    { key = "stencil", type = "word_or_directions", default = "box", called = "stencil",
      below = true,
      text = "which parts of the halo are filled, by a word or by a list of directions",
      words = { { "box", "faces, edges and corners" }, { "star", "faces only" } } },
    { key = "op", type = "word", default = "copy", called = "operation", text = "what is done with ghost points",
      words = { { "copy", "they become what feeds them" }, { "add", "they are added to it" },
        { "min", "it takes the lesser of both" }, { "max", "it takes the greater of both" } } },
    { key = "ghosts", type = "word", otherwise = "`\"zero\"` with `\"add\"`, else `\"keep\"`", called = "fate of ghost points",
      text = "what becomes of ghost points that were sent back",
      words = { { "zero", "they become 0" }, { "keep", "they stay as they are" } } },
    { key = "boundary", type = "words_by_side", default = "none", called = "fill of a wall",
      below = true,
      text = "what fills ghost points beyond walls: a word for all walls, or `{ x = \"zero\", y = { lo = \"mirror\" } }`",
      words = { { "none", "nothing" }, { "zero", "0" }, { "copy", "the nearest owned point" }, { "mirror", "the mirror image" },
        { "antimirror", "its opposite" }, { "hook", "a function of the application" } } },
    { key = "corners", type = "axes", otherwise = "none", below = true,
      text = "axes along which ghost points can be filled in corners of tiles where no tile lies" },
    { key = "only", type = "word", otherwise = "the halo", called = "kind of points", below = true,
      text = "which points, if not the halo",
      words = { { "shared", "points that several blocks own are made to agree" } } },
    { key = "agree", type = "word", default = "greater", called = "rule for shared points",
      below = true,
      text = "with `only`: what a shared point becomes",
      words = { { "greater", "what the block has of which it is the low face" }, { "owner", "what its owner has" },
        { "mean", "the mean" }, { "sum", "the sum" } } },
  },
  later = {
    schedule = "leave it out: a program chooses it when it runs, by option schedule of hx_options, or HX_SCHEDULE in the "
      .. "environment",
  },
}

for _, key in ipairs(verbs.exchange.names) do
  local inner = verbs.exchange.list.inner
  if not inner.at[key] then inner.elsewhere[key] = "write it outside of this table: it holds for all fields of the exchange" end
end

verbs.step = verb.new {
  verb = "step", call = "named", kind = "step",
  text = "Is one loop over points in a cycle: which fields it computes, and how far around each point it reads.",
  example = 'step "diffuse" { reads = { u = 1 }, writes = { "u" } }',
  keys = {
    { key = "reads", type = "reads", otherwise = "nothing", below = true, least = 0, most = 64,
      text = "fields, by name, and how many points to either side of its own index a point reads, LIMITS: `{ u = 1, v = 0 }`; "
        .. "each written like `halo`" },
    { key = "writes", type = "names", must = true, text = "a list of the names of the fields that it computes" },
    { key = "stencil", type = "word", default = "box", called = "stencil", text = "which of the points around it are read",
      words = { { "box", "all within reach" }, { "star", "those along the axes" } } },
  },
}

verbs.cycle = verb.new {
  verb = "cycle", call = "named", kind = "cycle",
  text = "Says what a program does again and again between exchanges. One exchange then serves as many cycles as its halo is deep for.",
  example = 'cycle "advance" { exchange = state, step "diffuse" { reads = { u = 1 }, writes = { "u" } } }',
  list = { title = "steps", kind = "step", must = true, text = "one or more, without keys, in their order" },
  keys = {
    { key = "exchange", type = "exchange", must = true, below = true,
      text = "what `exchange` returned: the one that goes before a cycle, when it must" },
  },
}

verbs.spec = verb.new {
  verb = "spec", call = "named", kind = "spec",
  text = "Is the whole: the file returns it. Its name becomes the name of files and the first part of every function.",
  example = 'spec "name" { exchange "pressure" { p } }',
  list = { title = "exchanges", kind = "exchange", also = "cycle", must = true, text = "one or more, without keys, and cycles" },
  keys = {
    { key = "version", type = "integer", default = 1, text = "version of this language" },
  },
}

verbs.param = verb.new {
  verb = "param", call = "named", kind = "values",
  text = "Is a value that a build may choose, by `-D NAME=VALUE`. It returns that, else the default.",
  example = 'param "radius" { default = 2, min = 1, max = 8 }',
  keys = {
    { key = "default", type = "scalar", must = true, text = "the value where nobody gives another" },
    { key = "type", type = "word", otherwise = "that of the default", text = "type of the value",
      words = { { "integer" }, { "number" }, { "boolean" }, { "string" } } },
    { key = "min", type = "number", otherwise = "no limit", text = "the least value of a number" },
    { key = "max", type = "number", otherwise = "no limit", text = "the greatest value of a number" },
    { key = "values", type = "names", otherwise = "any of at most 60 letters, digits, spaces and `_ . + -`",
      text = "a list of the strings that there are" },
    { key = "text", type = "string", otherwise = "none", text = "one line that says what it is" },
  },
}

verbs.include = verb.new {
  verb = "include", call = "file", kind = "values",
  text = "Evaluates another file, named relative to this one, once. It returns what that file returns.",
  example = 'include "grid.lua"',
  keys = {},
}

-- All of them, in the order of the documents.
verbs.all = { verbs.field, verbs.fields, verbs.vector, verbs.struct, verbs.exchange, verbs.step, verbs.cycle, verbs.spec, verbs.param, verbs.include }

return verbs
