-- The index of diagnostics as a section of Markdown, for the manual page halogen-spec(5).

local codes = require "base.codes"

local function words(text)
  return (text:gsub("%s+", " "))
end

local function section()
  local parts = { "# Diagnostics\n\n## Diagnostics\n\n`halogen diagnostic CODE` prints one of these.\n" }
  for _, entry in ipairs(codes) do
    parts[#parts + 1] = ("### %s: %s\n\n%s\n\n%s\n"):format(entry.code, entry.title, words(entry.cause),
      words(entry.cure))
    if entry.write then parts[#parts + 1] = ("```\n%s\n```\n"):format(entry.write) end
  end
  return table.concat(parts, "\n")
end

return section()
