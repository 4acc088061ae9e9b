-- Functions of C and Lua with more parameters than six, each with its place and their number: such a function wants a struct,
-- or a table.
--
--   lua5.4 parameters.lua FILE …
--
-- Of C declarations and definitions outside of functions are looked at.  Macros are not: who writes one cannot hand it a struct.
-- A file of Lua ends in .lua.

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

-- In glue for Fortran, NAME_f_…, only what is no array of Fortran: each of these is an argument of its own.
local function counted(name, parameters)
  local arrays = 0
  for parameter in parameters:gmatch "[^,]+" do
    local is_array = parameter:match "%f[%w_]CFI_cdesc_t%f[^%w_]" or parameter:match "%f[%w_]array_of_"
    arrays = arrays + (name:match "_f_" and is_array and 1 or 0)
  end
  return count(parameters) - arrays
end

-- Bodies, initial values and members go: what is left of each function is its head.
local function heads_of(code)
  return (code:gsub("%b{}", function(body) return "{}" .. body:gsub("[^\n]", "") end))
end

local found = 0

-- Text without comments and strings; line breaks stay.
local function lua_code_of(text)
  local function breaks(piece) return (piece:gsub("[^\n]", " ")) end
  text = text:gsub("%-%-%[(=*)%[.-%]%1%]", breaks):gsub("%[(=*)%[.-%]%1%]", breaks)
  return (text:gsub('"[^"\n]*"', breaks):gsub("'[^'\n]*'", breaks):gsub("%-%-[^\n]*", ""))
end

local function look_at_lua(path)
  local file = assert(io.open(path))
  local line = 0
  for text in (lua_code_of(file:read "a") .. "\n"):gmatch "([^\n]*)\n" do
    line = line + 1
    for name, parameters in text:gmatch "%f[%w_]function%f[^%w_]%s*([%w_.:]*)%s*(%b())" do
      if count(parameters) > most then
        print(("%s:%d: %s has %d parameters"):format(path, line, name == "" and "a function" or name, count(parameters)))
        found = found + 1
      end
    end
  end
  file:close()
end

local function look_at_c(path)
  local file = assert(io.open(path))
  local code = heads_of(code_of(file:read "a"))
  file:close()
  local line, seen = 1, 1
  for at, name, parameters in code:gmatch "()([%a_][%w_]*)%s*(%b())" do
    local number = counted(name, parameters)
    if number > most and not name:match "^__" then
      line = line + select(2, code:sub(seen, at - 1):gsub("\n", ""))
      seen = at
      print(("%s:%d: %s has %d parameters"):format(path, line, name, number))
      found = found + 1
    end
  end
end

for _, path in ipairs(arg) do
  if path:match "%.lua$" then look_at_lua(path) else look_at_c(path) end
end
os.exit(found == 0)
