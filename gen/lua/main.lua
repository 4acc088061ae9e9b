-- The generator from start to end: spec, model, rules, plan, proof, and then what the command asks for; or, without a
-- spec, what the index has about a diagnostic.
--
-- Each stage reports everything that it finds; the next one runs only if there was no error.
--
-- A module that not every command needs is loaded where it is needed: `halogen check` took a fifth longer with all of them.

local check = require "rules.check"
local features = require "features"
local fixes = require "base.fixes"
local locate = require "base.locate"
local model = require "model.model"
local outputs = require "model.outputs"
local params = require "language.params"
local plan = require "plan.plan"
local prove = require "proof.prove"
local report = require "base.report"
local spec = require "language.spec"

-- The place of a failed evaluation: the word in question if it stands on the line, or what stands first there; and a fix.
local function place_of(failure, texts)
  if failure.where then return failure.where end
  if not failure.line then
    return failure.file and { file = failure.file }
  end
  local tokens = locate.tokens(texts[failure.file])
  local where = locate.word(tokens, failure.file, failure.line, failure.word)
  if failure.code == "HG1004" then return where, fixes.declared(tokens, where) end
  return where, failure.meant and fixes.respell(where, (failure.word:gsub("^%.", "")), failure.meant)
end

local function report_failure(failure, texts)
  local where, fix = place_of(failure, texts)
  report.error(failure.code, where, failure.message, failure.help, nil, fix)
end

local function front_ends()
  local modules = {}
  for i, name in ipairs(features.front_ends) do modules[i] = require(name) end
  return modules
end

-- The model; nil after reporting, or after printing what the spec has for parameters.
local function read_spec()
  local run, failure, texts, problems = spec.evaluate(host.options.spec, front_ends())
  -- All files are read now, but for templates and modules that the user gives in place of ours.
  if not host.options.templates then host.seal() end
  for _, problem in ipairs(run and run.problems or problems) do report_failure(problem, run and run.texts or texts) end
  if not run then return report_failure(failure, texts) end
  if host.options.command ~= "params" then return model.build(run) end
  if #run.problems == 0 then host.print(params.listed(run.params)) end
end

-- Of a plan that is proved, by command.
local last = {}

-- What the proof reported is all that there is.
function last.check() end

function last.explain(p)
  require("explain.explain").run(p)
end

function last.generate(p)
  local what = host.options.dump
  if what == "tables" then
    host.print(require("explain.json").text(require("explain.tables").of(p)))
  elseif what then
    host.print(require("emit.dump")[what](p))
  elseif host.options.list_outputs then
    host.print(table.concat(outputs.names(p.model), "\n") .. "\n")
  else
    require("emit.emit").run(p)
  end
end

local function run()
  if host.options.command == "diagnostic" then
    require("base.diagnostic").run(host.options.diagnostic)
    report.flush()
    return
  elseif host.options.command == "init" then
    require("emit.init").run(host.options)
    report.flush()
    return
  end
  local m = read_spec()
  if report.flush() or not m then return end
  check.run(m)
  if report.flush() then return end
  m.hash = model.hash(m)
  local p = plan.build(m)
  if report.flush() then return end
  prove.run(p)
  if report.flush() then return end
  last[host.options.command](p)
  report.flush()
end

run()
