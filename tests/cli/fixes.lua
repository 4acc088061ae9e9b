-- Diagnostics in JSON, for all specs of tests/errors: each line is one valid object with the keys that docs/diagnosing.md
-- tells, they say what the text says, and start in lower case and have no period.  Fixes are those of fixes.txt,
-- which a person has read.  Each is applied to a copy of the spec: the diagnostic must be gone then, and all those
-- with fixes when all fixes of a spec are applied.
--
-- usage: lua5.4 fixes.lua HALOGEN [--update]

local function output_of(command)
  local pipe = assert(io.popen(command))
  local text = pipe:read("a")
  pipe:close()
  return text
end

local halogen, update = output_of(("realpath '%s'"):format(arg[1])):match("[^\n]+"), arg[2] == "--update"
local here = arg[0]:match("^(.*)/[^/]*$") or "."
local errors = here .. "/../errors"

local work = output_of("mktemp -d"):match("[^\n]+")

local function file_text(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("a")
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
end

-- ---- JSON, strictly -----------------------------------------------------------------------------------------------

local escapes = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }
local value

local function expect(text, at, pattern)
  local _, stop, found = text:find("^" .. pattern, at)
  return stop and stop + 1 or error(("no %s at byte %d of %s"):format(pattern, at, text)), found
end

local function string_at(text, at)
  local parts = {}
  at = expect(text, at, '"')
  while text:sub(at, at) ~= '"' do
    local plain = text:match('^[^"\\%c]+', at)
    if plain then
      parts[#parts + 1], at = plain, at + #plain
    elseif text:find("^\\u%x%x%x%x", at) then
      parts[#parts + 1], at = utf8.char(tonumber(text:sub(at + 2, at + 5), 16)), at + 6
    else
      local _, letter = expect(text, at, '\\(["\\/bfnrt])')
      parts[#parts + 1], at = escapes[letter], at + 2
    end
  end
  return table.concat(parts), at + 1
end

-- The entries between two brackets, each read by `entry(at)`, which returns where it ends.
local function entries(text, at, close, entry)
  at = at + 1
  if text:sub(at, at) == close then return at + 1 end
  repeat
    at = entry(at)
    local separator = text:sub(at, at)
    at = at + 1
  until separator ~= ","
  return expect(text, at - 1, "%" .. close)
end

local function object_at(text, at)
  local out = {}
  return out, entries(text, at, "}", function(start)
    local key, stop = string_at(text, start)
    assert(out[key] == nil, "a key twice: " .. key)
    out[key], stop = value(text, expect(text, stop, ":"))
    return stop
  end)
end

local function list_at(text, at)
  local out = {}
  return out, entries(text, at, "]", function(start)
    local entry, stop = value(text, start)
    out[#out + 1] = entry
    return stop
  end)
end

-- What diagnostics need of values: no fractions, no true, false and null.
function value(text, at)
  local first = text:sub(at, at)
  if first == "{" then return object_at(text, at) end
  if first == "[" then return list_at(text, at) end
  if first == '"' then return string_at(text, at) end
  local stop, digits = expect(text, at, "(%d+)")
  assert(digits == "0" or first ~= "0", "a number that starts with 0")
  return math.tointeger(tonumber(digits)), stop
end

local function parse(line)
  assert(utf8.len(line), "not UTF-8")
  local out, stop = object_at(line, 1)
  assert(stop == #line + 1, "text behind the object")
  return out
end

-- ---- diagnostics --------------------------------------------------------------------------------------------------

local remark = { severity = "string", code = "string", file = "string", line = "integer", column = "integer",
  length = "integer", end_column = "integer", message = "string", help = "string" }
local diagnostic = { notes = "table", fix = "table" }
for key, kind in pairs(remark) do diagnostic[key] = kind end
local fix = { file = "string", line = "integer", column = "integer", length = "integer", text = "string" }

local function check(object, keys, needed)
  for key, entry in pairs(object) do
    assert((math.type(entry) or type(entry)) == keys[key], "a value of the wrong kind: " .. key)
  end
  for word in needed:gmatch("%S+") do assert(object[word], "no " .. word) end
  for _, text in ipairs { object.message or "", object.help or "" } do
    assert(not text:find("^%u") and not text:find("%.$"), "a sentence with a capital or a period: " .. text)
  end
  if object.end_column then assert(object.end_column == object.column + object.length, "a wrong end") end
end

-- The diagnostics of a spec in a directory, with its own options.
local function diagnostics(directory, name)
  local options = file_text(directory .. "/" .. name):match("^%-%- options: ([^\n]*)") or ""
  local list = {}
  local said = output_of(("cd '%s' && '%s' '%s' %s -o '%s/out' --diag json 2>&1"):format(directory, halogen, name,
    options, work))
  for line in said:gmatch("([^\n]*)\n") do
    local object = parse(line)
    check(object, diagnostic, "severity code message")
    for _, note in ipairs(object.notes or {}) do check(note, remark, "severity message") end
    if object.fix then check(object.fix, fix, "file line column length text") end
    list[#list + 1] = object
  end
  return list
end

-- As run.sh has it, without the lines of source: what --diag text says must be the same.
local function as_text(list)
  local lines = {}
  local function add(d)
    lines[#lines + 1] = ("%s: %s: %s%s"):format(table.concat({ d.file, d.line, d.column }, ":"), d.severity, d.message,
      d.code and (" [%s]"):format(d.code) or "")
  end
  for _, d in ipairs(list) do
    add(d)
    for _, note in ipairs(d.notes or {}) do add(note) end
    lines[#lines + 1] = d.help and "  help: " .. d.help
  end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- fixes --------------------------------------------------------------------------------------------------------

-- The text with one fix applied; also what was there before.
local function applied(text, f)
  local at = 1
  for _ = 2, f.line do at = text:find("\n", at, true) + 1 end
  local from, to = at + f.column - 1, at + f.column - 1 + f.length
  local line_end = text:find("\n", at, true) or #text + 1
  assert(to <= line_end, "a fix beyond its line")
  return text:sub(1, from - 1) .. f.text .. text:sub(to), text:sub(from, to - 1)
end

local function key(d) return d.code .. d.message end

local function count(list, d)
  local n = 0
  for _, other in ipairs(list) do n = n + (key(other) == key(d) and 1 or 0) end
  return n
end

local copies = work .. "/errors"
assert(os.execute(("cp -R '%s' '%s' && cp -R '%s/../canary' '%s/canary'"):format(errors, copies, errors, work)))

-- Applies fixes of a spec, the last one first, and returns what is said then.
local function after(name, list)
  local originals = {}
  for i = #list, 1, -1 do
    local path = copies .. "/" .. list[i].fix.file
    local text = file_text(path)
    originals[path] = originals[path] or text
    write(path, (applied(text, list[i].fix)))
  end
  local found = diagnostics(copies, name)
  for path, text in pairs(originals) do write(path, text) end
  return found
end

local lines, failed = {}, 0

local function try(name)
  local list, fixable = diagnostics(errors, name), {}
  local text = file_text(errors .. "/" .. name:gsub("lua$", "txt")):gsub("[^\n]*\n", function(line)
    return line:find("^ [ %d]+|") and "" or line
  end)
  assert(as_text(list) == text, "JSON says " .. as_text(list))
  for _, d in ipairs(list) do
    if d.fix then
      local _, old = applied(file_text(errors .. "/" .. d.fix.file), d.fix)
      lines[#lines + 1] = ("%s:%d:%d: %s  '%s' -> '%s'\n"):format(d.fix.file, d.fix.line, d.fix.column, d.code, old,
        d.fix.text)
      assert(count(after(name, { d }), d) < count(list, d), "not mended: " .. d.message)
      fixable[#fixable + 1] = d
    end
  end
  if #fixable > 1 then
    local left = after(name, fixable)
    for _, d in ipairs(fixable) do assert(count(left, d) == 0, "not mended by all fixes: " .. d.message) end
  end
end

for name in output_of(("cd '%s' && ls *.lua"):format(errors)):gmatch("[^\n]+") do
  local fine, message = pcall(try, name)
  if not fine then
    failed = failed + 1
    print(("FAILED %s: %s"):format(name, message))
  end
end
-- Whatever bytes a name has, the file's own included, JSON is valid, and a fix mends it.
local function try_hostile_bytes()
  local name = 'q"\\\1\255\u{20ac}\127.lua'
  write(copies .. "/" .. name, 'local grid = cartesian { axes = "xy", ["\\"\\\\\\n\\255\\1\u{202e}"] = 1, periodc = "x" }\n')
  local list = diagnostics(copies, name)
  assert(#list == 3 and list[1].file == 'q"\\\1\u{fffd}\u{20ac}\127.lua', list[1].file)
  assert(list[1].message:find('unknown key "\\\"\\\\\\x0a\u{fffd}\\x01\u{202e}"', 1, true), list[1].message)
  list[2].fix.file = name
  assert(list[2].fix.text == "periodic" and count(after(name, { list[2] }), list[2]) == 0)
end
local fine, message = pcall(try_hostile_bytes)
if not fine then
  failed = failed + 1
  print("FAILED hostile bytes: " .. message)
end

if update then write(here .. "/fixes.txt", table.concat(lines)) end
if table.concat(lines) ~= file_text(here .. "/fixes.txt") then
  failed = failed + 1
  write(work .. "/fixes.txt", table.concat(lines))
  print("FAILED other fixes than in fixes.txt:", output_of(("diff '%s/fixes.txt' '%s/fixes.txt'"):format(here, work)))
end
os.execute(("rm -r '%s'"):format(work))
print(("%d fixes, %d failed"):format(#lines, failed))
os.exit(failed == 0)
