-- What exchanges do: copy what feeds ghost points, or send ghost points back to their owners and combine them there.

local ctypes = require "model.ctypes"
local verbs = require "language.verbs"

local operations = {}

operations.all = verbs.exchange.at.op.list

-- Those that send ghost points back, in the order in which emitted code has their kernels.
operations.returning = { "add", "min", "max" }

-- What an exchange does, as a verb: "exchange "e" adds".
operations.verb = { copy = "copies", add = "adds", min = "takes minima", max = "takes maxima" }

function operations.returns(exchange)
  return exchange.operation ~= "copy"
end

-- Does it take the least or the greatest of numbers?
function operations.picks(operation)
  return operation == "min" or operation == "max"
end

-- Can an operation be done with values of a type?
function operations.suits(operation, ctype)
  if operation == "copy" then return true end
  return (operation == "add" and ctypes.can_add or ctypes.has_order)(ctype)
end

return operations
