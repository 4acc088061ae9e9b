-- Runs specs with verbs that only compare what they are given with their annotations, as an editor does.

local annotations = require "annotations"

local walk = {}

local function check(all, wanted, value, what)
  local wrong = annotations.misfit(all, wanted, value)
  if wrong then error(("%s: %s"):format(what, wrong), 0) end
end

-- What a verb returns for a table: handles of its class, one for each name if there are many; of `any` the default.
local function returned_by(t, many, value)
  if t.name == "any" then return value.default end
  if not many then return annotations.handle(t.name) end
  local handles = {}
  for i = 1, #value do handles[i] = annotations.handle(t.name) end
  return table.unpack(handles)
end

local function stub(all, name, declared)
  return function(...)
    local values = table.pack(...)
    for i, param in ipairs(declared.params) do check(all, param.type, values[i], name) end
    if values.n > #declared.params then error(name .. ": too many arguments", 0) end
    local returned = declared.returned
    if returned.kind ~= "function" then return returned_by(returned, declared.many, values[1]) end
    return function(value)
      check(all, returned.params[1], value, name)
      return returned_by(returned.returned, false, value)
    end
  end
end

-- Runs a file; raises what is wrong.  Its value fits the type of what `spec` returns.
function walk.run(all, path)
  local environment = setmetatable({}, { __index = _G })
  for name, declared in pairs(all.functions) do environment[name] = stub(all, name, declared) end
  local function run(file)
    return assert(loadfile(file, "t", environment))()
  end
  local including = environment.include
  function environment.include(name)
    including(name)
    return run(path:match("^.*/") .. name)
  end
  check(all, all.functions.spec.returned.returned, run(path), "the file")
end

return walk
