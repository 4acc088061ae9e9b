-- Documents, and comments of headers, are easy to read: no paragraph above 120 words, no sentence above 45, and on average at most 18
-- a sentence.
--
-- usage: lua5.4 prose.lua FILE.md... FILE.h...
--
-- A paragraph ends at an empty line, and each entry of a list, cell of a table and quotation is one.  Code in a sentence counts as one
-- word, whatever its length.  Headings, listings and comments are no prose; cells of tables, of which few are sentences, do not count in the
-- average.

local PARAGRAPH, SENTENCE, AVERAGE = 120, 45, 18

-- Ends of sentences that are none.
local abbreviations = { ["e.g."] = true, ["i.e."] = true, ["etc."] = true, ["vs."] = true }

-- What begins a sentence with a small letter; "code" stands for code.
local names = { code = true, halogen = true, libhx = true }

local function words_of(text)
  text = text:gsub("`[^`]*`", "code"):gsub("%[([^%]]*)%]%([^)]*%)", "%1"):gsub("[*_]+", "")
  local words = {}
  for word in text:gmatch("%S+") do
    if word:find("%w") then words[#words + 1] = word end
  end
  return words
end

-- The lengths of a paragraph's sentences.
local function sentences_of(words)
  local lengths, length = {}, 0
  for i, word in ipairs(words) do
    length = length + 1
    local next_word = words[i + 1]
    local ends = word:find("[.!?][\"')]*$") and not abbreviations[word]
    if not next_word or ends and (next_word:find("^[\"'(]*[%u%d]") or names[next_word:match("^%l+")]) then
      lengths[#lengths + 1], length = length, 0
    end
  end
  return lengths
end

-- The lines of a header's comments as those of a document, each comment an entry; other lines are empty.
local function comment_lines(file)
  local next_line, inside = io.lines(file), false
  return function()
    local line, begins = next_line(), not inside
    local text = line and (begins and line:match("/%*(.*)") or not begins and line)
    if not text then return line and "" end
    inside = not text:find("*/", 1, true)
    text = text:gsub("%s*%*/.*", "")
    return begins and text:find("%w") and "- " .. text or text:gsub("^%s*%*? ?", "")
  end
end

-- Calls visit(text, line, kind) for each paragraph, entry and cell.
local function paragraphs_of(lines, visit)
  local text, first, listing, comment, number, blank = nil, 0, nil, false, 0, true
  local function flush()
    if text then visit(text, first, "paragraph") end
    text = nil
  end
  for line in lines do
    number = number + 1
    local fence = line:match("^%s*(```+)")
    if listing then
      if fence == listing then listing = nil end
    elseif comment then
      comment = not line:find("%-%->")
    elseif fence then
      flush()
      listing = fence
    elseif line:find("^<!%-%-") then
      flush()
      comment = not line:find("%-%->")
    elseif line:find("^%s*$") then
      flush()
    elseif not text and line:find("^    ") and blank then
      flush() -- an indented listing
    elseif line:find("^#") then
      flush()
    elseif line:find("^|") then
      flush()
      if not line:find("^|[-: |]+$") then
        for cell in line:gmatch("[^|]+") do visit(cell, number, "cell") end
      end
    else
      local entry = line:match("^%s*[-*] +(.*)") or line:match("^%s*%d+[.] +(.*)") or line:match("^> *(.*)")
      if entry then flush() end
      if not text then text, first = entry or line, number else text = text .. " " .. line end
    end
    blank = line:find("^%s*$") or listing ~= nil or (blank and line:find("^    "))
  end
  flush()
end

local failed = false
local function complain(...)
  failed = true
  print("FAIL " .. string.format(...))
end

for _, file in ipairs(arg) do
  local total, count = 0, 0
  paragraphs_of(file:find("%.hp*$") and comment_lines(file) or io.lines(file), function(text, line, kind)
    local words = words_of(text)
    if #words > PARAGRAPH then complain("%s:%d: a %s of %d words; at most %d", file, line, kind, #words, PARAGRAPH) end
    for _, length in ipairs(sentences_of(words)) do
      if length > SENTENCE then complain("%s:%d: a sentence of %d words; at most %d", file, line, length, SENTENCE) end
      if kind == "paragraph" then total, count = total + length, count + 1 end
    end
  end)
  if count > 0 and total / count > AVERAGE then
    complain("%s: %.1f words a sentence on average; at most %d", file, total / count, AVERAGE)
  end
end
if not failed then print(#arg .. " documents are easy to read") end
os.exit(not failed)
