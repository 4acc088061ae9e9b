-- What can be emitted for a model, and by which templates.

local memory = require "model.memory"
local template = require "base.template"

local outputs = {}

-- Does a model need device kernels, for a list of points or for boxes?
local function has_kernels_for(list)
  return function(model) return memory.any_on_device(model) and (model.grid.is_list or false) == list end
end

-- The option that asks for it, the template, the end of the file's name, and whether a model needs it.
local PRODUCTS = {
  { option = "c", template = "header.h.tmpl", ending = ".h" },
  { option = "c", template = "source.c.tmpl", ending = ".c" },
  { option = "c", template = "device/kernels.cu.tmpl", ending = ".cu", needed = has_kernels_for(false) },
  { option = "c", template = "device/lists.cu.tmpl", ending = ".cu", needed = has_kernels_for(true) },
  { option = "check", template = "check.c.tmpl", ending = "_check.c" },
  { option = "cxx", template = "cxx.hpp.tmpl", ending = ".hpp" },
  { option = "fortran", template = "fortran/module.f90.tmpl", ending = "_module.f90" },
  { option = "fortran", template = "fortran/glue.c.tmpl", ending = "_fortran.c" },
  { option = "python", template = "python/name.py.tmpl", ending = ".py", is_python = true },
  { option = "python", template = "python/name_python.c.tmpl", ending = "_python.c" },
}

-- The products that were asked for and that a model needs.
function outputs.of(model)
  local list = {}
  for _, product in ipairs(PRODUCTS) do
    if host.options.emit[product.option] and (not product.needed or product.needed(model)) then list[#list + 1] = product end
  end
  return list
end

-- What stands between the names of other specs and ".c" in their files, if a name ends with it: a spec "a_fortran" and the glue of
-- a spec "a" would both be a_fortran.c.
function outputs.ending_in(name)
  for _, product in ipairs(PRODUCTS) do
    local word = product.ending:match("^(_%a+)%.c$")
    if word and name:sub(-#word) == word then return word end
  end
end

-- The names of the files.
function outputs.names(model)
  local names = {}
  for i, product in ipairs(outputs.of(model)) do names[i] = model.name .. product.ending end
  return names
end

-- The text of each template of C that they are made from.
function outputs.texts(model)
  local texts = {}
  for _, product in ipairs(outputs.of(model)) do
    local text = not product.is_python and template.text(product.template)
    -- Comments of Fortran are no words of its code.
    if text then texts[#texts + 1] = product.template:find("%.f90%.tmpl$") and text:gsub("![^\n]*", "") or text end
  end
  return texts
end

return outputs
