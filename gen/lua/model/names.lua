-- Names: which a spec may give, and which identifiers emitted code makes of them.
--
-- A name of a spec ends up in C, C++, CUDA and Fortran, as part of identifiers (`channel_u_at`), as a member of a struct
-- (`f.u`), and as the name of files (`channel.h`).  So it is letters, digits and single underscores between them, starts
-- with a letter, has at most 63 characters, and is no word that one of these languages keeps for itself.

local c_names = require "model.c_names"
local ctypes = require "model.ctypes"
local memory = require "model.memory"

local names = {}

-- The longest identifier that Fortran allows and that C tells from others.
names.longest = 63

local function set(words)
  local out = {}
  for word in string.gmatch(words, "%S+") do out[word] = true end
  return out
end

-- Words that cannot be names of anything, and whose they are.
local reserved = {
  { "a word of C", set [[auto break case char const continue default do double else enum extern float for goto if inline
    int long register restrict return short signed sizeof static struct switch typedef typeof typeof_unqual union unsigned void volatile
    while]] },
  { "a word of C++", set [[alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class co_await
    co_return co_yield compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit
    export false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public
    reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid typename using
    virtual wchar_t xor xor_eq]] },
  { "a word of CUDA", set [[blockDim blockIdx gridDim threadIdx warpSize dim3]] },
  { "a macro of C", set [[assert complex i386 imaginary linux noreturn offsetof unix]] },
}

-- What C libraries declare: { kind = "functions", "types" or "macros", title = "a function of C" } by name.
local declared = {}
for _, group in ipairs(c_names) do
  for word in string.gmatch(group.words, "%S+") do declared[word] = declared[word] or group end
end

-- Whose macro a name is, or nil.  A macro stands for something else wherever its name stands, also as a member of a struct.
local function macro_of(name)
  local group = declared[name]
  if name:find("^PRI[dioxuX][%dFLMP]") or name:find("^SCN[dioxu][%dFLMP]") then return "a macro of C" end
  return group and group.kind == "macros" and group.title or nil
end

-- Whose an identifier of emitted code is already, or nil: "a function of POSIX".
function names.declared_by_c(identifier)
  return declared[identifier] and declared[identifier].title
end

-- Names that a field cannot have, because it is a member of a struct whose members may be of that type: C++ refuses
-- `int16_t *int16_t;`.
local types = { "a type of C", set [[div_t fpos_t int16_t int32_t int64_t int8_t intmax_t intptr_t ldiv_t max_align_t
  ptrdiff_t size_t ssize_t time_t uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t]] }

-- Names that a spec itself cannot have, because its name stands alone in C or names files.
local reserved_for_specs = {
  { "a header of C", set [[assert complex ctype errno fenv inttypes iso646 limits locale math setjmp signal stdalign stdarg
    stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time uchar unistd wchar wctype hx mpi
    mpif]] },
  { "the start of macros of C, as in SIZE_MAX", set [[clock clocks dbl decimal fe flt fp int16 int32 int64 int8 intmax
    intptr iov ldbl llong mb nl page path posix ptrdiff schar seek shrt sig size ssize uchar uint uint16 uint32 uint64
    uint8 uintmax uintptr ulong ullong ushrt wchar wint]] },
  { "the function that programs start with", set "main" },
  types,
}

-- Starts of names that belong to libraries, in lower case: those of hx, of MPI, of what MPIs and CUDA have besides.
local of_libraries = { "^hx_", "^%l?mpi%l?_", "^mpich", "^mpiimpl_", "^have_mpi_",
  "^adioi_", "^no_tags_with_", "^opal_", "^mca_", "^romio_", "^platform_compiler_", "^open_mpi$", "^custream_" }

local function start_of_library(lower)
  for _, pattern in ipairs(of_libraries) do
    if lower:find(pattern) then return lower:match(pattern) end
  end
end

-- The start of a name if it is somebody else's, and whose.  Types and macros of libraries are in sight where fields are
-- declared; that of none starts with mpi_ in lower case.  The name of a spec starts the names of its own functions and
-- constants, so it keeps clear of more.
local function foreign_start(kind, name)
  local lower, library = name:lower(), "take another name: these belong to a library"
  local start = start_of_library(lower)
  if kind == "field" then
    if start == "hx_" or not start then return start, library end
    return not name:find("^mpi_") and name:sub(1, #start), library
  end
  if kind ~= "spec" then return nil end
  if lower == "halogen" or lower:find("^halogen_") then return "halogen", "take another name: guards of emitted headers start with it" end
  return start or lower:match("^cuda"), library
end

local function find(lists, name)
  for _, list in ipairs(lists) do
    if list[2][name] then return list[1] end
  end
end

-- Can C and Fortran take it as a name at all?
function names.is_identifier(name)
  return #name <= names.longest and name:find("^%a[%w_]*$") ~= nil
end

-- Why a name cannot be that of a kind ("field", "exchange", "vector", "spec"), or nil: "is a word of C".
-- The second result is the way out.
function names.problem(kind, name)
  local shape = "write letters, digits and single underscores between them, a letter first"
  if name == "" then return "is empty", shape end
  if not name:find("^[%w_]*$") then return "has a character that is no letter, digit or underscore", shape end
  if not name:find("^%a") then return "does not start with a letter", shape end
  if name:find("__", 1, true) or name:find("_$") then
    return "has an underscore at its end or two in a row", shape
  end
  if #name > names.longest then
    return ("has %d characters"):format(#name), ("write at most %d, the limit of C and Fortran"):format(names.longest)
  end
  local owner = find(reserved, name) or macro_of(name) or kind == "field" and types[2][name] and types[1]
    or kind == "spec" and (find(reserved_for_specs, name:lower()) or names.declared_by_c(name) or names.declared_by_c(name:lower()))
  if owner then return "is " .. owner, "take another name" end
  local start, whose = foreign_start(kind, name)
  if start then return ("starts with %s"):format(start), whose end
  if kind == "spec" and #name < 2 then return "has one character", "write at least two: others see the name" end
end

-- The code of a template, without its lines of Lua, comments and strings; "$" stands for expressions.
local function code_of(template)
  local text = ("\n" .. template):gsub("\n%%[^\n]*", "\n")
  return (text:gsub("%$%b()", "$"):gsub("/%*.-%*/", " "):gsub('"[^"\n]*"', " "))
end

-- Does emitted code use `name` for something of its own, alone or as the first part of a longer word?  The name of a spec
-- is a type in C, which a variable of that name would hide; members of structs and classes do not count.  Answered by the text of a
-- template, which holds all such words but those that come from axes (names.of_axis).  `name` has letters, digits and
-- underscores only: it becomes part of a pattern, as in names.is_word_of.
function names.stands_in(template, name)
  return code_of(template):find("[^%w_.>:]" .. name .. "%f[^%w]") ~= nil
end

-- Why a name cannot be that of a type of C that a spec describes, or nil; the second result is the way out.
function names.problem_of_type(name)
  if not name:find("^%a[%w_]*$") then
    return "is no identifier of C", "write the name of a typedef: letters, digits and underscores, a letter first"
  elseif #name > names.longest then
    return ("has %d characters"):format(#name), ("write at most %d, the limit of C"):format(names.longest)
  end
  local owner = find(reserved, name) or macro_of(name) or ctypes.is_c_name(name) and "a type that every spec has"
  if owner then return "is " .. owner, "describe a type of your own" end
  local prefix = name:lower():match("^(p?mpi_)") or name:lower():match("^(hx_)")
  if prefix then return ("starts with %s"):format(prefix), "describe a type of your own: these belong to a library" end
end

-- Is `name` a word of the code in a template?  A variable of that name would hide the type.
function names.is_word_of(template, name)
  return code_of(template):find("[^%w_.>$]" .. name .. "%f[^%w_$]") ~= nil
end

-- ---- identifiers in emitted code ------------------------------------------------------------------------------------

function names.constant(spec, name)
  return spec:upper() .. "_" .. name:upper()
end

-- The constant that says at which place of lists an axis is.
function names.constant_of_axis(spec, axis)
  return names.constant(spec, "axis_" .. axis)
end

function names.constant_of_param(spec, param)
  return names.constant(spec, "param_" .. param)
end

-- What a spec declares whatever fields and exchanges it has; axes: names of its grid's; on_device: whether some field lies
-- on a device; behind: whether some halo lies behind owned points.
function names.of_spec(spec, axes, on_device, behind)
  local out = { spec, names.constant(spec, "fields"), names.constant(spec, "exchanges"), names.constant(spec, "axes"),
    names.constant(spec, "asks_for_model") }
  for _, axis in ipairs(axes) do out[#out + 1] = names.constant_of_axis(spec, axis) end
  for _, suffix in ipairs { "shape", "fields", "partition", "shape_dense", "shape_best", "shape_of", "points", "owned_points", "point",
    "create", "create_for", "create_blocks", "create_blocks_for", "create_like", "create_wide", "rebalance", "destroy", "describe",
    "describe_json", "traffic", "message_buffers",
    "audit", "redistribute", "redistribute_with", "gather", "scatter", "gather_selected", "scatter_selected", "spec", "alloc", "extents", "file_passes", "memory_type", "file_type",
    "free", "register", "unregister", "set_boundary", "part", "asks_for_model", "handle" } do
    out[#out + 1] = spec .. "_" .. suffix
  end
  if behind then out[#out + 1] = spec .. "_plane" end
  if on_device then table.move({ spec .. "_cuda", spec .. "_set_boundary_on" }, 1, 2, #out + 1, out) end
  return out
end

function names.of_field(spec, field)
  return { names.constant(spec, field), spec .. "_" .. field .. "_at" }
end

-- fills: names of the axes along which it can fill corners; on_device: whether it carries fields there.
function names.of_exchange(spec, exchange, fills, on_device)
  local start = spec .. "_" .. exchange
  local out = { names.constant(spec, exchange), start, start .. "_start", start .. "_test", start .. "_finish", start .. "_audit",
    start .. "_interior", start .. "_rim" }
  for _, half in ipairs(on_device and { "_pack", "_send", "_receive", "_unpack" } or {}) do out[#out + 1] = start .. half end
  for _, axis in ipairs(fills or {}) do out[#out + 1] = start .. "_corners_" .. axis end
  return out
end

-- steps: names of its steps.
function names.of_cycle(spec, cycle, steps)
  local start = spec .. "_" .. cycle
  local out = { start, start .. "_start", start .. "_finish", start .. "_restart" }
  for _, step in ipairs(steps) do out[#out + 1] = start .. "_" .. step .. "_points" end
  return out
end

-- What else such functions call so: NAME_u_at, and NAME_point.
local of_indices = set "s c b n m"

-- The parameter of functions that takes an index along an axis: the axis's own name, unless that means something else there.
-- taken: names of types, as keys.
function names.parameter_of_axis(axis, taken)
  local clashes = of_indices[axis] or taken[axis] or find(reserved, axis) or macro_of(axis) or types[2][axis]
    or axis:lower():match("^hx_") or axis:match("^P?MPI_")
  return clashes and "i_" .. axis or axis
end

-- Names of parameters and local variables that emitted functions make of an axis, but for its own name.
function names.of_axis(axis)
  local out = { "i_" .. axis }
  for _, start in ipairs { "n", "s", "to_s", "from_s" } do
    out[#out + 1] = start .. axis
    out[#out + 1] = start .. "_" .. axis
  end
  return out
end

-- Those that they make of the variables of loops.
function names.of_loops()
  local out = {}
  for _, letter in ipairs { "i", "j", "k", "l" } do
    out[#out + 1] = "side_" .. letter
    out[#out + 1] = "from_" .. letter
  end
  return out
end

-- A type as part of kernels' names, which go on with depths: pack_double_2.  A struct may have any name, also one that
-- ends like that; an underscore at its end keeps struct cell_2 from rows of two of struct cell.
function names.of_type(field)
  if field.ctype.kind == "struct" then
    return "struct_" .. field.type:gsub("_[%d_]*$", "%0_")
  end
  return (field.type:gsub("[^%w]+", "_"))
end

-- A type of points: double, double_by_5.
function names.of_shape(field)
  local components = memory.in_a_point(field)
  return names.of_type(field) .. (components and "_by_" .. components or "")
end

-- The type of a field's points, where components make it an array that emitted code gives a name; else nil.
function names.of_points(field)
  return memory.in_a_point(field) and names.of_shape(field)
end

return names
