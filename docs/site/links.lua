-- A filter for pandoc: links between documents become links between pages.  What is no page of the site, such as a file of the
-- sources, is named and not linked.  DOCUMENT is where the document lies, seen from the top of the sources.

local document = os.getenv("DOCUMENT")

local function lines_of(path)
  local lines = {}
  for line in io.lines(path) do lines[#lines + 1] = line end
  return lines
end

local pages = {}
for _, line in ipairs(lines_of("docs/site/navigation")) do
  local source = line:match("^(%S+%.md) ")
  if source then pages[source] = source == "README.md" and "index.html" or source:gsub("^docs/", ""):gsub("%.md$", ".html") end
end

-- A path as seen from the top, of one as seen from the document.
local function from_top(target)
  local path = (document:match("^(.*/)") or "") .. target
  local again = 1
  while again > 0 do path, again = path:gsub("[^/]+/%.%./", "", 1) end
  return path
end

local top = pages[document]:find("/") and "../" or ""

local function page_of(target)
  local path, anchor = target:match("^([^#]*)(#?.*)$")
  if path == "" then return target end
  local source = from_top(path)
  if pages[source] then return top .. pages[source] .. anchor end
  if source:find("^docs/pictures/") then return top .. source:gsub("^docs/", "") end
  return nil
end

function Link(link)
  if link.target:find("^%a+:") then return nil end
  local page = page_of(link.target)
  if not page then return link.content end
  link.target = page
  return link
end

function Image(image)
  image.src = page_of(image.src) or image.src
  return image
end
