-- Each link of the documents leads somewhere: to a file that is there, and to a heading that it has.  So do files that they name in
-- code, as in `runtime/grid/cut.c`, but for those of history.
--
-- usage: lua5.4 links.lua ROOT FILE.md...

local root = table.remove(arg, 1)

-- Headings as GitHub and pandoc name them: small letters, no punctuation, hyphens between words.
local function anchor_of(heading)
  local text = heading:gsub("`", ""):gsub("%[([^%]]*)%]%([^)]*%)", "%1"):lower()
  return (text:gsub("[^%w%s_-]", ""):gsub("^%s+", ""):gsub("%s+$", ""):gsub("%s", "-"))
end

-- Lines outside of listings.
local function lines_of(path)
  local lines, listing, number = {}, false, 0
  for line in io.lines(path) do
    number = number + 1
    if line:find("^%s*```") then
      listing = not listing
    elseif not listing then
      lines[#lines + 1] = { text = line, number = number }
    end
  end
  return lines
end

local known = {}
local function anchors_of(path)
  if not known[path] then
    known[path] = {}
    for _, line in ipairs(lines_of(path)) do
      local heading = line.text:match("^#+%s+(.*)")
      if heading then known[path][anchor_of(heading)] = true end
    end
  end
  return known[path]
end

local function exists(path)
  local file = io.open(path)
  if file then file:close() end
  return file ~= nil
end

local function joined(from, target)
  local path = (from:match("^(.*/)") or "") .. target
  local again = 1
  while again > 0 do path, again = path:gsub("[^/]+/%.%./", "", 1) end
  return (path:gsub("/$", ""))
end

-- Folders of the tree, and rooms of runtime/ and gen/lua/, which pages name without what is before them.
local folders = {}
for name in ("gen runtime templates specs tests docs base comm grid pack window memory device transport exchange create"
  .. " language grids model plan rules proof emit"):gmatch("%S+") do
  folders[name] = true
end

local function is_path(name)
  return folders[name:match("^(%l+)/")] and (name:find("^[%w_./-]+%.%l+$") or name:find("^[%w_./-]+/$"))
end

local function is_there(from, name)
  name = name:gsub("/$", "")
  for _, place in ipairs { root .. "/", root .. "/runtime/", root .. "/gen/", root .. "/gen/lua/", from:match("^(.*/)") } do
    if exists(place .. name) then return true end
  end
  return false
end

local links, failed = 0, false
local function look_at_name(from, line, name)
  if not is_path(name) or from:find("/history/") then return end
  links = links + 1
  if not is_there(from, name) then
    failed = true
    print(("FAIL %s:%d: there is no %s"):format(from, line, name))
  end
end

local function look(from, line, target)
  if target:find("^%a+:") then return end
  links = links + 1
  local path, anchor = target:match("^([^#]*)#?(.*)$")
  path = path == "" and from or joined(from, path)
  local problem
  if not exists(path) then
    problem = "there is no " .. path
  elseif anchor ~= "" and path:find("%.md$") and not anchors_of(path)[anchor] then
    problem = path .. " has no heading #" .. anchor
  end
  if problem then
    failed = true
    print(("FAIL %s:%d: %s"):format(from, line, problem))
  end
end

for _, file in ipairs(arg) do
  local path = root .. "/" .. file
  for _, line in ipairs(lines_of(path)) do
    for name in line.text:gmatch("`([^`]+)`") do look_at_name(path, line.number, name) end
    local text = line.text:gsub("`[^`]*`", "")
    for target in text:gmatch("%]%(([^)%s]+)%)") do look(path, line.number, target) end
  end
end
if not failed then print(links .. " links lead somewhere") end
os.exit(not failed)
