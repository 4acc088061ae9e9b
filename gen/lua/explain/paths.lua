-- By which path a message goes.

local paths = {}

function paths.is_on_device(tables, exchange)
  for _, item in ipairs(exchange.field) do
    if tables.field[item.field + 1].on_device == 1 then return true end
  end
  return false
end

-- question.per_node: ranks of a node; nil: all share one.
function paths.of(tables, exchange, question, rank, peer)
  if peer == rank then return "self" end
  local node = question.per_node
  if node and rank // node ~= peer // node then return "network" end
  return paths.is_on_device(tables, exchange) and "device" or "shared"
end

return paths
