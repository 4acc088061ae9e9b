-- The language of specs: its verbs, and how a spec is evaluated.  (The same for users: docs/spec-language.md.)
--
-- verbs.lua describes the verbs, and each of grids/…_grid.lua one that makes a grid.
--
-- Verbs only record; model.lua looks at what was recorded when the spec has run.

local list_entries = require "language.list_entries"
local locate = require "base.locate"
local nodes = require "language.nodes"
local ordered = require "base.ordered"
local params = require "language.params"
local report = require "base.report"
local sandbox = require "language.sandbox"
local verbs = require "language.verbs"

local spec = {}

-- Disables tail calls in the file's main part, because after `return cartesian { … }` as a tail call Lua would no
-- longer know the line.  Stands on the first line of the text, so that line numbers hold.
local prologue = ("local halogen_keeps_lines <close>, %s = nil, %s; "):format(list_entries.name, list_entries.name)

-- One evaluation: every node made, how many of each kind, texts by file, how often a verb was called on a line, and the
-- entries of tables that are watched.
local function new_run(path)
  return { file = path, nodes = {}, counts = {}, texts = {}, sources = {}, calls = {}, included = {}, including = {}, entries = {},
    params = {}, problems = {}, given = params.given(host.options.params) }
end

-- More than anyone needs, and few enough to look at all of them.
local most_of_a_kind = 1000

-- File and line of the innermost part of the spec that is running.
local function caller(run)
  local level = 2
  while true do
    local info = debug.getinfo(level, "Sl")
    if not info then return nil end
    if run.sources[info.source] then return run.sources[info.source], info.currentline end
    level = level + 1
  end
end

local function call_of(run, verb, name)
  local file, line = caller(run)
  local key = string.format("%s:%d:%s:%s", file, line, verb, type(name) == "string" and name or "")
  run.calls[key] = (run.calls[key] or 0) + 1
  return { file = file, line = line, verb = verb, name = name, ordinal = run.calls[key] }
end

local function record(run, node)
  local count = (run.counts[node.kind] or 0) + 1
  run.counts[node.kind] = count
  if count > most_of_a_kind then
    nodes.fail("HG1605", string.format("more than %d %ss", most_of_a_kind, node.kind),
      string.format("a spec has at most %d of a kind", most_of_a_kind), node.call.verb)
  end
  run.nodes[#run.nodes + 1] = node
  return nodes.handle(node)
end

-- field "name" { … }; extra: whether there is more than the name between its parentheses, as in field("name", { … })
local function named_verb(run, kind)
  return function(name, ...)
    return record(run, { kind = kind, name = name, call = call_of(run, kind, name), extra = select("#", ...) > 0 })
  end
end

-- fields { "u", "v", … }: one node per name, which all share the table.  What is no list of names gives one node
-- without a name, which is reported when the spec has run.
local function fields_verb(run)
  return function(entries)
    local call = call_of(run, "fields", nil)
    local is_table = nodes.is_table(entries)
    local handles = {}
    for i = 1, math.max(is_table and #entries or 0, 1) do
      local name
      if is_table then name = entries[i] end
      handles[i] = record(run, { kind = "field", name = name, member = i, call = call, entries = entries })
    end
    return table.unpack(handles)
  end
end

-- struct { … }
local function struct_verb(run)
  return function(entries)
    return record(run, { kind = "struct", call = call_of(run, "struct"), entries = entries })
  end
end

-- A front end's verb, cartesian { … }.
local function grid_verb(run, front_end)
  return function(entries)
    return record(run, { kind = "grid", front_end = front_end, call = call_of(run, front_end.verb), entries = entries })
  end
end

-- ---- files --------------------------------------------------------------------------------------------------------

-- Splits "file:12: message" as Lua makes it; short is the file as Lua shortens it.
local function split_message(message, short)
  local prefix = short .. ":"
  if string.sub(message, 1, #prefix) == prefix then
    local line, rest = string.match(string.sub(message, #prefix + 1), "^(%d+): (.*)$")
    if line then return math.tointeger(tonumber(line)), rest end
  end
  return nil, message
end

local function short_name(source)
  return debug.getinfo(host.compile("return", source, {}), "S").short_src
end

-- Text as Lua can take it: without a byte order mark and a #! line.
local function readable(text)
  text = string.gsub(text, "^\xEF\xBB\xBF", "   ")
  return (string.gsub(text, "^( *)#[^\r\n]*", "%1"))
end

local function compile(run, text, file)
  return host.compile(prologue .. text, "@" .. file, (sandbox.environment(run.verbs)))
end

-- The same with entries of tables watched, unless that nests too deeply.
local function compile_watched(run, text, file)
  local chunk, wrong = compile(run, text, file)
  if not chunk then return nil, wrong end
  local marked
  sandbox.with_methods(string, function() marked = list_entries.mark(text, file, run.entries) end)
  return compile(run, marked, file) or chunk
end

-- A text that nests too deeply for Lua's parser: its error has been through explain(), and names no line.
local function is_too_deep(message)
  return type(message) == "table"
end

-- The line at which a text begins to nest too deeply: up to the line before, the parser finds other things wrong.
local function line_of_nesting(run, text, file)
  local ends = {}
  for at in string.gmatch(text .. "\n", "()\n") do ends[#ends + 1] = at - 1 end
  local first, last = 1, #ends
  while first < last do
    local middle = (first + last) // 2
    local _, message = compile(run, readable(string.sub(text, 1, ends[middle])), file)
    if is_too_deep(message) then last = middle else first = middle + 1 end
  end
  return first
end

-- What is likely to have led to a syntax error, or nil.
local function help_for_syntax(message, word)
  if string.find(message, "near <eof>", 1, true) then return "look for a bracket, a quote or an end that is missing" end
  if not word or not string.find(message, "^'}' expected") then return nil end
  if word == "=" then return "write a key as a name, without quotes: axes = \"xyz\"" end
  return string.find(word, "^[%w_\"'{]") and "is a comma missing before it?" or nil
end

-- Where a syntax error is: on the line that Lua names, at the token that it quotes.
local function syntax_error(run, text, file, message)
  local failure = { code = "HG1001", file = file }
  if is_too_deep(message) then
    failure.line, failure.message = line_of_nesting(run, text, file), "parentheses, tables or functions nest too deeply"
    failure.help = "name parts of it with local"
  else
    failure.line, failure.message = split_message(message, short_name("@" .. file))
    failure.word = string.match(failure.message, "near '(.+)'$")
    failure.help = help_for_syntax(failure.message, failure.word)
  end
  run.failure = failure
  error(failure, 0)
end

local function run_file(run, file, name)
  local text, message = host.read(file)
  if not text then
    local outside = string.find(message, "below its own directory", 1, true)
    nodes.fail("HG1005", message, name and (outside and "move the file there"
      or "write the name relative to the file that includes it"), name)
  end
  run.texts[file] = text
  run.sources["@" .. file] = file
  local chunk, wrong = compile_watched(run, readable(text), file)
  if not chunk then syntax_error(run, text, file, wrong) end
  run.including[file] = true
  local values = table.pack(chunk())
  run.including[file] = nil
  return values
end

-- The path of a file that is named in another file, the same for "a.lua" and "./a.lua".
local function relative_to(including, name)
  local path, changes = "/" .. name, nil
  repeat path, changes = string.gsub(path, "/%.?/", "/") until changes == 0
  if string.sub(name, 1, 1) == "/" then return path end
  return (string.match(including, "^.*/") or "") .. string.sub(path, 2)
end

local function include_verb(run)
  return function(name)
    if type(name) ~= "string" then
      nodes.fail("HG1102", "include needs the name of a file, not " .. nodes.describe(name), "write " .. verbs.include.example,
        "include")
    end
    local file = relative_to(caller(run), name)
    if run.including[file] then
      nodes.fail("HG1006", report.quote(file) .. " includes itself", "move what both need into a third file", name)
    end
    run.included[file] = run.included[file] or run_file(run, file, name)
    local values = run.included[file]
    return table.unpack(values, 1, values.n)
  end
end

-- Ends the spec with what is wrong, at a place of its own.
local function fail_at(run)
  return function(failure)
    failure.file, failure.line = failure.where.file, failure.where.line
    run.failure = failure
    error(failure, 0)
  end
end

-- front_ends: modules that give one verb each, which makes a grid; see the head of grids/cartesian_grid.lua.
local function verbs_of(run, front_ends)
  local out = { include = include_verb(run), struct = struct_verb(run), fields = fields_verb(run),
    param = params.verb(run, function() return caller(run) end), [list_entries.name] = list_entries.watch(run.entries, fail_at(run)) }
  for _, kind in ipairs { "field", "vector", "exchange", "step", "cycle", "spec" } do
    out[kind] = named_verb(run, kind)
  end
  for _, front_end in ipairs(front_ends) do
    out[front_end.verb] = grid_verb(run, front_end)
  end
  return out
end

-- ---- evaluation ---------------------------------------------------------------------------------------------------

-- The message without the place that Lua puts before it, in the spec or in what the spec called of ours.
local function without_place(run, message)
  local level, info = 2, nil
  repeat
    level, info = level + 1, debug.getinfo(level, "S")
    if info then message = select(2, split_message(message, info.short_src)) end
  until not info or run.sources[info.source]
  return message
end

-- What to look for when Lua ended a spec with this message, or nil.
local function help_for_error(message)
  if string.find(message, "stack overflow", 1, true) then return "look for a function that calls itself without end" end
  local name = string.match(message, "a nil value %(%a+ '([^']+)'%)")
  return name and string.format("look where %s is set: here it is nothing", name) or nil
end

-- Turns whatever ended a spec into { code =, file =, line =, message =, help =, word = what to point at on the line,
-- meant = what that probably should be, unknown = a name for which a better one is to be found }.
local function explain(run)
  return function(problem)
    if run.failure and problem == run.failure then return problem end
    local file, line = caller(run)
    if nodes.is_failure(problem) then
      return { code = problem.code, file = file or run.file, line = line, message = problem.message, help = problem.help,
        word = problem.word, meant = problem.meant, unknown = problem.code == "HG1003" and not problem.help and problem.word or nil }
    end
    local message = type(problem) == "string" and problem or "an error with " .. nodes.describe(problem)
    message = without_place(run, message)
    local kind, word = string.match(message, "%((%a+) '([^']+)'%)")
    word = word or string.match(message, "^bad argument #%d+ to '([^']+)'")
    if kind == "field" or kind == "method" then word = "." .. word end
    return { code = "HG1002", file = file, line = line, message = message, word = word or "error",
      help = help_for_error(message) }
  end
end

-- The variables that a text declares by `local`.
local function locals_of(text)
  local tokens, names = locate.tokens(text), {}
  local function token(i) return tokens[i] and tokens[i].text end
  for i = 1, #tokens do
    local at = token(i) == "local" and (token(i + 1) == "function" and i + 2 or i + 1)
    while at and tokens[at] and tokens[at].kind == "name" do
      names[#names + 1] = token(at)
      at = token(at + 1) == "<" and at + 4 or at + 1
      at = token(at) == "," and at + 1 or nil
    end
  end
  return names
end

-- What to write instead of an unknown name in a text: a help text, and a name like it if there is one.  environment: a table
-- of all that it shows.
local function instead_of(name, text, environment)
  local candidates = locals_of(text)
  for known in ordered.pairs(environment) do candidates[#candidates + 1] = known end
  local near = report.nearest(name, candidates)
  if near == name then
    return ("local %s stands below, or inside a block that has ended"):format(name)
  end
  if near then return ("did you mean %s?"):format(near), near end
  return ("write local %s = … before it"):format(name)
end

-- Evaluates the file.  Returns { nodes = all nodes in the order in which they were made, texts = { [file] = text },
-- values = what the file returned, packed } or nil and what went wrong.
function spec.evaluate(path, front_ends)
  local run = new_run(path)
  run.verbs = verbs_of(run, front_ends)
  local environment, known = sandbox.environment(run.verbs)
  local fine, result
  sandbox.with_methods(environment.string, function()
    fine, result = xpcall(run_file, explain(run), run, path)
  end)
  if fine then
    params.strangers(run)
    return { nodes = run.nodes, texts = run.texts, values = result, file = path, params = run.params, problems = run.problems }
  end
  local failure = type(result) == "table" and result or { code = "HG1002", message = tostring(result) }
  if failure.unknown then
    failure.help, failure.meant = instead_of(failure.unknown, run.texts[failure.file], known)
  end
  return nil, failure, run.texts, run.problems
end

return spec
