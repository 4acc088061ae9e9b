-- A stand-in for the table `host` that the C program gives to the generator's modules, for tests that run under a
-- plain Lua interpreter.  Files are entries of `files`; what is reported, printed and written is kept.

local stand_in = {}

local function hash(text)
  local h = 0xcbf29ce484222325
  for i = 1, #text do
    h = (h ~ text:byte(i)) * 0x100000001b3
  end
  return ("%016x"):format(h)
end

-- Installs a new host and returns it; files: { [path] = text }, options: entries of host.options besides defaults.
function stand_in.install(files, options)
  local new = {
    options = { command = "generate", spec = "test.lua", emit = { c = true }, version = "0" },
    reports = {}, printed = {}, outputs = {},
    overrides = function() return {} end,
    proving = function() end,
    seal = function() end,
    hash = hash,
  }
  for key, value in pairs(options or {}) do new.options[key] = value end
  function new.read(path)
    if files[path] then return files[path] end
    return nil, ("cannot read %s"):format(path)
  end
  function new.template(name)
    local file = assert(io.open(source_root .. "/templates/" .. name))
    local text = file:read("a")
    file:close()
    return text, "@templates/" .. name
  end
  function new.report(diagnostic)
    new.reports[#new.reports + 1] = diagnostic
  end
  function new.print(text)
    new.printed[#new.printed + 1] = text
  end
  function new.output(name, text)
    new.outputs[name] = text
  end
  function new.compile(text, chunkname, env)
    return load(text, chunkname, "t", env)
  end
  host = new
  return new
end

return stand_in
