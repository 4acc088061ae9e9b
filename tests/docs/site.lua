-- Follows the links of pages: each leads to a file that is there, and to something on it that has this name.
--
-- usage: lua5.4 site.lua PAGE.html...

local names = {}
local text_of = {}
for _, page in ipairs(arg) do
  page = page:gsub("^%./", "")
  local file <close> = assert(io.open(page))
  local text = file:read("a")
  text_of[page], names[page] = text, {}
  for name in text:gmatch(' id="([^"]+)"') do names[page][name] = true end
end

local function exists(path)
  local file <close> = io.open(path)
  return file ~= nil
end

local links, failed = 0, false
for page, text in pairs(text_of) do
  for target in text:gmatch(' [hs][re][ec]f?="([^"]*)"') do
    links = links + 1
    if not target:find("^%a+:") then
      local path, anchor = target:match("^([^#]*)#?(.*)$")
      path = path == "" and page or (page:match("^(.*/)") or "") .. path
      path = path:gsub("[^/]+/%.%./", "")
      if not exists(path) or anchor ~= "" and not names[path][anchor] then
        failed = true
        print(("FAIL %s: %s leads nowhere"):format(page, target))
      end
    end
  end
end
if links < 100 then
  failed = true
  print("FAIL only " .. links .. " links are found")
end
if not failed then print(links .. " links lead somewhere, on " .. #arg .. " pages") end
os.exit(not failed)
