-- Names that a spec cannot have where Python is asked for: its keywords, and what objects of the package have already.

local python_names = {}

local function set(words)
  local out = {}
  for word in string.gmatch(words, "%S+") do out[word] = true end
  return out
end

local keywords = set [[False None True and as assert async await break class continue def del elif else except finally for
  from global if import in is lambda nonlocal not or pass raise return try while with yield]]

-- What would hide, or be hidden by: fields are attributes of halogen.Arrays and parameters of calls, exchanges attributes of
-- halogen.Halo.  tests/python/test_names.py compares the lists with the classes.
local members = {
  field = { title = "a member of halogen.Arrays, or a parameter of its exchanges",
    names = set "address arrays at axis by_name free more named owned positional self stream" },
  exchange = { title = "a member of halogen.Halo",
    names = set [[address alloc arrays blocks cells close closed comm describe empty first is_open n plane points rank register
      set_boundary several spec traffic unregister]] },
}

-- Why Python cannot have a name of this kind, or nil: "is a word of Python".
function python_names.problem(kind, name)
  if kind == "vector" then return nil end
  if keywords[name] then return "is a word of Python" end
  local taken = members[kind]
  if taken and taken.names[name] then return "is " .. taken.title end
end

-- Names of C functions and tables that NAME_python.c has besides.
function python_names.of_spec(spec)
  local out = {}
  for i, ending in ipairs { "mpi", "sizes", "int", "and", "comm" } do out[i] = spec .. "_python_" .. ending end
  return out
end

return python_names
