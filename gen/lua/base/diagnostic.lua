-- `halogen diagnostic CODE`: what the index of diagnostics has about a code, or all codes with their titles.

local codes = require "base.codes"
local report = require "base.report"

local diagnostic = {}

local width = 80

-- A paragraph of words, its lines indented.
local function paragraph(text, indent)
  local lines, line = {}, nil
  for word in text:gmatch("%S+") do
    if line and #line + 1 + #word <= width then
      line = line .. " " .. word
    else
      lines[#lines + 1] = line
      line = indent .. word
    end
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n") .. "\n"
end

local function entry_text(entry)
  local text = ("%s: %s\n\nCause\n%s\nCure\n%s"):format(entry.code, entry.title, paragraph(entry.cause, "  "),
    paragraph(entry.cure, "  "))
  return entry.write and ("%s\n      %s\n"):format(text, entry.write) or text
end

local function list_text()
  local lines = {}
  for i, entry in ipairs(codes) do lines[i] = ("%s  %s\n"):format(entry.code, entry.title) end
  return table.concat(lines)
end

-- code: "" for the list.
function diagnostic.run(code)
  if code == "" then return host.print(list_text()) end
  local known = {}
  for i, entry in ipairs(codes) do
    if entry.code == code:upper() then return host.print(entry_text(entry)) end
    known[i] = entry.code
  end
  local near = report.nearest(code, known)
  report.error("HG0010", nil, ("there is no diagnostic %s"):format(report.quote(code)),
    near and report.did_you_mean(code, known) or "halogen diagnostic lists them")
end

return diagnostic
