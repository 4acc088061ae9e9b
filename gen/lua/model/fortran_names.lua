-- Names in emitted Fortran modules, where upper and lower case are the same.

local fortran_names = {}

local function set(words)
  local out = {}
  for word in string.gmatch(words, "%S+") do out[word] = true end
  return out
end

-- What module statements mean something else by, modules and a header of compilers, and all that iso_c_binding has.
local modules = set [[function procedure subroutine iso_c_binding iso_fortran_env iso_fortran_binding ieee_arithmetic
  ieee_exceptions ieee_features omp_lib omp_lib_kinds openacc mpi_f08
  c_alert c_associated c_backspace c_bool c_carriage_return c_char c_double c_double_complex c_f_pointer c_f_procpointer
  c_f_strpointer c_float c_float128 c_float128_complex c_float_complex c_form_feed c_funloc c_funptr c_horizontal_tab c_int
  c_int128_t c_int16_t c_int32_t c_int64_t c_int8_t c_int_fast128_t c_int_fast16_t c_int_fast32_t c_int_fast64_t c_int_fast8_t
  c_int_least128_t c_int_least16_t c_int_least32_t c_int_least64_t c_int_least8_t c_intmax_t c_intptr_t c_loc c_long
  c_long_double c_long_double_complex c_long_long c_new_line c_null_char c_null_funptr c_null_ptr c_ptr c_ptrdiff_t c_short
  c_signed_char c_size_t c_sizeof c_unsigned c_vertical_tab]]

-- Arguments that stand beside fields, and kinds that declare them.
local beside_fields = set [[halo ierr part shape stream c_bool c_double c_double_complex c_float c_float_complex c_int c_int16_t
  c_int32_t c_int64_t c_int8_t c_intmax_t c_intptr_t c_long c_long_double c_long_long c_ptr c_ptrdiff_t c_short c_signed_char
  c_size_t]]

-- Why Fortran cannot have a name of this kind, or nil.
function fortran_names.problem(kind, name)
  local lower = name:lower()
  if kind == "spec" and modules[lower] then return "is a word or a module of Fortran" end
  if kind == "spec" and lower:find("^f_") then return "starts with f_, as procedures inside the module do" end
  if kind == "field" and beside_fields[lower] then return "is an argument, or a kind, of the module's procedures" end
end

local ALWAYS = { "shape", "halo", "fields", "shape_dense", "shape_best", "shape_of", "points", "partition", "part", "create",
  "create_blocks", "destroy", "alloc", "free", "alloc_blocks", "free_blocks", "describe", "describe_json", "stats", "traffic", "register", "unregister", "message_buffers", "plane", "set_boundary", "set_boundary_on",
  "rebalance", "create_like", "create_wide", "redistribute", "gather", "scatter", "gather_selected", "scatter_selected", "memory_type", "file_type", "file_passes" }

-- What procedures of an exchange end with.
local ENDINGS = { "", "_start", "_finish", "_audit" }
local ENDINGS_ON_DEVICE = { "_pack", "_send", "_receive", "_unpack" }

-- Names in the module, and those of its glue in C, in lower case.  fields: how many there are.
function fortran_names.of_spec(spec, axes, fields)
  local out = {}
  for _, ending in ipairs(ALWAYS) do
    out[#out + 1] = spec .. "_" .. ending
    out[#out + 1] = spec .. "_f_" .. ending
  end
  for number = 1, fields do
    out[#out + 1] = spec .. "_f_point_" .. number
    out[#out + 1] = spec .. "_f_release_" .. number
    out[#out + 1] = spec .. "_f_whole_" .. number
  end
  for _, axis in ipairs(axes) do out[#out + 1] = spec .. "_axis_" .. axis end
  for i, name in ipairs(out) do out[i] = name:lower() end
  return out
end

-- Its own is one of them: arguments stand beside the types and the procedure that they belong to.
function fortran_names.of_field(spec, field)
  local out = { field, spec .. "_field_" .. field, spec .. "_wall_" .. field, spec .. "_f_wall_" .. field }
  -- A function in C, which may be one of the glue.
  if (field .. "_"):find("^[fF]_") then out[#out + 1] = spec .. "_" .. field .. "_at" end
  for i, name in ipairs(out) do out[i] = name:lower() end
  return out
end

-- What an exchange and a cycle have: procedures with these endings, and what they call.
local function add_calls(out, spec, name, endings)
  local start, in_c = (spec .. "_" .. name):lower(), (spec .. "_f_" .. name):lower()
  for _, what in ipairs { "check_", "take_", "go_" } do
    out[#out + 1] = ("f_" .. what .. name):lower()
    out[#out + 1] = (spec .. "_f_" .. what .. name):lower()
  end
  for _, ending in ipairs(endings) do
    out[#out + 1] = start .. ending
    out[#out + 1] = start .. "_blocks" .. ending
    out[#out + 1] = in_c .. ending
  end
  return out
end

-- fills: names of the axes along which it can fill corners; on_device: whether it carries fields there.
function fortran_names.of_exchange(spec, exchange, fills, on_device)
  local endings = table.move(ENDINGS, 1, #ENDINGS, 1, {})
  if on_device then table.move(ENDINGS_ON_DEVICE, 1, #ENDINGS_ON_DEVICE, #endings + 1, endings) end
  for _, axis in ipairs(fills or {}) do endings[#endings + 1] = "_corners_" .. axis:lower() end
  local out = { (spec .. "_exchange_" .. exchange):lower() }
  for _, ending in ipairs { "_test", "_interior", "_rim" } do out[#out + 1] = (spec .. "_" .. exchange .. ending):lower() end
  return add_calls(out, spec, exchange, endings)
end

-- steps: names of its steps.
function fortran_names.of_cycle(spec, cycle, steps)
  local start = (spec .. "_" .. cycle):lower()
  local out = { start .. "_restart" }
  for _, step in ipairs(steps) do out[#out + 1] = ("%s_%s_points"):format(start, step:lower()) end
  return add_calls(out, spec, cycle, { "", "_start", "_finish" })
end

return fortran_names
