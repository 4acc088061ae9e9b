-- Places in the text of a spec: tokens, calls, keys and values, also in text that makes it hard.

local case = require "case"
local locate = require "base.locate"

local function site(text, line, verb, name, ordinal)
  return locate.site(locate.tokens(text), { file = "a.lua", line = line, verb = verb, name = name, ordinal = ordinal or 1 })
end

-- "line:col+length"
local function text_of(place)
  return ("%d:%d+%d"):format(place.line, place.col, place.length)
end

case("tokens keep line and column through comments, strings and line ends", function()
  local tokens = locate.tokens("a --[[ x\n y ]] b\r\nc = [==[\n]]\n]==] d -- e\n'it\\'s' 0x1F ~= .5")
  local words = {}
  for i, token in ipairs(tokens) do words[i] = ("%s@%d:%d"):format(token.text:gsub("\n", "|"), token.line, token.col) end
  assert(table.concat(words, " ") == "a@1:1 b@2:7 c@3:1 =@3:3 [==[|]]|]==]@3:5 d@5:6 'it\\'s'@6:1 0x1F@6:9 ~=@6:14 .5@6:17")
end)

case("unfinished text does not end badly", function()
  for _, text in ipairs { "'abc", "[[abc", "--[[abc", "cartesian {", "cartesian { a =", "field 'p' { [", "{{{(", "\\", "'\\" } do
    local s = site(text, 1, "cartesian")
    assert(locate.value(s, "a") and locate.key(s, 1) and locate.name(s))
  end
end)

local text = [==[
local grid = cartesian { axes = "xyz" } -- field "p"
local p = field "p" {
  on = grid, -- halo = 3
  halo = { x = 2, ["y"] = { lo = 1, hi = 0 } },
  type = (function() if true then return { halo = 1 } end end)(),
}
return spec "s" { exchange "a" { p, width = 1 }, exchange "b" { p ; stencil = "star" } }
]==]

case("keys and values", function()
  local p = site(text, 2, "field", "p")
  assert(text_of(locate.name(p)) == "2:17+3" and text_of(locate.verb(p)) == "2:11+5")
  assert(text_of(locate.key(p, "halo")) == "4:3+4")
  assert(text_of(locate.value(p, "halo", "x")) == "4:16+1")
  assert(text_of(locate.key(p, "halo", "y")) == "4:20+3")
  assert(text_of(locate.value(p, "halo", "y", "lo")) == "4:34+1")
  assert(text_of(locate.value(p, "on")) == "3:8+4")
  assert(text_of(locate.key(p, "type")) == "5:3+4")
end)

case("what is not written in place is located at what holds it", function()
  local p = site(text, 2, "field", "p")
  assert(text_of(locate.value(p, "halo", "x", "lo")) == "4:16+1")
  assert(text_of(locate.value(p, "order")) == "2:17+3")
  assert(text_of(locate.key(site(text, 1, "alias"), "axes")) == "1:1+5")
end)

case("calls of one verb on one line are told apart by name, else by count", function()
  assert(text_of(locate.value(site(text, 7, "exchange", "b"), "stencil")) == "7:79+6")
  assert(text_of(locate.value(site(text, 7, "exchange", "a"), 1)) == "7:34+1")
  local twice = "f { a = 1 } f { a = 2 }"
  assert(locate.value(site(twice, 1, "f", nil, 1), "a").col == 9 and locate.value(site(twice, 1, "f", nil, 2), "a").col == 21)
  assert(locate.value(site(twice, 1, "f", nil, 3), "a").col == 9)
end)

case("a call whose line is that of its brace is found", function()
  assert(text_of(locate.name(site("local p = field\n  'p'\n {\n on = 1 }", 3, "field", "p"))) == "2:3+3")
end)

case("values over several lines end with their first line", function()
  assert(text_of(locate.value(site("f { a = { 1,\n 2 } }", 1, "f"), "a")) == "1:9+1")
end)
