-- lua5.4 links.lua CUT LINKS REPORT: compares what the runtime reports with the generator's tile links, cut by brute
-- force (CUT is tests/lua/cut.lua, LINKS the output of `halogen --dump links`, REPORT that of links.c).

local cut = dofile(arg[1])

local function read_file(path)
  local file <close> = assert(io.open(path, "rb"))
  return file:read("a")
end

local function join(list)
  return table.concat(list, " ")
end

-- A set of all lines that the partition should give; points without a source have none.
local function expected_lines(links, cuts)
  local lines = {}
  cut.each(links, cuts, function(ghost, source)
    if source then
      lines[("exchange %d field %d tile %d block %d direction %s point %s <- tile %d block %d field %d point %s sign %d")
        :format(ghost.exchange, ghost.field, ghost.tile, ghost.block, join(ghost.direction), join(ghost.point), source.tile,
          source.block, source.field, join(source.point), source.sign)] = true
    end
  end)
  return lines
end

local failures = 0

local function fail(...)
  failures = failures + 1
  if failures <= 10 then print(string.format(...)) end
end

local function compare(links, number, cuts, lines)
  local expected = expected_lines(links, cut.cuts(table.concat(cuts, "\n")))
  for _, line in ipairs(lines) do
    if not expected[line] then fail("partition %d: the runtime alone has (or has twice): %s", number, line) end
    expected[line] = nil
  end
  for line in pairs(expected) do fail("partition %d: the runtime lacks: %s", number, line) end
end

local links = cut.parse(read_file(arg[2]))
local partitions, points = 0, 0
local cuts, lines = {}, {}
for line in io.lines(arg[3]) do
  if line:find("^tile ") then
    cuts[#cuts + 1] = line
  elseif line:find("^exchange ") then
    lines[#lines + 1] = line
  elseif line == "end" then
    partitions, points = partitions + 1, points + #lines
    compare(links, partitions, cuts, lines)
    cuts, lines = {}, {}
  end
end

print(("%d partitions, %d ghost points, %d differences"):format(partitions, points, failures))
os.exit(failures == 0 and points > 0)
