-- Names that a spec cannot have where the header for C++ is asked for: those of members that all such classes have.

local cxx_names = {}

local function set(words)
  local out = {}
  for word in string.gmatch(words, "%S+") do out[word] = true end
  return out
end

-- tests/emit/cxx.sh takes each word of the two headers for a name: what is not here compiles.
local members = {
  field = { title = "the struct that its view is in", names = set "block_views" },
  exchange = { title = "a word of the class of handles",
    names = set [[Errors Work add_window alloc_blocks base basic_handle block_views blocks fields fields_type get handle_type hx
      remove_window result shape_type std views]] },
}

-- Why C++ cannot have a name of this kind, or nil: "is a word of the class of handles".
function cxx_names.problem(kind, name)
  kind = kind == "cycle" and "exchange" or kind -- both are methods
  local start = kind == "exchange" and (name:match("^[Hh][Xx]_") or name:match("^P?MPI_"))
  if start then return "starts with " .. start end
  local taken = members[kind]
  return taken and taken.names[name] and "is " .. taken.title or nil
end

return cxx_names
