-- Each link of the documents leads somewhere: to a file that is there, and to a heading that it has.
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

local links, failed = 0, false
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
    local text = line.text:gsub("`[^`]*`", "")
    for target in text:gmatch("%]%(([^)%s]+)%)") do look(path, line.number, target) end
  end
end
if not failed then print(links .. " links lead somewhere") end
os.exit(not failed)
