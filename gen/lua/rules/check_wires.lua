-- Rules of formats in which numbers travel shorter than they are.  See check.lua.

local ctypes = require "model.ctypes"
local exchanges = require "model.exchanges"
local fixes = require "base.fixes"
local operations = require "model.operations"
local read = require "language.read"
local report = require "base.report"
local wires = require "model.wires"

local check_wires = {}

local quote = report.quote

-- Calls visit(exchange, item, node), node: the one that says the format, for each item that has one.
local function each_wired(m, visit)
  for _, exchange in ipairs(m.exchanges) do
    for _, item in ipairs(exchange.items) do
      if item.wire then visit(exchange, item, exchanges.who_says(exchange.node, item, "wire")) end
    end
  end
end

-- What to write where a format does not suit a field at all.
local function cure_of(field, numbers)
  if not numbers then
    return 'give wire to the fields of numbers, in a table of theirs: { u, v, wire = "float" }'
  elseif numbers.whole then
    return ('write wire = "int16" or the like for %s, in a table of its own, or leave wire out for it'):format(field.name)
  end
  return ('write wire = "float", "half" or "bfloat16" for %s, in a table of its own, or leave wire out for it'):format(field.name)
end

function check_wires.formats_suit_fields(m)
  each_wired(m, function(exchange, item, node)
    local field, where = item.field, read.value(node, "wire")
    local notes = { { where = field.where, message = "the field is here" } }
    local numbers, format = wires.numbers(field), wires.formats[item.wire]
    if not numbers or numbers.whole ~= format.whole then
      report.error("HG1535", where, ("exchange %s sends field %s as %s, and it is %s"):format(quote(exchange.name), quote(field.name),
        item.wire, field.ctype.kind == "struct" and "a struct" or ctypes.title(field)),
        cure_of(field, numbers), notes)
    elseif not wires.carries(field, item.wire) then
      report.error("HG1535", where, ("exchange %s sends field %s as %s, and its numbers have %d bytes as they are"):format(
        quote(exchange.name), quote(field.name), item.wire, numbers.size),
        'leave wire out for it, or take a shorter format', notes)
    end
  end)
end

-- Does an exchange add numbers of an item that it rounds, as it may if the spec asks for that?
local function adds_rounded(exchange, item)
  return exchange.operation == "add" and not exchange.shared and item.wire ~= nil and not wires.formats[item.wire].whole
end

-- Why an exchange that does not copy a halo is to have no wire, or what to write beside it.
local function way_out(exchange, item)
  if exchange.shared then
    return "leave wire out: who decides would keep a number that the others get rounded"
  elseif adds_rounded(exchange, item) then
    return 'leave wire out, or write sums = "rounded" beside it: the owner then adds numbers that were rounded on the way'
  end
  return "leave wire out: the owner would reckon with numbers that were changed on the way"
end

function check_wires.formats_suit_exchanges(m)
  local told = {}
  each_wired(m, function(exchange, item, node)
    local adds = operations.returns(exchange)
    local does = adds and operations.verb[exchange.operation] or "makes shared points agree"
    if not told[node] and (adds or exchange.shared) and not (exchange.sums and adds_rounded(exchange, item)) then
      report.error("HG1536", read.value(node, "wire"), ("exchange %s %s, and sends field %s as %s"):format(quote(exchange.name), does,
        quote(item.field.name), item.wire), way_out(exchange, item), {
          { where = read.value(exchange.node, adds and "op" or "only"), message = "it is asked for here" } },
        fixes.remove(node.site, "wire"))
      told[node] = true
    end
  end)
end

-- Where something has a wire that does not copy, the rule above says what is wrong.
function check_wires.sums_are_rounded(m)
  for _, exchange in ipairs(m.exchanges) do
    local wired = false
    for _, item in ipairs(exchange.items) do wired = wired or item.wire ~= nil end
    if exchange.sums and not (wired and (operations.returns(exchange) or exchange.shared)) then
      report.error("HG1540", read.key(exchange.node, "sums"), ("exchange %s has sums of numbers that are rounded, and %s"):format(
        quote(exchange.name), exchange.operation == "add" and not exchange.shared and "rounds none" or "adds no ghost points"),
        'leave sums out: it goes with op = "add" and a wire of "float", "half" or "bfloat16"', nil, fixes.remove(exchange.node.site, "sums"))
    end
  end
end

function check_wires.vectors_have_one_format(m)
  for _, exchange in ipairs(m.exchanges) do
    local first = {}
    for _, item in ipairs(exchange.items) do
      local vector = item.field.vector
      local other = vector and first[vector]
      if other and other.wire ~= item.wire then
        report.error("HG1539", item.where, ("exchange %s sends field %s %s and %s %s, and they are components of one vector"):format(
          quote(exchange.name), quote(item.field.name), item.wire and "as " .. item.wire or "as it is", quote(other.field.name),
          other.wire and "as " .. other.wire or "as it is"), "give both the same wire: where the grid turns, one feeds the other",
          { { where = other.where, message = "the other component is here" } })
      elseif vector then
        first[vector] = item
      end
    end
  end
end

-- Of one node that says `error`: the bound, or nil after reporting.
local function bound_of(exchange, node)
  local bound = read.typed(node, "error")
  if bound and not (bound > 0 and bound < 1) then
    report.error("HG1537", read.value(node, "error"), ("exchange %s has an error of %s"):format(quote(exchange.name), tostring(bound)),
      "write how much a number may change, relative to it: more than 0 and less than 1, as in 1e-6")
    return nil
  end
  return bound
end

function check_wires.errors_are_kept(m)
  for _, exchange in ipairs(m.exchanges) do
    local bounds = {}
    for _, node in ipairs(exchanges.nodes_of(exchange)) do
      if node.entries.error ~= nil then bounds[node] = bound_of(exchange, node) end
    end
    for _, item in ipairs(exchange.items) do
      local node = exchanges.who_says(exchange.node, item, "error")
      local bound, format = bounds[node], item.wire and wires.formats[item.wire]
      if bound and format and format.whole then
        report.error("HG1537", read.key(node, "error"), ("exchange %s has an error for field %s, whose integers travel as they are"):format(
          quote(exchange.name), quote(item.field.name)), "leave error out: an integer that does not fit " .. item.wire .. " ends in a failure",
          nil, fixes.remove(node.site, "error"))
      elseif bound and not format then
        report.error("HG1537", read.key(node, "error"), ("exchange %s has an error for field %s, which travels as it is"):format(
          quote(exchange.name), quote(item.field.name)), 'write wire = "float" beside it, or leave error out', nil,
          fixes.remove(node.site, "error"))
      elseif bound and 2.0 ^ -format.digits > bound then
        report.error("HG1537", read.value(node, "error"), ("exchange %s sends field %s as %s, which may change a number by %.2g of it, "
          .. "and the error is %s"):format(quote(exchange.name), quote(item.field.name), item.wire, 2.0 ^ -format.digits, tostring(bound)),
          item.wire == "float" and "leave wire out, or allow for more" or 'take a format with more digits, as "float", or allow for more',
          { { where = read.value(exchanges.who_says(exchange.node, item, "wire"), "wire"), message = "the format is here" } })
      end
    end
  end
end

return check_wires
