-- lua plot_scale.lua < TABLE > SVG: draws what `./dev bench scale` prints: memory and time of a rank, by ranks, fields, blocks and tiles.

local WIDTH, HEIGHT, LEFT, TOP, GAP = 250, 170, 62, 56, 78 -- of a plot, and what is around it
local COLORS = { "#1b6ca8", "#c1502e", "#2d8a4e", "#7a4fa3", "#8a6d1d", "#444444" }
local DASHES = { "none", "7 3", "2 3", "9 3 2 3", "4 4", "1 2" }

-- ---- the table ------------------------------------------------------------------------------------------------------------

-- Rows of { name =, ranks =, create_us =, kib = }.
local function read(text)
  local rows = {}
  for line in text:gmatch "[^\n]+" do
    local name, ranks, create, kib = line:match "^| ([^|]+) | (%d+) | [%d.]+ | ([%d.]+) | [%d.]+ | ([%d.]+) |"
    if name then rows[#rows + 1] = { name = name, ranks = tonumber(ranks), create_us = tonumber(create), kib = tonumber(kib) } end
  end
  return rows
end

-- Lines of a plot, in the order of the table: { name =, points = { { x, y }, … } }.
local function by_ranks(rows, figure)
  local lines, by_name = {}, {}
  for _, row in ipairs(rows) do
    if not row.name:find "^%l+ %d+$" then
      if not by_name[row.name] then
        by_name[row.name] = { name = row.name, points = {} }
        lines[#lines + 1] = by_name[row.name]
      end
      table.insert(by_name[row.name].points, { row.ranks, row[figure] })
    end
  end
  return lines
end

local function by_number(rows, figure)
  local lines, by_name = {}, {}
  for _, row in ipairs(rows) do
    local name, number = row.name:match "^(%l+) (%d+)$"
    if name then
      if not by_name[name] then
        by_name[name] = { name = name, points = {} }
        lines[#lines + 1] = by_name[name]
      end
      table.insert(by_name[name].points, { tonumber(number), row[figure] })
    end
  end
  return lines
end

-- ---- a plot ---------------------------------------------------------------------------------------------------------------

-- Powers of a base around all values of a coordinate.
local function range_of(lines, c, base)
  local least, most = math.huge, -math.huge
  for _, line in ipairs(lines) do
    for _, point in ipairs(line.points) do least, most = math.min(least, point[c]), math.max(most, point[c]) end
  end
  local function power(value, round) return round(math.log(value) / math.log(base)) end
  local low = power(least * 1.05, math.floor)
  return { low = low, high = math.max(power(most / 1.05, math.ceil), low + 1), base = base }
end

local function share(range, value)
  return (math.log(value) / math.log(range.base) - range.low) / (range.high - range.low)
end

-- "10⁵" as SVG has it, or the number where that is short.
local function label(base, power)
  if base == 10 and power > 3 then return ('10<tspan dy="-5" font-size="9">%d</tspan>'):format(power) end
  return ("%d"):format(base ^ power)
end

local function axes(out, x0, y0, plot, xs, ys)
  local function add(text, ...) out[#out + 1] = text:format(...) end
  add('<rect x="%d" y="%d" width="%d" height="%d" fill="none" stroke="#888"/>', x0, y0, WIDTH, HEIGHT)
  for power = xs.low, xs.high do
    local x = x0 + WIDTH * (power - xs.low) / (xs.high - xs.low)
    add('<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/>', x, y0, x, y0 + HEIGHT)
    add('<text x="%.1f" y="%d" text-anchor="middle">%s</text>', x, y0 + HEIGHT + 17, label(xs.base, power))
  end
  for power = ys.low, ys.high do
    local y = y0 + HEIGHT * (1 - (power - ys.low) / (ys.high - ys.low))
    add('<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/>', x0, y, x0 + WIDTH, y)
    add('<text x="%d" y="%.1f" text-anchor="end">%s</text>', x0 - 6, y + 4, label(ys.base, power))
  end
  add('<text x="%d" y="%d" font-weight="bold">%s</text>', x0, y0 - 10, plot.title)
  add('<text x="%d" y="%d" text-anchor="middle">%s</text>', x0 + WIDTH // 2, y0 + HEIGHT + 34, plot.along)
end

local function curves(out, x0, y0, plot, xs, ys)
  for i, line in ipairs(plot.lines) do
    local at = {}
    for p, point in ipairs(line.points) do
      at[p] = ("%.1f,%.1f"):format(x0 + WIDTH * share(xs, point[1]), y0 + HEIGHT * (1 - share(ys, point[2])))
      out[#out + 1] = ('<circle cx="%s" cy="%s" r="3" fill="%s"/>'):format(at[p]:match "^(.*),", at[p]:match ",(.*)$", COLORS[i])
    end
    out[#out + 1] = ('<polyline points="%s" fill="none" stroke="%s" stroke-width="1.8" stroke-dasharray="%s"/>'):format(
      table.concat(at, " "), COLORS[i], DASHES[i])
  end
end

local function legend(out, x, y, lines)
  for i, line in ipairs(lines) do
    local at = y + 18 * i
    out[#out + 1] = ('<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="%s" stroke-width="1.8" stroke-dasharray="%s"/>'):format(x, at - 4, x + 34,
      at - 4, COLORS[i], DASHES[i])
    out[#out + 1] = ('<text x="%d" y="%d">%s</text>'):format(x + 42, at, line.name)
  end
end

-- ---- all ------------------------------------------------------------------------------------------------------------------

local rows = read(io.read "a")
local ranks, others = by_ranks(rows, "kib"), by_number(rows, "kib")
if #ranks == 0 or #others == 0 or #ranks > #COLORS then
  io.stderr:write("plot_scale.lua: this is not what ./dev bench scale prints; it has a row for each grid and number of ranks\n")
  os.exit(1)
end
local plots = {
  { { title = "memory of a handle, KiB", along = "ranks", base = 10, lines = ranks },
    { title = "time of create, µs", along = "ranks", base = 10, lines = by_ranks(rows, "create_us") } },
  { { title = "memory of a handle, KiB", along = "number, on 10⁵ ranks", base = 2, lines = others },
    { title = "time of create, µs", along = "number, on 10⁵ ranks", base = 2, lines = by_number(rows, "create_us") } },
}
local wide, high = LEFT + 2 * (WIDTH + GAP) + 130, TOP + 2 * (HEIGHT + GAP)
local out = { ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12" role="img">'):format(wide, high),
  "<title>Memory and time of a rank, by ranks, fields, blocks and tiles</title>", ('<rect width="%d" height="%d" fill="#ffffff"/>'):format(wide, high) }
for r, row in ipairs(plots) do
  local y0 = TOP + (r - 1) * (HEIGHT + GAP)
  for c, plot in ipairs(row) do
    local x0 = LEFT + (c - 1) * (WIDTH + GAP)
    local xs, ys = range_of(plot.lines, 1, plot.base), range_of(plot.lines, 2, 10)
    axes(out, x0, y0, plot, xs, ys)
    curves(out, x0, y0, plot, xs, ys)
  end
  legend(out, LEFT + 2 * (WIDTH + GAP) - 60, y0, row[1].lines)
end
out[#out + 1] = "</svg>"
io.write(table.concat(out, "\n"), "\n")
