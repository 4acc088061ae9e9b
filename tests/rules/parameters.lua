-- Functions of C with more parameters than six, each with its place and their number: such a function wants a struct.
--
--   lua5.4 parameters.lua FILE …
--
-- Looked at are declarations and definitions outside of functions.  Macros are not: who writes one cannot hand it a struct.

local most = 6

-- Text without comments, strings and lines for the preprocessor; line breaks stay.
local function code_of(text)
  local function breaks(piece) return (piece:gsub("[^\n]", " ")) end
  text = text:gsub("\\\n", "\\ \n") -- a line that goes on is still two lines
  text = text:gsub('"[^"\n]*"', breaks):gsub("'[^'\n]*'", "0"):gsub("/%*.-%*/", breaks):gsub("//[^\n]*", "")
  local goes_on = false
  text = ("\n" .. text):gsub("\n([^\n]*)", function(line)
    local is_one = goes_on or line:match "^%s*#"
    goes_on = is_one and line:match "\\%s*$"
    return is_one and "\n" or nil
  end)
  -- What stands between braces of `extern "C"` stands outside of functions.
  return (text:sub(2):gsub("extern%s+{", "extern ;"))
end

-- Commas that are not in parentheses of their own, and one.
local function count(parameters)
  local inner = parameters:sub(2, -2):gsub("%b()", "")
  if inner:match "^%s*$" or inner:match "^%s*void%s*$" then return 0 end
  return select(2, inner:gsub(",", "")) + 1
end

-- Bodies, initial values and members go: what is left of each function is its head.
local function heads_of(code)
  return (code:gsub("%b{}", function(body) return "{}" .. body:gsub("[^\n]", "") end))
end

local found = 0

local function look_at(path)
  local file = assert(io.open(path))
  local code = heads_of(code_of(file:read "a"))
  file:close()
  local line, seen = 1, 1
  for at, name, parameters in code:gmatch "()([%a_][%w_]*)%s*(%b())" do
    local number = count(parameters)
    if number > most and not name:match "^__" then
      line = line + select(2, code:sub(seen, at - 1):gsub("\n", ""))
      seen = at
      print(("%s:%d: %s has %d parameters"):format(path, line, name, number))
      found = found + 1
    end
  end
end

for _, path in ipairs(arg) do look_at(path) end
os.exit(found == 0)
