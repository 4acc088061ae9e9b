-- Texts of at most 100 columns: sentences that are wrapped, and tables.

local lines = {}

local WIDTH = 100

-- Words of a sentence in lines, each behind `indent`, those after the first two columns further in.
function lines.wrap(out, indent, sentence)
  local line, further = indent, indent .. "  "
  for word in sentence:gmatch("%S+") do
    if #line + #word + 1 > WIDTH and line:find("%S") then
      out[#out + 1] = line
      line = further
    end
    line = line .. (line:find("%S") and " " or "") .. word
  end
  out[#out + 1] = line
end

-- Rows of texts under heads; columns of numbers, whose heads begin with ">", are flush right.
function lines.columns(out, heads, rows)
  local widths = {}
  for c, head in ipairs(heads) do
    widths[c] = #head:gsub("^>", "")
    for _, row in ipairs(rows) do widths[c] = math.max(widths[c], #row[c]) end
  end
  local function line_of(row)
    local cells = {}
    for c, head in ipairs(heads) do
      local cell, space = row[c]:gsub("^>", ""), nil
      space = (" "):rep(widths[c] - #cell)
      cells[c] = head:sub(1, 1) == ">" and space .. cell or cell .. space
    end
    return ("  " .. table.concat(cells, "  ")):gsub("%s+$", "")
  end
  out[#out + 1] = line_of(heads)
  for _, row in ipairs(rows) do out[#out + 1] = line_of(row) end
end

function lines.finished(out)
  return table.concat(out, "\n") .. "\n"
end

return lines
