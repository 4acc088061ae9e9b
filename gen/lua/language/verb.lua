-- How a verb of the language is described: one table, from which everything about its keys comes.  The reader takes from it
-- which keys there are, which words, which defaults, and what messages call them; halogen.lua, which tells editors, and the
-- tables of docs/spec-language.md are printed from it (gen/integration/lua).
--
--   verb      its name
--   call      how it is called: "table", as cartesian { … }; "named", as field "p" { … }; "file", as include "grid.lua"
--   kind      what it returns: a kind of node; or "values", which are no business of the language
--   text      one or two sentences, in Markdown
--   example   one line
--   list      nil, or what stands in its table without keys: { title =, kind = a kind of node or "string", text =, must = true,
--             below =, inner = a description of tables that may stand there, too, also = nil, or a second kind }
--   keys      a list of keys
--   later     nil, or keys that it does not have, and what to write instead: { nproma = "leave it out" }
--   elsewhere nil, or keys that another verb has, and what to write there
--
-- A key is { key = "halo", type = a name in `types`, text = what it says, in Markdown, and
--   below     true: the page has more about it below the table
--   must      true: it must be given
--   default   the value where it is not given; or otherwise = what holds then, in Markdown
--   words     for types with words: { { "box", "faces, edges and corners" }, … }; a text may be missing
--   called    what messages call one of these words
--   least, most   limits of its numbers, or of how many there are; LIMITS in a text stands for "0 to 64"
--   inner     the same two, for words inside of a table: { words =, called = } }
--
-- Some modules read this while a spec runs, so that strings have no methods: they call string.find(s, …), not s:find(…).

local verb = {}

-- Types of values.
--   title        what messages say that a value must be
--   takes        what it can be: "string", "integer", "number", "boolean", "table" or a kind of node
--   annotation   the same to the bottom, as LuaLS writes it; WORD and INNER stand for the words of a key
verb.types = {
  axes = { title = "a string or a list of names", takes = { "string", "table" }, annotation = "string | string[]" },
  axis = { title = "the name of an axis", takes = { "string" }, annotation = "string" },
  components = { title = "an integer", takes = { "integer", "table" }, annotation = "integer | halogen.components" },
  connections = { title = "a list of connections", takes = { "table" }, annotation = "halogen.connection[]" },
  counts = { title = "a table with axes", takes = { "table" }, annotation = "table<string, integer>" },
  directions = { title = "a list of directions", takes = { "table" }, annotation = "integer[][]" },
  element = { title = "the name of a type, or what struct returned", takes = { "string", "struct" },
    annotation = "halogen.type | halogen.struct" },
  exchange = { title = "an exchange", takes = { "exchange" }, annotation = "halogen.exchange" },
  grid = { title = "a grid", takes = { "grid" }, annotation = "halogen.grid" },
  integer = { title = "an integer", takes = { "integer" }, annotation = "integer" },
  layers = { title = "an integer", takes = { "integer", "table" },
    annotation = "integer | table<string, integer | halogen.layers>" },
  names = { title = "a list of names", takes = { "table" }, annotation = "string[]" },
  number = { title = "a number", takes = { "integer", "number" }, annotation = "number" },
  reads = { title = "a table with fields", takes = { "table" },
    annotation = "table<string, integer | table<string, integer | halogen.layers>>" },
  scalar = { title = "a number, a string or a boolean", takes = { "integer", "number", "string", "boolean" },
    annotation = "number | string | boolean" },
  string = { title = "a string", takes = { "string" }, annotation = "string" },
  word = { title = "a string", takes = { "string" }, annotation = "WORD" },
  word_or_directions = { title = "a string", takes = { "string", "table" }, annotation = "WORD | integer[][]" },
  words_by_axis = { title = "a string", takes = { "string", "table" }, annotation = "WORD | table<string, INNER>" },
  words_by_side = { title = "a string", takes = { "string", "table" }, annotation = "WORD | table<string, WORD | halogen.fills>" },
}

local function list_words(words)
  local list = {}
  for i, word in ipairs(words.words or {}) do list[i] = word[1] end
  words.list = list
end

-- The description with what follows from it: names, a list of the keys' names; and at, the keys by name.  A key has in `list`
-- its words without their texts.
function verb.new(description)
  description.names, description.at = {}, {}
  for i, key in ipairs(description.keys) do
    assert(verb.types[key.type], key.key)
    list_words(key)
    if key.most then key.text = string.gsub(key.text, "LIMITS", string.format("%d to %d", key.least, key.most)) end
    if key.inner then list_words(key.inner) end
    description.names[i], description.at[key.key] = key.key, key
  end
  return description
end

return verb
