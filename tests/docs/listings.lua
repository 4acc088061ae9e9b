-- Turns the listings of a page into a shell script that tries each of them; steps.sh has what it calls.
--
-- usage: lua5.4 listings.lua PAGE.md ROOT WORK >SCRIPT
--
-- A listing begins with ```LANGUAGE and words that say what to do with it, which readers do not see:
--   file=NAME          write it to NAME, where commands of the page find it
--   append=NAME        add it to that file
--   frame=NAME         it is part of something: put it into frames/NAME at the line that says LISTING; frames/NAME.lua
--                      is generated before
--   internal           it includes headers of runtime/
--   wrong              a spec that must be refused
--   error              Python that must raise; what it says counts as printed
--   output             text that the commands before it print, line by line; a line of dots stands for any lines
--   or=TEXT            this may be printed instead, where it depends on the machine; the page says when
--   with=app           ./app is there: frames/app.c, with the code of frames/channel.lua
--   needs=PROGRAM      not tried where there is no such program, nor what it would print
--   not-run="REASON"   it cannot be tried here; such listings are counted
-- Specs are generated, JSON is read, C and Fortran are compiled, commands are run, and so is Python that is in no file.  Lines of ./dev are looked up in its help, tests in the list of all tests.

local page, root, work = table.unpack(arg)
local name = page:match("([^/]+)%.md$")
local tried = { lua = true, c = true, ["c++"] = true, fortran = true, json = true, python = true, sh = true, make = true, cmake = true, meson = true }

local function fail(line, ...)
  io.stderr:write(("FAIL %s:%d: %s\n"):format(page, line, string.format(...)))
  os.exit(1)
end

local function read_words(line, number)
  local language, rest = line:match("^```(%S*)%s*(.*)$")
  local words = { language = language, line = number }
  rest = rest:gsub('(%S-)="([^"]*)"', function(key, value)
    words[key] = value
    return ""
  end)
  for word in rest:gmatch("%S+") do
    local key, value = word:match("^(%S-)=(.*)$")
    words[key or word] = value or true
  end
  return words
end

local function listings()
  local found, current, number = {}, nil, 0
  for line in io.lines(page) do
    number = number + 1
    if current and line:find("^```%s*$") then
      current.text = table.concat(current, "\n") .. "\n"
      found[#found + 1], current = current, nil
    elseif current then
      current[#current + 1] = line
    elseif line:find("^%s+```") then
      fail(number, "a listing inside of a list: write it at the margin")
    elseif line:find("^```") then
      current = read_words(line, number)
      if current.language == "" then fail(number, "a listing without a language") end
    elseif line:find("^    %S") then
      fail(number, "an indented listing: write ``` and its language")
    end
  end
  if current then fail(current.line, "a listing without an end") end
  return found
end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

local frames = root .. "/tests/docs/frames/"
local function exists(path)
  local file = io.open(path)
  return file ~= nil and file:close()
end

local function framed(listing)
  local path = frames .. listing.frame
  local file = io.open(path) or fail(listing.line, "there is no frame %s", listing.frame)
  local frame = file:read("a")
  file:close()
  local before, after = frame:match("^(.-)[^\n]*LISTING[^\n]*\n(.*)$")
  return before .. listing.text .. after
end

print(("page=%s\n. %s/tests/docs/steps.sh"):format(quoted(name), quoted(root)))
for number, listing in ipairs(listings()) do
  local path = ("%s/%s.%d"):format(work, name, number)
  write(path, listing.frame and framed(listing) or listing.text)
  local where = ("%s %s:%d"):format(quoted(path), quoted(page), listing.line)
  -- A frame beside which a spec lies includes the header of that.
  local spec = listing.frame and listing.language ~= "python" and frames .. listing.frame:gsub("%.[cf].*$", ".lua")
  if spec and exists(spec) then print(("prepared %s %s"):format(where, quoted(spec))) end
  if listing.with then
    print(("built %s %s %s"):format(where, quoted(frames .. listing.with .. ".c"), quoted(frames .. "channel.lua")))
  end
  if listing["not-run"] then
    print(("not_run %s %s"):format(where, quoted(listing["not-run"])))
  elseif listing.language == "text" and not listing.file then
    local other = listing["or"] and " " .. quoted(listing["or"]) or ""
    print((listing.output and "printed " or "shown ") .. where .. other)
  elseif listing.append or listing.file and not listing.frame then
    print(("write %s %s %s"):format(where, quoted(listing.append or listing.file), quoted(listing.append and ">>" or ">")))
  end
  if not listing["not-run"] and tried[listing.language] then
    if listing.language == "lua" and not listing.append then
      print(("%s %s %s"):format(listing.wrong and "refused" or "generated", where, quoted(listing.file or name .. number .. ".lua")))
    elseif listing.language == "c" or listing.language == "c++" then
      print(("compiled %s %s%s"):format(where, listing.language, listing.internal and " " .. quoted(root .. "/runtime") or ""))
    elseif listing.language == "fortran" then
      print(("if has %s gfortran; then compiled_fortran %s; fi"):format(where, where))
    elseif listing.language == "python" then
      local step = listing.file and "is_python" or listing.error and "python_raises" or "python_runs"
      print(("if has %s python3-mpi4py; then %s %s; fi"):format(where, step, where))
    elseif listing.language == "json" then
      print(("if has %s python3; then is_json %s; fi"):format(where, where))
    elseif listing.language == "sh" then
      local i = 0
      for line in listing.text:gmatch("[^\n]+") do
        i = i + 1
        local command = line:match("^%./dev ?([^#]*)")
        if command then print(("known %s %s"):format(where, command)) end
        local test = line:match("^meson test %-C build '([^']*)'")
        if test then print(("a_test %s %s"):format(where, quoted(test))) end
      end
      write(path, (("\n" .. listing.text):gsub("\n%./dev [^\n]*", "\n:"):gsub("\nmeson test %-C build[^\n]*", "\n:"):sub(2)))
      local command = ("runs %s\n. %s >%s 2>&1\nran"):format(where, quoted(path), quoted(work .. "/printed"))
      if listing.needs then command = ("if has %s %s; then\n%s\nfi"):format(where, listing.needs, command) end
      print(command)
    end
  elseif not tried[listing.language] and listing.language ~= "text" and not listing["not-run"] then
    fail(listing.line, "nobody can try a listing in '%s'; say not-run=\"...\"", listing.language)
  end
end
print("finished")
